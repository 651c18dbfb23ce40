import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogEntry, RevisionLine } from '#contract/audit'
import { DataTable } from '@/components/data-table/data-table'
import { useListPage } from '@/components/data-table/use-list-page'
import { LogImage } from '@/components/empty-images'
import { EmptyState } from '@/components/ui/empty-state'
import { campaignQueries } from '@/data/campaign-queries'
import { errorToast } from '@/i18n/error-toast'
import { useFormBase } from '../form/campaign-form-context.ts'
import { useChangeLogTable } from './change-log-columns.tsx'
import { LogFilters } from './log-filters.tsx'
import {
  askedOf,
  isFilteredLog,
  LOG_DEFAULTS,
  LOG_ROWS,
  logPatchOf,
  NO_FILTERS,
  type LogSearch,
  type OnLogSearch,
} from './log-search.ts'
import '@/i18n/texts/log'
import '@/i18n/texts/owner'

const LogDialog = lazy(async () => ({ default: (await import('./log-dialog.tsx')).LogDialog }))
const CompareDialog = lazy(async () => ({ default: (await import('./compare-dialog.tsx')).CompareDialog }))

type ChangeLogTabProps = { readonly id: string; readonly search: LogSearch; readonly onSearch: OnLogSearch }

export default function ChangeLogTab({ id, search, onSearch }: ChangeLogTabProps) {
  const { t } = useTranslation('log')
  const queryClient = useQueryClient()
  const { readOnly } = useFormBase()
  const asked = askedOf(search)
  const { page, rows } = asked
  const query = useQuery(campaignQueries.log(id, asked))
  const index = useQuery(campaignQueries.logIndex(id)).data
  const firstFilter = useRef<HTMLSelectElement>(null)
  const clear = () => {
    onSearch(NO_FILTERS)
    // The pressed button disappears with the filters.
    firstFilter.current?.focus()
  }
  const list = useListPage({
    query,
    search: { page, rows },
    onSearch: (patch, history) => onSearch(logPatchOf(patch), history),
    rowChoices: LOG_ROWS,
    failed: t('error'),
    filters: {
      active: isFilteredLog(search),
      title: t('emptyFiltered'),
      text: t('emptyFilteredText'),
      clear: t('filters.clear'),
      onClear: clear,
    },
  })
  const { rows: entries, total } = list
  const { log_from: from, log_to: to } = search
  const open = useOpenEntry(id, search.log_open, entries, index)
  const setOpen = (entry: LogEntry | null) => onSearch({ log_open: entry?.revision }, 'replace')
  const [opened, setOpened] = useState(false)
  if (open !== null && !opened) setOpened(true)
  const table = useChangeLogTable(entries, asked.field, setOpen)

  /** Moves to the adjacent entry, on another page if needed. */
  const step = (ahead: 1 | -1) => {
    const towards = (found: readonly LogEntry[]) =>
      ahead === 1
        ? found.find(({ revision }) => revision < (open?.revision ?? 0))
        : found.findLast(({ revision }) => revision > (open?.revision ?? 0))
    const beside = towards(entries ?? [])
    if (beside !== undefined) return () => setOpen(beside)
    const next = page + ahead
    if (next < 0 || next * rows >= total) return null
    return () => {
      queryClient
        .fetchQuery(campaignQueries.log(id, { ...asked, page: next }))
        .then(
          (answer) => onSearch({ ...logPatchOf({ page: next }), log_open: (towards(answer.data) ?? open)?.revision }),
          errorToast,
        )
    }
  }

  return (
    <div className="flex flex-col gap-3">
      <LogFilters
        ref={firstFilter}
        search={search}
        onSearch={onSearch}
        index={index}
        found={query.data?.total_size}
        onClear={clear}
      />
      <DataTable
        caption={t('table')}
        columns={table.columns}
        rowId={({ entry }) => String(entry.revision)}
        {...list}
        rows={table.rows}
        onOpen={({ entry }) => setOpen(entry)}
        nothing={<EmptyState image={<LogImage />} title={t('empty')} />}
        testId="log-row"
        narrow="fit"
      />
      {opened && (
        <Suspense>
          <LogDialog
            campaign={id}
            entry={open}
            takeBack={{ undo: !readOnly && open?.revision !== 1, restore: !readOnly && open?.revision !== index?.[0]?.revision }}
            onNewer={step(-1)}
            onOlder={step(1)}
            rowAfter={(entries?.find(({ revision }) => revision === open?.revision) ?? entries?.[0])?.revision}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
      {from !== undefined && to !== undefined && index !== undefined && (
        <Suspense>
          <CompareDialog
            campaign={id}
            from={from}
            to={to}
            index={index}
            onChange={(pair) => onSearch({ log_from: pair.from, log_to: pair.to })}
            onClose={() => onSearch({ log_from: undefined, log_to: undefined })}
          />
        </Suspense>
      )}
    </div>
  )
}

/** The entry of a revision that the address names, which need not be on the page that is shown. */
function useOpenEntry(
  id: string,
  revision: number | undefined,
  entries: readonly LogEntry[] | undefined,
  index: readonly RevisionLine[] | undefined,
): LogEntry | null {
  const shown = entries?.find((entry) => entry.revision === revision)
  const place = index?.findIndex((line) => line.revision === revision) ?? -1
  const { rows } = LOG_DEFAULTS
  const { data: elsewhere } = useQuery({
    ...campaignQueries.log(id, { ...askedOf({}), page: Math.floor(place / rows) }),
    enabled: revision !== undefined && entries !== undefined && shown === undefined && place !== -1,
  })
  return shown ?? elsewhere?.data.find((entry) => entry.revision === revision) ?? null
}
