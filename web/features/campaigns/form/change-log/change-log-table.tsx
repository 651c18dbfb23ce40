import { useTranslation } from 'react-i18next'
import type { LogEntry } from '../../../../../api/contract/audit.ts'
import { Skeleton } from '../../../../components/ui/skeleton.tsx'
import { formatMinute } from '../../../../i18n/format.ts'
import { pathLabel } from './log-labels.ts'

type ChangeLogTableProps = {
  readonly entries: readonly LogEntry[] | undefined
  readonly pageSize: number
  readonly onOpen: (entry: LogEntry) => void
}

const SHOWN = 3

export function ChangeLogTable({ entries, pageSize, onOpen }: ChangeLogTableProps) {
  const { t } = useTranslation('log')
  return (
    <table aria-label={t('table')} aria-busy={entries === undefined} className="text-table w-full table-fixed border-collapse">
      <thead className="text-ink-soft text-meta border-hairline border-b text-left [&_th]:h-10 [&_th]:px-2 [&_th]:font-medium [&_th:first-child]:pl-5">
        <tr>
          <th scope="col" className="w-48">
            {t('columns.date')}
          </th>
          <th scope="col">{t('columns.state')}</th>
          <th scope="col" className="w-44">
            {t('columns.user')}
          </th>
        </tr>
      </thead>
      <tbody className="[&_td]:h-11 [&_td]:px-2 [&_td:first-child]:pl-5">
        {entries === undefined
          ? Array.from({ length: pageSize }, (_, row) => (
              <tr key={row} className="border-hairline border-b last:border-0">
                {[1, 2, 3].map((cell) => (
                  <td key={cell}>
                    <Skeleton className="w-2/3" />
                  </td>
                ))}
              </tr>
            ))
          : entries.map((entry) => (
              <tr
                key={entry.revision}
                data-testid={`log-row-${entry.revision}`}
                onClick={() => onOpen(entry)}
                className="border-hairline hover:bg-sunken cursor-pointer border-b transition-colors last:border-0"
              >
                <td>
                  {/* The keyboard's way in; a click anywhere on the row does the same. */}
                  <button
                    type="button"
                    onClick={(event) => {
                      event.stopPropagation()
                      onOpen(entry)
                    }}
                    className="min-h-6 rounded-[3px] whitespace-nowrap tabular-nums hover:underline"
                  >
                    {formatMinute(entry.commit_date)}
                  </button>
                </td>
                <td className="truncate">
                  <Difference entry={entry} />
                </td>
                <td className="text-ink-soft truncate">{entry.author}</td>
              </tr>
            ))}
      </tbody>
    </table>
  )
}

function Difference({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation('log')
  if (entry.previous_state === null || entry.revision === 1) return t('created')
  const labels = [...new Set(entry.state_difference.map(({ path }) => pathLabel(path)))]
  const more = labels.length - SHOWN
  return (
    <>
      {labels.slice(0, SHOWN).join(', ')}
      {more > 0 && <span className="text-ink-soft">{`, ${t('more', { count: more })}`}</span>}
    </>
  )
}
