import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InvoiceDetails, InvoiceLineOut } from '#contract/invoices'
import { LoadError } from '@/components/load-error'
import { Pagination } from '@/components/data-table/pagination'
import { Skeleton } from '@/components/ui/skeleton'
import { formatCount, formatExact, formatExactMoney, formatFixedMoney, formatMinute, formatPlainDay } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { formatDocumentMoney } from './document-money.ts'
import { invoiceQueries } from './invoice-queries.ts'

const ROWS = 25

/** The lines of an invoice. Each opens to its days and the settlements of the ledger behind them. */
export function InvoiceLines({ invoice }: { readonly invoice: InvoiceDetails }) {
  const { t } = useTranslation('invoices')
  const { lines, currency, subtotal, tax, total } = invoice
  const [page, setPage] = useState(0)
  const [open, setOpen] = useState<string | null>(null)
  if (lines.length === 0)
    return (
      <p className="border-border bg-card text-muted-foreground rounded-lg border px-4 py-8 text-center">
        {t(invoice.kind === 'invoice' ? 'lines.none' : 'lines.creditNote')}
      </p>
    )
  const keyOf = (line: InvoiceLineOut) => `${line.campaign_id} ${String(line.late)}`
  const money = (value: number) => formatDocumentMoney(value, currency)
  return (
    <section aria-label={t('tabs.lines')} className="border-border bg-card overflow-hidden rounded-lg border">
      <div aria-hidden className={cn(COLUMNS, 'border-border text-muted-foreground border-b px-4 py-2 text-xs max-sm:hidden')}>
        <span />
        <span>{t('lines.campaign')}</span>
        <span className="text-right">{t('lines.impressions')}</span>
        <span className="text-right">{t('lines.cpm')}</span>
        <span className="text-right">{t('payments.amount')}</span>
      </div>
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
                className={cn(COLUMNS, 'hover:bg-muted w-full items-center px-4 py-2.5 text-left')}
              >
                <ChevronRight aria-hidden className={cn('size-4 shrink-0 transition-transform', shown && 'rotate-90')} />
                <span className="flex min-w-0 flex-col">
                  <span className="font-medium wrap-anywhere">{line.name}</span>
                  {line.late && <span className="text-muted-foreground text-xs">{t('lines.late')}</span>}
                </span>
                <Figure name={t('lines.impressions')}>{line.impressions === null ? '–' : formatCount(line.impressions)}</Figure>
                <Figure name={t('lines.cpm')}>{line.cpm === null ? '–' : formatPrice(line.cpm, currency)}</Figure>
                <span className="text-right whitespace-nowrap tabular-nums">{money(line.printed)}</span>
              </button>
              {shown && <Days id={invoice.id} line={line} currency={currency} />}
            </li>
          )
        })}
      </ul>
      <dl className="border-border flex flex-col gap-1 border-t px-4 py-3">
        {tax !== null && !tax.included && (
          <>
            <Sum name={t('lines.subtotal')} value={money(subtotal)} />
            <Sum name={t('lines.tax', { percent: formatExact(tax.percent) })} value={money(tax.amount)} />
          </>
        )}
        <Sum name={t('totalIn', { currency })} value={money(total)} bold />
        {tax?.included === true && (
          <Sum name={t('lines.taxIncluded', { percent: formatExact(tax.percent) })} value={money(tax.amount)} />
        )}
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

/** The mark, the campaign, impressions, their price and the amount; narrow screens show the amount alone. */
const COLUMNS = 'grid gap-3 max-sm:grid-cols-[1rem_minmax(0,1fr)_auto] sm:grid-cols-[1rem_minmax(0,1fr)_7rem_7rem_9rem]'

/** Prices of a thousand impressions are often less than a minor unit. */
const formatPrice = (value: number, currency: string): string => formatFixedMoney(value, currency, 4)

const Figure = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <span className="text-right whitespace-nowrap tabular-nums max-sm:hidden">
    <span className="sr-only">{name} </span>
    {children}
  </span>
)

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
