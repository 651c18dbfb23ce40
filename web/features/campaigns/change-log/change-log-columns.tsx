import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogEntry } from '#contract/audit'
import type { DataColumn } from '@/components/data-table/table-view'
import { formatMinute } from '@/i18n/format'
import { fieldChanges, type Change } from './field-changes.ts'
import { entryButtonId } from './log-dialog.tsx'
import { authorName, sourceName } from './log-labels.ts'
import { plainPath } from './log-lookup.ts'
import { ShortChanges } from './short-changes.tsx'
import { useNames } from './use-names.ts'

export type LogRow = { readonly entry: LogEntry; readonly changes: readonly Change[] }

/** Returns the rows and columns of the change log. Changes of the filtered field come first. */
export function useChangeLogTable(
  entries: readonly LogEntry[] | undefined,
  field: string | undefined,
  onOpen: (entry: LogEntry) => void,
): { readonly rows: readonly LogRow[] | undefined; readonly columns: readonly DataColumn<LogRow>[] } {
  const { t } = useTranslation('log')
  const rows = useMemo(
    () =>
      entries?.map((entry) => {
        const changes = fieldChanges(entry.state_difference)
        return { entry, changes: field === undefined ? changes : changes.toSorted((a, b) => isOf(field, b) - isOf(field, a)) }
      }),
    [entries, field],
  )
  const names = useNames(rows?.flatMap(({ changes }) => changes) ?? [])
  const columns: readonly DataColumn<LogRow>[] = [
    {
      id: 'date',
      header: t('columns.date'),
      width: 'w-42',
      // Keyboard access; a click anywhere on the row does the same.
      cell: ({ entry }) => (
        <>
          <button
            type="button"
            id={entryButtonId(entry.revision)}
            data-focus="date"
            onClick={() => onOpen(entry)}
            className="min-h-6 rounded-[3px] whitespace-nowrap tabular-nums hover:underline"
          >
            {formatMinute(entry.commit_date)}
          </button>
          <div className="text-muted-foreground text-xs">{t('compare.revision', { revision: entry.revision })}</div>
        </>
      ),
    },
    {
      id: 'state',
      header: t('columns.state'),
      cell: ({ entry, changes }) =>
        entry.previous_state === null || entry.revision === 1 ? t('created') : <ShortChanges changes={changes} names={names} />,
    },
    {
      id: 'user',
      header: t('columns.user'),
      width: 'w-32',
      className: 'wrap-anywhere',
      cell: ({ entry }) => authorName(entry),
    },
    {
      id: 'source',
      header: t('columns.source'),
      width: 'w-24',
      className: 'text-muted-foreground truncate',
      cell: ({ entry }) => sourceName(entry.source),
    },
  ]
  return { rows, columns }
}

const isOf = (field: string, change: Change) => Number(`${plainPath(change.path)}.`.startsWith(`${field}.`))
