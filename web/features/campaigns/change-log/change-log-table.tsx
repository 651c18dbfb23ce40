import { useTranslation } from 'react-i18next'
import type { LogEntry } from '../../../../api/contract/audit.ts'
import { Skeleton } from '@/components/ui/skeleton'
import { formatMinute } from '@/i18n/format'
import { fieldChanges, type Change } from './field-changes.ts'
import { rowId } from './log-dialog.tsx'
import { authorName, sourceName } from './log-labels.ts'
import { plainPath } from './log-lookup.ts'
import { ShortChanges } from './short-changes.tsx'
import { useNames } from './use-names.ts'

type ChangeLogTableProps = {
  readonly entries: readonly LogEntry[] | undefined
  /** The filtered field, shown first. */
  readonly field?: string | undefined
  readonly pageSize: number
  readonly onOpen: (entry: LogEntry) => void
}

const COLUMNS = [1, 2, 3, 4]

const isOf = (field: string, change: Change) => Number(`${plainPath(change.path)}.`.startsWith(`${field}.`))

export function ChangeLogTable({ entries, field, pageSize, onOpen }: ChangeLogTableProps) {
  const { t } = useTranslation('log')
  const rows = entries?.map((entry) => {
    const changes = fieldChanges(entry.state_difference)
    return { entry, changes: field === undefined ? changes : changes.toSorted((a, b) => isOf(field, b) - isOf(field, a)) }
  })
  const names = useNames(rows?.flatMap(({ changes }) => changes) ?? [])
  return (
    <table
      aria-label={t('table')}
      aria-busy={entries === undefined}
      className="text-[0.8125rem]/4.5 w-full table-fixed border-collapse"
    >
      <thead className="text-muted-foreground text-xs border-border border-b text-left [&_th]:h-10 [&_th]:px-2 [&_th]:font-medium [&_th:first-child]:pl-5">
        <tr>
          <th scope="col" className="w-42">
            {t('columns.date')}
          </th>
          <th scope="col">{t('columns.state')}</th>
          <th scope="col" className="w-32">
            {t('columns.user')}
          </th>
          <th scope="col" className="w-24">
            {t('columns.source')}
          </th>
        </tr>
      </thead>
      <tbody className="[&_td]:h-11 [&_td]:px-2 [&_td]:py-1.5 [&_td:first-child]:pl-5">
        {rows === undefined
          ? Array.from({ length: pageSize }, (_, row) => (
              <tr key={row} data-testid="log-skeleton" className="border-border border-b last:border-0">
                {COLUMNS.map((cell) => (
                  <td key={cell}>
                    <Skeleton className="w-2/3" />
                  </td>
                ))}
              </tr>
            ))
          : rows.map(({ entry, changes }) => (
              <tr
                key={entry.revision}
                data-testid={`log-row-${entry.revision}`}
                onClick={() => onOpen(entry)}
                className="border-border hover:bg-muted cursor-pointer border-b transition-colors last:border-0"
              >
                <td>
                  {/* Keyboard access; a click anywhere on the row does the same. */}
                  <button
                    type="button"
                    id={rowId(entry.revision)}
                    onClick={(event) => {
                      event.stopPropagation()
                      onOpen(entry)
                    }}
                    className="min-h-6 rounded-[3px] whitespace-nowrap tabular-nums hover:underline"
                  >
                    {formatMinute(entry.commit_date)}
                  </button>
                </td>
                <td>
                  {entry.previous_state === null || entry.revision === 1 ? (
                    t('created')
                  ) : (
                    <ShortChanges changes={changes} names={names} />
                  )}
                </td>
                <td className="wrap-anywhere">{authorName(entry)}</td>
                <td className="text-muted-foreground truncate">{sourceName(entry.source)}</td>
              </tr>
            ))}
      </tbody>
    </table>
  )
}
