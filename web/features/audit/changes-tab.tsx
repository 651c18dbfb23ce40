import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FeedEntry } from '#contract/audit-feed'
import { DataTable } from '@/components/data-table/data-table'
import { LogImage } from '@/components/empty-images'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { useNames } from '@/features/campaigns/change-log/use-names'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import { auditQueries } from './audit-queries.ts'
import { filtersOf, isFiltered, NO_FILTERS, type AuditFilters } from './audit-search.ts'
import { useEntryColumns } from './entry-columns.tsx'
import { campaignChanges, entryChanges } from './entry-texts.ts'
import { QuestionBar } from './question-bar.tsx'

const EntryDialog = lazy(async () => ({ default: (await import('./entry-dialog.tsx')).EntryDialog }))

type ChangesTabProps = {
  readonly search: AuditFilters
  readonly onSearch: (patch: AuditFilters, history?: 'push' | 'replace') => void
}

/** Entries of the log, newest first, by question and filter. A campaign's entry leads to its timeline at that moment. */
export function ChangesTab({ search, onSearch }: ChangesTabProps) {
  const { t } = useTranslation('audit')
  const navigate = useNavigate()
  const [open, setOpen] = useState<FeedEntry | null>(null)
  const [opened, setOpened] = useState(false)
  if (open !== null && !opened) setOpened(true)
  const filters = filtersOf(search)
  const feed = useInfiniteQuery(auditQueries.feed(filters))
  const entries = useMemo(() => feed.data?.pages.flatMap((page) => page.entries), [feed.data])
  const changed = useMemo(
    () => entries?.flatMap((entry) => (entry.kind === 'campaign' ? campaignChanges(entry.changes) : [])) ?? [],
    [entries],
  )
  const names = useNames(changed)
  const rows = useMemo(
    () => entries?.map((entry) => ({ entry, changes: entryChanges(entry, names) })),
    // The names are a new object with every render, and equal ones while nothing loads.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [entries, names.currency, names.country('')],
  )
  const columns = useEntryColumns(setOpen)
  const show = (entry: FeedEntry) => {
    if (entry.kind !== 'campaign') setOpen(entry)
    else
      void navigate({
        to: '/campaign/timeline/$id',
        params: { id: entry.subject_id },
        search: { revision: entry.revision },
      })
  }
  const patch = (next: AuditFilters) => onSearch(next)
  const searched = feed.hasNextPage && entries?.length === 0
  return (
    <div className="flex flex-col gap-3">
      <QuestionBar filters={filters} onAsk={(asked) => onSearch({ ...NO_FILTERS, ...asked })} />
      <AuditFilterBar search={search} entries={entries} onSearch={patch} />
      <DataTable
        caption={t('table')}
        columns={columns}
        rowId={({ entry }) => entry.position}
        rows={rows}
        failed={{ title: t('error'), error: feed.error, onRetry: () => void feed.refetch() }}
        onOpen={({ entry }) => show(entry)}
        nothing={<EmptyState image={<LogImage />} title={t('empty')} />}
        noMatch={
          isFiltered(filters) && !searched
            ? { title: t('noMatch'), text: t('noMatchText'), clear: t('filters.clear'), onClear: () => onSearch(NO_FILTERS) }
            : null
        }
        testId="audit-row"
      />
      {feed.hasNextPage && (
        <Button
          variant="outline"
          className="self-center"
          disabled={feed.isFetchingNextPage}
          onClick={() => void feed.fetchNextPage()}
        >
          {t(feed.isFetchingNextPage ? 'loading' : searched ? 'searchFurther' : 'older')}
        </Button>
      )}
      {opened && (
        <Suspense>
          <EntryDialog
            entry={open}
            onSubject={({ subject_id }) => {
              setOpen(null)
              onSearch({ ...NO_FILTERS, subject: subject_id })
            }}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
    </div>
  )
}
