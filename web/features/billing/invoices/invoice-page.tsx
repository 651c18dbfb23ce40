import { INVOICE_STATUS } from '#domain/invoice/invoice-status'
import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InvoiceDetails } from '#contract/invoices'
import { CsvButton } from '@/components/data-table/csv-button'
import { NotFound } from '@/components/page/not-found'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { AppError, isMissing } from '@/data/app-error'
import { formatDay, formatExact, formatMinute, formatPlainDay } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { useLanguage } from '@/i18n/use-language'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { formatDocumentMoney } from './document-money.ts'
import type { InvoiceAction } from './invoice-dialogs.tsx'
import { InvoiceLines } from './invoice-lines.tsx'
import { InvoicePayments } from './invoice-payments.tsx'
import { invoiceQueries, saveLines, saveUbl, saveWorkbook } from './invoice-queries.ts'
import { InvoiceStatus } from './invoice-status.tsx'
import '@/i18n/texts/invoices'

const InvoiceDialogs = lazy(async () => ({ default: (await import('./invoice-dialogs.tsx')).InvoiceDialogs }))
const PdfPreview = lazy(async () => ({ default: (await import('./pdf-preview.tsx')).PdfPreview }))
const TABS = ['lines', 'payments', 'history', 'pdf'] as const

/** An invoice or credit note: amounts, lines with what is behind them, payments, history and document. */
export function InvoicePage({ id }: { readonly id: string }) {
  const { t } = useTranslation('invoices')
  const staff = can(useMe(), 'account.list')
  const { data: invoice, error, refetch } = useQuery(invoiceQueries.one(id))
  const [action, setAction] = useState<InvoiceAction | null>(null)
  const [tab, setTab] = useState<(typeof TABS)[number]>('lines')
  if (isMissing(error)) return <NotFound />
  const up = { tab: 'invoices' as const }
  return (
    <Page
      title={invoice === undefined ? t('title') : (invoice.number ?? t('draft'))}
      breadcrumb={[
        staff ? (
          <Link key="invoices" to="/admin/payments">
            {t('all')}
          </Link>
        ) : (
          <Link key="invoices" to="/payments/history" search={up}>
            {t('all')}
          </Link>
        ),
      ]}
      description={invoice === undefined ? undefined : <InvoiceStatus invoice={invoice} />}
      actions={invoice !== undefined && <Actions invoice={invoice} onAction={setAction} />}
      failed={error !== null && invoice === undefined ? { title: t('error'), error, onRetry: () => void refetch() } : null}
    >
      {invoice === undefined ? (
        <Skeleton className="h-64" />
      ) : (
        <>
          <Amounts invoice={invoice} />
          <Facts invoice={invoice} />
          <Tabs value={tab} onValueChange={(next) => setTab(TABS.find((one) => one === next) ?? 'lines')} className="gap-4">
            <div className="flex flex-wrap items-center gap-2">
              <TabsList aria-label={t('tabs.label')}>
                {TABS.map((one) => (
                  <TabsTrigger key={one} value={one}>
                    {t(`tabs.${one}`)}
                  </TabsTrigger>
                ))}
              </TabsList>
              {tab === 'lines' && <Files invoice={invoice} />}
            </div>
            <TabsContent value="lines">
              <InvoiceLines invoice={invoice} />
            </TabsContent>
            <TabsContent value="payments">
              <InvoicePayments invoice={invoice} />
            </TabsContent>
            <TabsContent value="history">
              <History invoice={invoice} />
            </TabsContent>
            <TabsContent value="pdf">
              <Suspense fallback={<Skeleton className="h-96" />}>
                <PdfPreview id={id} number={invoice.number} />
              </Suspense>
            </TabsContent>
          </Tabs>
          <Suspense>
            {action !== null && <InvoiceDialogs invoice={invoice} action={action} onClose={() => setAction(null)} />}
          </Suspense>
        </>
      )}
    </Page>
  )
}

