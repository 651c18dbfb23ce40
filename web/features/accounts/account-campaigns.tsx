import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { STATUS_ALL } from '#domain/campaign/status/status'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
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
  const { data, error, refetch, isPlaceholderData } = useQuery(
    campaignQueries.list('all', {
      space_id: spaceId,
      page,
      pageSize: ROWS,
      status_filter: STATUS_ALL,
      included_metrics: ['spent'],
    }),
  )
  return (
    <DataTable
      caption={t('campaigns.table')}
      columns={useCampaignColumns()}
      rowId={({ id }) => id}
      rows={data?.data}
      total={data?.total_size ?? 0}
      view={{ page, rows: ROWS, hidden: [] }}
      onView={(view) =>
        void navigate({
          search: (previous) => ({ ...previous, page: view.page === 0 ? undefined : view.page }),
          resetScroll: false,
        })
      }
      rowChoices={[ROWS]}
      busy={isPlaceholderData}
      failed={{ title: t('campaigns.error'), error, onRetry: () => void refetch() }}
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
