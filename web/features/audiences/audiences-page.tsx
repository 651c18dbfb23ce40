import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AudienceItem } from '#contract/audiences'
import { DataTable } from '@/components/data-table/data-table'
import { useListPage } from '@/components/data-table/use-list-page'
import { BoardImage } from '@/components/empty-images'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { audienceQueries } from '@/data/audience-queries'
import { formatCount } from '@/i18n/format'
import { useCan } from '@/session/can'
import { useAudienceColumns } from './audience-columns.tsx'
import { AUDIENCE_ROWS, isFiltered, pageOf, type AudiencesSearch } from './audiences-search.ts'
import { AudiencesToolbar } from './audiences-toolbar.tsx'
import '@/i18n/texts/audiences'

const DeleteAudience = lazy(async () => ({ default: (await import('./delete-audience.tsx')).DeleteAudience }))
const route = getRouteApi('/_app/audiences')

/** `/audiences`: audiences of the account, and of staff those of their white-label. */
export function AudiencesPage() {
  const { t } = useTranslation('audiences')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const audiences = useQuery(audienceQueries.page(pageOf(search)))
  const [deleting, setDeleting] = useState<AudienceItem | null>(null)
  const isOfSeveral = new Set(audiences.data?.data.map(({ space_id: space }) => space)).size > 1
  const columns = useAudienceColumns(setDeleting).filter(({ id }) => isOfSeveral || id !== 'account')
  const total = audiences.data?.total_size
  const mayCreate = useCan()('audience.write')
  const change = (patch: Partial<AudiencesSearch>, history: 'push' | 'replace' = 'push') =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: history === 'replace', resetScroll: false })
  const list = useListPage({
    query: audiences,
    search,
    onSearch: change,
    rowChoices: AUDIENCE_ROWS,
    failed: t('error'),
    filters: {
      active: isFiltered(search),
      title: t('noMatch'),
      text: t('noMatchText'),
      clear: t('clear'),
      onClear: () => void navigate({ search: {} }),
    },
  })
  const create = (
    <Button asChild>
      <Link to="/audience/create">
        <Plus aria-hidden />
        {t('create')}
      </Link>
    </Button>
  )
  return (
    <Page
      title={t('title')}
      description={total === undefined ? undefined : t('count', { count: total, shown: formatCount(total) })}
      actions={mayCreate && create}
    >
      <AudiencesToolbar search={search} onSearch={change} />
      <DataTable
        caption={t('table')}
        columns={columns}
        rowId={({ id }) => id}
        {...list}
        onOpen={({ id }) => void navigate({ to: '/audience/details/$id', params: { id } })}
        nothing={
          <EmptyState image={<BoardImage />} title={t('empty')} text={t('emptyText')}>
            {mayCreate && create}
          </EmptyState>
        }
        testId="audience-row"
        narrow="scroll"
      />
      <Suspense>{deleting !== null && <DeleteAudience audience={deleting} onClose={() => setDeleting(null)} />}</Suspense>
    </Page>
  )
}