/** Copies of the document for spreadsheets and for accounting. */
function Files({ invoice: { id, kind, number, status } }: { readonly invoice: InvoiceDetails }) {
  const { t } = useTranslation('invoices')
  const name = number ?? 'draft'
  const language = useLanguage()
  /** Fields of the seller or the buyer that the standard requires and that are empty. */
  const missing = (error: Error): string | null => {
    const fields = (error instanceof AppError ? error.faults : []).map(({ path }) => lookUp(`invoices:files.fields.${path}`))
    const known = fields.filter((field) => field !== null)
    return known.length === 0 ? null : t('files.missing', { fields: known.join(', ') })
  }
  return (
    <div className="ml-auto flex flex-wrap gap-2">
      {kind === 'invoice' && <CsvButton file={`${name}.csv`} load={() => saveLines(id)} />}
      <CsvButton file={`${name}.xlsx`} label={t('files.excel')} done={t('files.done')} load={() => saveWorkbook(id, language)} />
      {/* Neither a draft nor a void invoice is to be booked. */}
      {status !== INVOICE_STATUS.draft && status !== INVOICE_STATUS.void && (
        <CsvButton
          file={`${name}.xml`}
          label={t('files.ubl')}
          done={t('files.done')}
          explain={missing}
          load={() => saveUbl(id)}
        />
      )}
    </div>
  )
}

type ActionsProps = { readonly invoice: InvoiceDetails; readonly onAction: (action: InvoiceAction) => void }

function Actions({ invoice: { may, status }, onAction }: ActionsProps) {
  const { t } = useTranslation('invoices')
  const secondary = [
    ...(may.edit ? (['edit', 'delete'] as const) : []),
    ...(may.void ? (['void'] as const) : []),
    ...(may.credit ? (['credit'] as const) : []),
    ...(may.pay ? (['pay'] as const) : []),
    ...(may.send && status !== INVOICE_STATUS.draft ? (['send'] as const) : []),
  ]
  return (
    <>
      {secondary.map((one) => (
        <Button key={one} variant="outline" onClick={() => onAction(one)}>
          {t(one === 'send' ? 'actions.sendAgain' : `actions.${one}`)}
        </Button>
      ))}
      {may.pay && <Button onClick={() => onAction('log')}>{t('actions.log')}</Button>}
      {may.send && status === INVOICE_STATUS.draft && <Button onClick={() => onAction('send')}>{t('actions.send')}</Button>}
    </>
  )
}

