import { useQuery } from '@tanstack/react-query'
import { Plus, Search } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MONEY_APPROVALS } from '#contract/approvals'
import { DataTable } from '@/components/data-table/data-table'
import { pageParam } from '@/components/data-table/list-search'
import { useListPage } from '@/components/data-table/use-list-page'
import { DateRangePicker } from '@/components/date/date-range-picker'
import { BoardImage } from '@/components/empty-images'
import { Money } from '@/components/money'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { SEARCH_DELAY_MS } from '@/data/search-queries'
import { useToday } from '@/lib/clock'
import { presetRange } from '@/lib/date-range'
import { useDebouncedCallback } from '@/lib/use-debounced-callback'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { Approvals } from '@/session/approvals/approvals'
import type { BillingSearch } from '../billing-search.ts'
import { useInvoiceColumns } from './invoice-columns.tsx'
import { invoiceQueries, type InvoicesAsked } from './invoice-queries.ts'
import { INVOICE_STATES, keyOfState } from './invoice-states.ts'
import '@/i18n/texts/invoices'

const ROWS = 25
const CreateDialog = lazy(async () => ({ default: (await import('./create-dialog.tsx')).CreateDialog }))

type InvoicesListProps = {
  /** Null for all accounts in reach. */
  readonly spaceId: string | null
  readonly search: BillingSearch
  readonly onSearch: (patch: Partial<BillingSearch>, history?: 'push' | 'replace') => void
}

/** Invoices and credit notes with filters and totals. */
export function InvoicesList({ spaceId, search, onSearch }: InvoicesListProps) {
  const { t } = useTranslation('invoices')
  const me = useMe()
  const staff = can(me, 'account.list')
  const today = useToday()
  const { status, start, end, q = '', page = 0 } = search
  const range = start !== undefined && end !== undefined && start <= end ? { start, end } : null
  const asked: InvoicesAsked = {
    space_id: spaceId,
    status: status === undefined ? null : keyOfState(status),
    from_date: range?.start ?? null,
    to_date: range?.end ?? null,
    search: q,
    page,
    page_size: ROWS,
  }
  const invoices = useQuery(invoiceQueries.page(asked))
  const [creating, setCreating] = useState(false)
  const filtered = status !== undefined || range !== null || q !== ''
  const mayCreate = can(me, 'invoice.write')
  const list = useListPage({
    query: invoices,
    search,
    onSearch: (patch, history) => onSearch({ page: pageParam(patch.page) }, history),
    rowChoices: [ROWS],
    failed: t('listError'),
    filters: {
      active: filtered,
      title: t('noMatch'),
      text: t('noMatchText'),
      clear: t('clear'),
      onClear: () => onSearch({ status: undefined, start: undefined, end: undefined, q: undefined, page: undefined }),
    },
  })
  const states = staff ? INVOICE_STATES : INVOICE_STATES.filter((state) => state !== 'draft')
  return (
    <div className="flex flex-col gap-3">
      {spaceId === null && can(me, 'balance.credit') && <Approvals kinds={MONEY_APPROVALS} />}
      <search className="flex flex-wrap items-center gap-2">
        <Typed value={q} label={t('search')} onTyped={(next) => onSearch({ q: next || undefined, page: undefined })} />
        <NativeSelect
          aria-label={t('columns.status')}
          value={status ?? ''}
          className="w-44"
          onChange={({ target }) => onSearch({ status: INVOICE_STATES.find((one) => one === target.value), page: undefined })}
        >
          <option value="">{t('allStates')}</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {t(`states.${one}`)}
            </option>
          ))}
        </NativeSelect>
        {range === null ? (
          <Button variant="outline" onClick={() => onSearch({ ...presetRange('last365', today), page: undefined })}>
            {t('anyTime')}
          </Button>
        ) : (
          <DateRangePicker value={range} onChange={(next) => onSearch({ ...next, page: undefined })} />
        )}
        {mayCreate && (
          <Button className="ml-auto" onClick={() => setCreating(true)}>
            <Plus aria-hidden />
            {t('create.open')}
          </Button>
        )}
      </search>
      <Totals totals={invoices.data?.totals ?? []} />
      <DataTable
        caption={t('table')}
        columns={useInvoiceColumns({ admin: staff, accounts: spaceId === null })}
        rowId={({ id }) => id}
        {...list}
        nothing={<EmptyState image={<BoardImage />} title={t('none')} text={t(mayCreate ? 'noneStaff' : 'noneText')} />}
        testId="invoice"
      />
      <Suspense>{creating && <CreateDialog spaceId={spaceId} onClose={() => setCreating(false)} />}</Suspense>
    </div>
  )
}

type TotalsProps = {
  readonly totals: readonly {
    readonly currency: string
    readonly total: number
    readonly paid: number
    readonly balance_due: number
    readonly overdue: number
  }[]
}

/** Sums by currency: sums across currencies mean nothing. */
function Totals({ totals }: TotalsProps) {
  const { t } = useTranslation('invoices')
  if (totals.length === 0) return null
  return (
    <section aria-label={t('totals.label')} className="flex flex-col gap-2">
      {totals.map(({ currency, total, paid, balance_due: due, overdue }) => (
        <dl
          key={currency}
          className="border-border bg-card grid grid-cols-2 gap-x-4 rounded-lg border px-4 py-2.5 sm:grid-cols-4"
        >
          {(
            [
              [t('totals.invoiced'), total],
              [t('totals.paid'), paid],
              [t('totals.due'), due],
              [t('totals.overdue'), overdue],
            ] as const
          ).map(([name, value]) => (
            <div key={name} className="flex flex-col">
              <dt className="text-muted-foreground text-xs">{name}</dt>
              <dd className="font-semibold">
                <Money value={value} currency={currency} />
              </dd>
            </div>
          ))}
        </dl>
      ))}
    </section>
  )
}

type TypedProps = { readonly value: string; readonly label: string; readonly onTyped: (text: string) => void }

function Typed({ value, label, onTyped }: TypedProps) {
  const [typed, setTyped] = useState(value)
  const soon = useDebouncedCallback(() => {
    if (typed !== value) onTyped(typed)
  }, SEARCH_DELAY_MS)
  return (
    <div className="relative w-64 max-sm:w-full">
      <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />
      <Input
        type="search"
        autoComplete="off"
        maxLength={300}
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          soon()
        }}
        className="pl-9"
      />
    </div>
  )
}
