import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InvoiceDetails, InvoiceLineOut } from '../../../../api/contract/invoices.ts'
import { LoadError } from '@/components/load-error'
import { Pagination } from '@/components/data-table/pagination'
import { Skeleton } from '@/components/ui/skeleton'
import { formatExactMoney, formatMinute, formatPlainDay } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { invoiceQueries } from './invoice-queries.ts'

const ROWS = 25

/** The lines of an invoice. Each opens to its days and the settlements of the ledger behind them. */
export function InvoiceLines({ invoice }: { readonly invoice: InvoiceDetails }) {
  const { t } = useTranslation('invoices')
  const { lines, currency, exact_total: exact, rounding, total } = invoice
  const [page, setPage] = useState(0)
  const [open, setOpen] = useState<string | null>(null)
  if (lines.length === 0)
    return (
      <p className="border-border bg-card text-muted-foreground rounded-lg border px-4 py-8 text-center">
        {t(invoice.kind === 'invoice' ? 'lines.none' : 'lines.creditNote')}
      </p>
    )
  const keyOf = (line: InvoiceLineOut) => `${line.campaign_id} ${String(line.late)}`
  const money = (value: number) => formatExactMoney(value, currency)
  return (
    <section aria-label={t('tabs.lines')} className="border-border bg-card overflow-hidden rounded-lg border">
      <ul className="divide-border divide-y">
        {lines.slice(page * ROWS, (page + 1) * ROWS).map((line) => {
          const key = keyOf(line)
          const shown = open === key
          return (
            <li key={key}>
              <button
                type="button"
                aria-expanded={shown}
                onClick={() => setOpen(shown ? null : key)}
                className="hover:bg-muted flex w-full items-center gap-2 px-4 py-2.5 text-left"
              >
                <ChevronRight aria-hidden className={cn('size-4 shrink-0 transition-transform', shown && 'rotate-90')} />
                <span className="flex min-w-0 grow flex-col">
                  <span className="font-medium wrap-anywhere">{line.name}</span>
                  {line.late && <span className="text-muted-foreground text-xs">{t('lines.late')}</span>}
                </span>
                <span className="whitespace-nowrap tabular-nums">{money(line.amount)}</span>
              </button>
              {shown && <Days id={invoice.id} line={line} currency={currency} />}
            </li>
          )
        })}
      </ul>
      <dl className="border-border flex flex-col gap-1 border-t px-4 py-3">
        {rounding !== 0 && (
          <>
            <Sum name={t('lines.exact')} value={money(exact)} />
            <Sum name={t('lines.rounding')} value={money(rounding)} />
          </>
        )}
        <Sum name={t('columns.total')} value={money(total)} bold />
      </dl>
      {lines.length > ROWS && (
        <Pagination
          page={page}
          rows={ROWS}
          total={lines.length}
          rowChoices={[ROWS]}
          backDisabled={page === 0}
          nextDisabled={(page + 1) * ROWS >= lines.length}
          onPage={setPage}
          onRows={() => undefined}
        />
      )}
    </section>
  )
}

const Sum = ({ name, value, bold = false }: { readonly name: string; readonly value: string; readonly bold?: boolean }) => (
  <div className={cn('flex justify-between gap-4', bold ? 'font-semibold' : 'text-muted-foreground')}>
    <dt>{name}</dt>
    <dd className="tabular-nums">{value}</dd>
  </div>
)

type DaysProps = { readonly id: string; readonly line: InvoiceLineOut; readonly currency: string }

function Days({ id, line, currency }: DaysProps) {
  const { t } = useTranslation('invoices')
  const { data, error, refetch } = useQuery(invoiceQueries.line(id, line.campaign_id, line.late))
  if (error !== null && data === undefined)
    return <LoadError title={t('lines.error')} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton className="mx-4 mb-3 h-10" />
  return (
    <ul aria-label={t('lines.days', { name: line.name })} className="bg-muted/40 flex flex-col px-4 py-2 pl-10">
      {data.days.map(({ day, amount, settlements }) => (
        <li key={day} className="flex flex-wrap items-baseline gap-x-3 py-1 text-[0.8125rem]/5">
          <span className="w-32 tabular-nums">{formatPlainDay(day)}</span>
          <span className="text-muted-foreground flex min-w-0 grow flex-wrap gap-x-3">
            {settlements.map(({ number, at, amount: part }) => (
              <span key={number} title={at === null ? undefined : formatMinute(at)}>
                {t('lines.settlement', { number, amount: formatExactMoney(part, currency) })}
              </span>
            ))}
          </span>
          <span className="tabular-nums">{formatExactMoney(amount, currency)}</span>
        </li>
      ))}
    </ul>
  )
}
