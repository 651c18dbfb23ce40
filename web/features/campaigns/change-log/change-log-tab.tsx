import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogEntry } from '../../../../api/contract/audit.ts'
import { Pagination } from '@/components/data-table/pagination'
import { LogImage, SearchImage } from '@/components/empty-images'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { campaignQueries } from '@/data/campaign-queries'
import { useFormBase } from '../form/campaign-form-context.ts'
import { ChangeLogTable } from './change-log-table.tsx'
import { LogFilters } from './log-filters.tsx'
import { logPaging } from './log-paging.ts'
import { askedOf, isFilteredLog, LOG_DEFAULTS, LOG_ROWS, NO_FILTERS, type LogSearch, type OnLogSearch } from './log-search.ts'
import '@/i18n/texts/log'
import '@/i18n/texts/owner'

const LogDialog = lazy(async () => ({ default: (await import('./log-dialog.tsx')).LogDialog }))
const CompareDialog = lazy(async () => ({ default: (await import('./compare-dialog.tsx')).CompareDialog }))

type ChangeLogTabProps = { readonly id: string; readonly search: LogSearch; readonly onSearch: OnLogSearch }

export default function ChangeLogTab({ id, search, onSearch }: ChangeLogTabProps) {
  const { t } = useTranslation('log')
  const queryClient = useQueryClient()
  const { readOnly } = useFormBase()
  const [open, setOpen] = useState<LogEntry | null>(null)
  const [opened, setOpened] = useState(false)
  if (open !== null && !opened) setOpened(true)
  const asked = askedOf(search)
  const { page, rows } = asked
  const { data, error, isFetching, refetch } = useQuery(campaignQueries.log(id, asked))
  const index = useQuery(campaignQueries.logIndex(id)).data
  const entries = data?.data
  const total = data?.total_size ?? 0
  const { log_from: from, log_to: to } = search

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
      void queryClient.fetchQuery(campaignQueries.log(id, { ...asked, page: next })).then((answer) => {
        onSearch({ log_page: next === 0 ? undefined : next })
        setOpen(towards(answer.data) ?? open)
      })
    }
  }

  const firstFilter = useRef<HTMLSelectElement>(null)
  const clear = () => {
    onSearch(NO_FILTERS)
    // The pressed button disappears with the filters.
    firstFilter.current?.focus()
  }
  return (
    <div className="flex flex-col gap-3">
      <LogFilters ref={firstFilter} search={search} onSearch={onSearch} index={index} found={data?.total_size} onClear={clear} />
      <section className="border-border bg-card rounded-lg overflow-clip border">
        {error !== null && data === undefined ? (
          <LoadError title={t('error')} error={error} onRetry={() => void refetch()} />
        ) : entries !== undefined && entries.length === 0 ? (
          isFilteredLog(search) || page > 0 ? (
            <EmptyState image={<SearchImage />} title={t('emptyFiltered')} text={t('emptyFilteredText')}>
              <Button variant="outline" onClick={clear}>
                {t('filters.clear')}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState image={<LogImage />} title={t('empty')} />
          )
        ) : (
          <>
            <ChangeLogTable entries={entries} field={asked.field} pageSize={rows} onOpen={setOpen} />
            <div className="border-border border-t">
              <Pagination
                page={page}
                rows={rows}
                total={total}
                rowChoices={LOG_ROWS}
                {...logPaging({ page, rows, total, loading: isFetching })}
                onPage={(next) => onSearch({ log_page: next === 0 ? undefined : next })}
                onRows={(next) => onSearch({ log_rows: next === LOG_DEFAULTS.rows ? undefined : next, log_page: undefined })}
              />
            </div>
          </>
        )}
      </section>
      {opened && (
        <Suspense>
          <LogDialog
            campaign={id}
            entry={open}
            takeBack={{ undo: !readOnly && open?.revision !== 1, restore: !readOnly && open?.revision !== index?.[0]?.revision }}
            onNewer={step(-1)}
            onOlder={step(1)}
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
