import { Check, CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ReadIdentifier } from '#domain/audience/identifiers'
import { cn } from '@/lib/utils'
import type { ChosenFile } from './file-sample.ts'

const SHOWN_ROWS = 6

type SampleTableProps = { readonly chosen: ChosenFile }

/** The first rows of a file, with what each identifier will be taken for. */
export function SampleTable({ chosen }: SampleTableProps) {
  const { sample, column, kind, anyForm } = chosen
  const { t } = useTranslation('audiences')
  return (
    // A scrollable block must be reachable by keyboard.
    <section aria-label={t('form.preview')} {...{ tabIndex: 0 }} className="border-border overflow-x-auto rounded-lg border">
      <table className="w-full border-collapse text-[0.8125rem]/4.5">
        <caption className="sr-only">{t('form.preview')}</caption>
        <thead className="text-muted-foreground border-border border-b text-left text-xs">
          <tr>
            {sample.columns.map((name, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns have no other identity
              <th
                key={at}
                scope="col"
                className={cn('h-9 px-3 font-medium whitespace-nowrap', at === column && 'text-foreground')}
              >
                {name === '' ? t('form.columnNumber', { number: at + 1 }) : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.rows.slice(0, SHOWN_ROWS).map((row, n) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity
            <tr key={n} className="border-border border-b last:border-0">
              {sample.columns.map((_, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- columns have no other identity
                <td
                  key={at}
                  className={cn(
                    'h-9 px-3 whitespace-nowrap',
                    at === column ? 'bg-muted' : 'text-muted-foreground max-w-72 truncate',
                  )}
                >
                  {at === column ? (
                    <Cell text={row[at] ?? ''} read={sample.read(row[at] ?? '', at, kind, anyForm)} />
                  ) : (
                    (row[at] ?? '')
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cell({ text, read }: { readonly text: string; readonly read: ReadIdentifier }) {
  const { t } = useTranslation('audiences')
  const isRejected = read.kind === 'rejected'
  const says = isRejected
    ? t('form.cell.bad', { reason: t(`reasons.${read.reason}`) })
    : read.changes.length === 0
      ? t('form.cell.ok')
      : t('form.cell.changed', { value: read.value })
  return (
    <span className="flex items-center gap-2" title={says}>
      {isRejected ? (
        <CircleAlert aria-hidden className="text-destructive size-3.5 shrink-0" />
      ) : (
        <Check aria-hidden className="text-success size-3.5 shrink-0" />
      )}
      <span className="font-mono text-xs">{text === '' ? '–' : text}</span>
      <span
        className={cn(
          'shrink-0 text-xs',
          isRejected ? 'text-destructive' : read.changes.length === 0 ? 'sr-only' : 'text-muted-foreground',
        )}
      >
        {says}
      </span>
    </span>
  )
}
