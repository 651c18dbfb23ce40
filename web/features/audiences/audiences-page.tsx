import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AudienceItem } from '#contract/audiences'
import { DataTable } from '@/components/data-table/data-table'
import { readHidden, writeHidden, type TableView } from '@/components/data-table/table-view'
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
  const rows = audiences.data?.data
  const isOfSeveral = new Set(rows?.map(({ space_id: space }) => space)).size > 1
  const columns = useAudienceColumns(setDeleting).filter(({ id }) => isOfSeveral || id !== 'account')
  const total = audiences.data?.total_size
  const mayCreate = useCan()('audience.write')
  const change = (patch: Partial<AudiencesSearch>, history: 'push' | 'replace' = 'push') =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: history === 'replace', resetScroll: false })
  const onView = ({ hidden, page, rows: size }: Partial<TableView>) =>
    change({
      ...(page === undefined ? {} : { page }),
      ...(size === undefined ? {} : { rows: size }),
      ...(hidden === undefined ? {} : { hide: writeHidden(hidden) }),
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
        rows={rows}
        total={total ?? 0}
        view={{ page: search.page, rows: search.rows, hidden: readHidden(search.hide) }}
        onView={onView}
        rowChoices={AUDIENCE_ROWS}
        busy={audiences.isPlaceholderData}
        onOpen={({ id }) => void navigate({ to: '/audience/details/$id', params: { id } })}
        failed={{ title: t('error'), error: audiences.error, onRetry: () => void audiences.refetch() }}
        noMatch={
          isFiltered(search)
            ? { title: t('noMatch'), text: t('noMatchText'), clear: t('clear'), onClear: () => void navigate({ search: {} }) }
            : null
        }
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
