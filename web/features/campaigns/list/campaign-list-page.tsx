import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Pagination } from '@/components/data-table/pagination'
import { BoardImage, SearchImage } from '@/components/empty-images'
import { Later } from '@/components/later'
import { LoadError } from '@/components/load-error'
import { PageHeader } from '@/components/page-header'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { useMayWrite, useWhitelabel } from '@/session/session-queries'
import { useKeptRow } from '@/lib/use-kept-row'
import { useToday } from '@/lib/today'
import { campaignQueries, type ListScope } from '../campaign-queries.ts'
import { isFiltered, LIST_DEFAULTS, ROWS_PER_PAGE, type ListSearch } from './campaign-list-search.ts'
import { BulkBar } from './bulk-bar.tsx'
import { CampaignListToolbar } from './campaign-list-toolbar.tsx'
import { CampaignTable } from './campaign-table.tsx'
import { ExportButton } from './export-button.tsx'
import { useBulk } from './use-bulk.ts'

const loadGoalPicker = () => import('./goal-picker-dialog.tsx')
const GoalPickerDialog = lazy(async () => ({ default: (await loadGoalPicker()).GoalPickerDialog }))

type CampaignListPageProps = {
  readonly scope: ListScope
  readonly search: ListSearch
  readonly onSearch: (patch: Partial<ListSearch>, history?: 'push' | 'replace') => void
}

export function CampaignListPage({ scope, search, onSearch }: CampaignListPageProps) {
  const { t } = useTranslation('campaigns')
  const canWrite = useMayWrite()
  const own = scope === 'account'
  const { audio } = useWhitelabel()
  const [picking, setPicking] = useState(false)
  const { data, error, refetch, isPlaceholderData } = useQuery(campaignQueries.list(scope, search, useToday()))
  const bulk = useBulk(data?.data ?? [])
  const kept = useKeptRow<HTMLDivElement>()
  const total = data?.total_size ?? 0
  const lastPage = Math.max(0, Math.ceil(total / search.rows) - 1)
  // An old link, or the last row of a page that is gone: the last page there is takes its place.
  const beyond = data !== undefined && !isPlaceholderData && search.page > lastPage
  useEffect(() => {
    if (beyond) onSearch({ page: lastPage }, 'replace')
  })

  const add = canWrite && own && (
    <Button onPointerEnter={() => void loadGoalPicker()} onFocus={() => void loadGoalPicker()} onClick={() => setPicking(true)}>
      <Plus aria-hidden />
      {t('add')}
    </Button>
  )
  // The rows after what stands above them: both at once are a task in which a slow processor answers nobody.
  return (
    <div {...kept} className="page-padding flex flex-col gap-4">
      <PageHeader title={t(own ? 'title' : 'titleAll')} count={data === undefined ? undefined : t('found', { count: total })}>
        {total > 0 && <ExportButton scope={scope} search={search} />}
        {add}
      </PageHeader>
      <CampaignListToolbar search={search} onSearch={onSearch} />
      <Later before={<div className="border-border bg-card rounded-lg h-96 border" />}>
        <section className="border-border bg-card rounded-lg @container overflow-clip border">
          {error !== null && data === undefined ? (
            <LoadError title={t('empty.error')} error={error} onRetry={() => void refetch()} />
          ) : data !== undefined && data.data.length === 0 && !beyond ? (
            isFiltered(search) ? (
              <EmptyState image={<SearchImage />} title={t('empty.noMatch')} text={t('empty.noMatchText')}>
                <Button
                  variant="outline"
                  onClick={() => onSearch({ q: LIST_DEFAULTS.q, status: LIST_DEFAULTS.status, page: LIST_DEFAULTS.page })}
                >
                  {t('empty.clear')}
                </Button>
              </EmptyState>
            ) : (
              <EmptyState image={<BoardImage />} title={t('empty.title')} {...(add === false ? {} : { text: t('empty.text') })}>
                {add}
              </EmptyState>
            )
          ) : (
            <>
              <CampaignTable
                rows={beyond ? undefined : data?.data}
                search={search}
                canWrite={canWrite}
                scope={scope}
                onSearch={onSearch}
                bulk={canWrite ? bulk : null}
              />
              <div className="border-border border-t">
                <Pagination
                  page={search.page}
                  rows={search.rows}
                  total={total}
                  rowChoices={ROWS_PER_PAGE}
                  backDisabled={search.page === 0}
                  nextDisabled={search.page >= lastPage}
                  onPage={(page) => onSearch({ page })}
                  onRows={(rows) => onSearch({ rows, page: 0 })}
                />
              </div>
            </>
          )}
        </section>
      </Later>
      {canWrite && <BulkBar bulk={bulk} />}
      {picking && (
        <Suspense>
          <GoalPickerDialog open audio={audio} onOpenChange={setPicking} />
        </Suspense>
      )}
    </div>
  )
}