function Amounts({ invoice }: { readonly invoice: InvoiceDetails }) {
  const { t } = useTranslation('invoices')
  const { currency, total, paid, balance_due: due, credited, due_at: dueAt, status } = invoice
  const figures: readonly (readonly [string, number, string])[] = [
    [t('totalIn', { currency }), total, taxNote(invoice)],
    // Nothing is due of a draft yet.
    ...(status === INVOICE_STATUS.draft
      ? []
      : [
          [t('totals.paid'), paid, ''] as const,
          [t('columns.balanceDue'), due, dueAt === null ? '' : t('dueOn', { day: formatDay(dueAt) })] as const,
          [t('totals.credited'), credited, ''] as const,
        ]),
  ]
  return (
    <dl
      aria-label={t('amounts')}
      className="border-border bg-card grid grid-cols-2 gap-px overflow-hidden rounded-lg border lg:grid-cols-4"
    >
      {figures.map(([name, value, note]) => (
        <div key={name} className="flex flex-col gap-0.5 px-4 py-3">
          <dt className="text-muted-foreground text-xs">{name}</dt>
          <dd className="text-lg/7 font-semibold">
            <span className="whitespace-nowrap tabular-nums">{formatDocumentMoney(value, currency)}</span>
          </dd>
          {note !== '' && <dd className="text-muted-foreground text-xs">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}

function Facts({ invoice }: { readonly invoice: InvoiceDetails }) {
  const { t } = useTranslation('invoices')
  const {
    buyer,
    seller,
    charge_from_date: from,
    charge_to_date: to,
    issued_at: issued,
    mails,
    note,
    comment,
    kind,
    currency,
  } = invoice
  const parties = [
    [t('facts.buyer'), partyText(buyer)],
    [t('facts.seller'), partyText(seller)],
  ] as const
  const facts: readonly (readonly [string, string])[] = [
    [t('facts.currency'), currency],
    ...(from === '' ? [] : [[t('columns.period'), `${formatPlainDay(from)} – ${formatPlainDay(to)}`] as const]),
    ...(issued === null ? [] : [[t('facts.issued'), formatMinute(issued)] as const]),
    ...(kind === 'credit_note'
      ? []
      : [[t('facts.mails'), mails === 0 ? t('facts.notMailed') : t('facts.times', { count: mails })] as const]),
    ...(note === '' ? [] : [[t('create.note'), note] as const]),
    ...(comment === '' ? [] : [[t('facts.comment'), comment] as const]),
  ]
  return (
    <div className="grid items-start gap-x-8 gap-y-4 text-[0.8125rem]/5 sm:grid-cols-2 xl:grid-cols-[1fr_1fr_2fr]">
      <dl className="contents">
        {parties.map(([name, value]) => (
          <div key={name} className="flex flex-col gap-1">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="wrap-anywhere whitespace-pre-line">{value}</dd>
          </div>
        ))}
      </dl>
      <dl className="grid grid-cols-[minmax(6rem,9rem)_minmax(0,1fr)] gap-x-4 gap-y-1 sm:max-xl:col-span-2">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="wrap-anywhere whitespace-pre-line">{value}</dd>
          </div>
        ))}
        {invoice.documents.length > 0 && <Documents invoice={invoice} />}
      </dl>
    </div>
  )
}

/** The lines of an address as documents have them. */
function partyText(one: InvoiceDetails['buyer']): string {
  return [
    one.legal_entity_name || one.name,
    one.address_line_1,
    one.address_line_2,
    `${one.postal_code} ${one.city}`.trim(),
    one.country === '' ? '' : (new Intl.DisplayNames([i18next.language], { type: 'region' }).of(one.country) ?? one.country),
    one.tin_number === '' ? '' : i18next.t('invoices:tin', { number: one.tin_number }),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function taxNote({ tax, currency }: InvoiceDetails): string {
  if (tax === null) return ''
  const amount = formatDocumentMoney(tax.amount, currency)
  return i18next.t(tax.included ? 'invoices:taxIncluded' : 'invoices:taxAdded', { percent: formatExact(tax.percent), amount })
}

function Documents({ invoice: { documents, kind, currency } }: { readonly invoice: InvoiceDetails }) {
  const { t } = useTranslation('invoices')
  const staff = can(useMe(), 'account.list')
  return (
    <div className="contents">
      <dt className="text-muted-foreground">{t(kind === 'invoice' ? 'facts.creditNotes' : 'facts.corrects')}</dt>
      <dd className="flex flex-wrap gap-x-3">
        {documents.map(({ id, number, amount }) => (
          <Link
            key={id}
            to={staff ? '/admin/invoice/details/$id' : '/payments/invoice/$id'}
            params={{ id }}
            className="rounded-[3px] underline underline-offset-2"
          >
            {kind === 'invoice' ? `${number ?? t('draft')} (${formatDocumentMoney(amount, currency)})` : (number ?? t('draft'))}
          </Link>
        ))}
      </dd>
    </div>
  )
}

function History({ invoice: { history } }: { readonly invoice: InvoiceDetails }) {
  const { t } = useTranslation('invoices')
  return (
    <ol aria-label={t('tabs.history')} className="border-border bg-card divide-border divide-y rounded-lg border">
      {history.map(({ id, at, type, actor, text }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2 text-[0.8125rem]/5">
          <time dateTime={at} className="text-muted-foreground w-36 whitespace-nowrap tabular-nums">
            {formatMinute(at)}
          </time>
          {/* A newer server may know other events. */}
          <span className="font-medium">{lookUp(`invoices:events.${type}`) ?? type}</span>
          <span className="text-muted-foreground min-w-0 grow wrap-anywhere">{text}</span>
          <span>{actor}</span>
        </li>
      ))}
    </ol>
  )
}
