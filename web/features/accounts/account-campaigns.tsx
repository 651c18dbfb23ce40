import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { STATUS_ALL } from '#domain/campaign/status/status-keys'
import { DataTable } from '@/components/data-table/data-table'
import { pageParam } from '@/components/data-table/list-search'
import type { DataColumn } from '@/components/data-table/table-view'
import { useListPage } from '@/components/data-table/use-list-page'
import { BoardImage } from '@/components/empty-images'
import { Money } from '@/components/money'
import { StatusText } from '@/components/status-text'
import { EmptyState } from '@/components/ui/empty-state'
import { campaignQueries } from '@/data/campaign-queries'

const ROWS = 10

/** Campaigns of an account, in pages. */
export function AccountCampaigns({ spaceId, page }: { readonly spaceId: string; readonly page: number }) {
  const { t } = useTranslation('accounts')
  const navigate = useNavigate({ from: '/admin/user/details/$id' })
  const loaded = useQuery(
    campaignQueries.list('all', {
      space_id: spaceId,
      page,
      pageSize: ROWS,
      status_filter: STATUS_ALL,
      included_metrics: ['spent'],
    }),
  )
  const list = useListPage({
    query: loaded,
    search: { page },
    onSearch: (patch, history) =>
      void navigate({
        search: (previous) => ({ ...previous, page: pageParam(patch.page) }),
        replace: history === 'replace',
        resetScroll: false,
      }),
    rowChoices: [ROWS],
    failed: t('campaigns.error'),
  })
  return (
    <DataTable
      caption={t('campaigns.table')}
      columns={useCampaignColumns()}
      rowId={({ id }) => id}
      {...list}
      nothing={<EmptyState image={<BoardImage />} title={t('campaigns.none')} />}
      testId="account-campaign"
    />
  )
}

function useCampaignColumns(): readonly DataColumn<ListRow>[] {
  const { t } = useTranslation('accounts')
  return [
    {
      id: 'name',
      header: t('campaigns.name'),
      rowHeader: true,
      cell: ({ id, name }) => (
        <Link
          to="/campaign/edit/$id"
          params={{ id }}
          search={{ tab: 'basicInfo' }}
          data-focus="name"
          className="rounded-[3px] font-medium hover:underline"
        >
          {name}
        </Link>
      ),
    },
    { id: 'status', header: t('campaigns.status'), cell: ({ status_key }) => <StatusText statusKey={status_key} /> },
    {
      id: 'spent',
      header: t('campaigns.spent'),
      numeric: true,
      width: 'w-32',
      cell: ({ spent, currency }) => (spent === null ? '–' : <Money value={spent} currency={currency} />),
    },
  ]
}
