import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CONVERSION_GOALS } from '#domain/campaign/content/options'
import { localDay } from '#domain/campaign/content/dates'
import { TREND_DAYS, type ListRow } from '#contract/campaign-list'
import { ariaKeys } from '@/app/shortcuts/keys'
import type { DataColumn } from '@/components/data-table/table-view'
import { formatMoney, Money } from '@/components/money'
import { StatusText } from '@/components/status-text'
import { Badge } from '@/components/ui/badge'
import { reasonTexts } from '@/data/campaign-reason'
import { startOf } from '@/data/campaign-status'
import { formatCount, formatPercent, formatPlainDay } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { cn } from '@/lib/utils'
import { RemedyAction } from '../delivery/remedy-action.tsx'
import { LabelChips } from '../labels/label-chip.tsx'
import { CellEdit, EDIT_KEY } from '../quick-edit/cell-edit.tsx'
import { datesText } from '../quick-edit/dates-text.ts'
import type { QuickEdit } from '../quick-edit/use-quick-edit.ts'
import { useFurtherColumns } from './further-columns.tsx'
import { TrendCell } from './trend-cell.tsx'
import type { Trends } from './use-trends.ts'
import '@/i18n/texts/delivery'

const MINUTE = 60_000
/** Statuses beside the approved version, which goes on. */
const CHIPS = ['re_review_pending', 'changes_rejected', 'changes_not_published'] as const

/** False for placeholder rows, which have short ids and no page (campaigns.md §2). */
export const opens = ({ id }: Pick<ListRow, 'id'>) => id.length > 5

type Figure =
  | 'impressions'
  | 'clicks'
  | 'conversions'
  | 'unconfirmed_conversions'
  | 'spent'
  | 'ctr'
  | 'cpm'
  | 'cpc'
  | 'cvr'
  | 'cpa'
type CountedRow = ListRow & Readonly<Record<Figure, number>>
/** False while the store of figures is away. */
export const isCounted = (row: ListRow): row is CountedRow => row.impressions !== null

/** Returns the editor of a row's cells; null for a row that the user may not change. */
export type EditOf = (row: ListRow) => QuickEdit | null

type CampaignColumns = {
  /** Adds the account's name. */
  readonly account: boolean
  readonly editOf: EditOf
  readonly trends: Trends
}

/** Returns the columns of the campaign list. `controls` renders the buttons of a row. */
export function useCampaignColumns(
  { account, editOf, trends }: CampaignColumns,
  controls: (row: ListRow) => ReactNode,
): readonly DataColumn<ListRow>[] {
  const { t } = useTranslation('campaigns')
  const figure = { sortable: 'desc', numeric: true, hideable: true } as const
  const further = useFurtherColumns()
  const unknown = <Figures main={<span className="text-muted-foreground">{t('none')}</span>} />
  const counted = (shown: (row: CountedRow) => ReactNode) => (row: ListRow) => (isCounted(row) ? shown(row) : unknown)
  return [
    {
      id: 'name',
      header: t('columns.name'),
      sortable: 'asc',
      cell: (row) => <NameCell row={row} account={account ? row.space_name : null} edit={editOf(row)} />,
      className: 'pr-3',
    },
    {
      id: 'impressions',
      header: t('columns.impressions'),
      ...figure,
      width: 'w-28',
      cell: counted(({ impressions, cpm, currency }) => (
        <Figures main={formatCount(impressions)}>
          <Money value={cpm} currency={currency} within={(value) => t('meta.cpm', { value })} />
        </Figures>
      )),
    },
    {
      id: 'clicks',
      header: t('columns.clicks'),
      ...figure,
      width: 'w-28 @min-[64rem]:w-40',
      cell: counted(({ clicks, cpc, ctr, currency }) => (
        <Figures main={formatCount(clicks)}>
          <Money value={cpc} currency={currency} within={(value) => t('meta.cpc', { value })} />
          <span className="whitespace-nowrap">{t('meta.ctr', { value: formatPercent(ctr) })}</span>
        </Figures>
      )),
    },
    {
      id: 'conversions',
      header: t('columns.conversions'),
      ...figure,
      width: 'w-29 @min-[64rem]:w-40',
      cell: counted(({ goal, conversions, unconfirmed_conversions: unconfirmed, cpa, cvr, currency }) =>
        // A dash where none are expected and none were reported: the same number as in reports and files.
        conversions > 0 || unconfirmed > 0 || (goal !== null && CONVERSION_GOALS.includes(goal)) ? (
          <Figures main={formatCount(conversions)}>
            <Money value={cpa} currency={currency} within={(value) => t('meta.cpa', { value })} />
            <span className="whitespace-nowrap">{t('meta.cvr', { value: formatPercent(cvr) })}</span>
            {unconfirmed > 0 && (
              <span className="whitespace-nowrap">{t('meta.unconfirmed', { value: formatCount(unconfirmed) })}</span>
            )}
          </Figures>
        ) : (
          unknown
        ),
      ),
    },
    {
      id: 'spent',
      header: t('columns.spent'),
      hint: t('columns.spentHint'),
      ...figure,
      width: 'w-33 @min-[64rem]:w-48',
      cell: (row) => <SpentCell row={row} edit={editOf(row)} />,
    },
    {
      id: 'trend',
      header: t('columns.trend'),
      hint: t('columns.trendHint', { figure: t(`columns.${trends.metric}`), count: TREND_DAYS }),
      hideable: true,
      numeric: true,
      wide: true,
      width: 'w-28',
      cell: ({ id, currency }) => <TrendCell id={id} currency={currency} trends={trends} />,
    },
    ...further,
    {
      id: 'actions',
      header: t('columns.actions'),
      headerHidden: true,
      controls: true,
      width: 'w-24',
      cell: controls,
      className: 'text-right whitespace-nowrap',
    },
  ]
}

type CellProps = { readonly row: ListRow; readonly edit: QuickEdit | null }

function SpentCell({ row, edit }: CellProps) {
  const { t } = useTranslation('campaigns')
  const { spent, budget_spent: all, daily_budget_spent: day, budget, budget_type_key: type, currency } = row
  const key = type === 1 ? 'meta.inAll' : 'meta.aDay'
  const amount = budget === null ? null : <Money value={budget} currency={currency} within={(value) => t(key, { value })} />
  const shown = budget === null ? t('edit.noBudget') : t(key, { value: formatMoney(budget, currency) })
  return (
    <Figures
      main={
        spent === null ? <span className="text-muted-foreground">{t('none')}</span> : <Money value={spent} currency={currency} />
      }
      bar={budget === null || budget === 0 ? null : (type === 1 ? all : day) / budget}
    >
      <Money value={day} currency={currency} within={(value) => t('meta.today', { value })} />
      {edit === null ? (
        amount
      ) : (
        <CellEdit row={row} field="budget" edit={edit} label={`${shown}: ${t('edit.budgetOf', { name: row.name })}`}>
          {amount ?? shown}
        </CellEdit>
      )}
    </Figures>
  )
}

function NameCell({ row, account, edit }: CellProps & { readonly account: string | null }) {
  const { t } = useTranslation('campaigns')
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-1.5">
        {opens(row) ? (
          <Link
            to="/campaign/edit/$id"
            params={{ id: row.id }}
            search={{ tab: 'basicInfo' }}
            data-focus="name"
            {...(edit === null ? {} : { 'aria-keyshortcuts': ariaKeys([EDIT_KEY]) })}
            className="-my-[3px] min-w-0 rounded-[3px] py-[3px] font-medium [overflow-wrap:anywhere] hover:underline"
          >
            {row.name}
          </Link>
        ) : (
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{row.name}</span>
        )}
        {account !== null && <span className="text-muted-foreground">{account}</span>}
        {row.creative_status === 'disapproved' && (
          <>
            <TriangleAlert aria-hidden className="text-warning size-3.5 shrink-0" />
            <span className="sr-only">{t('creativeDisapproved')}</span>
          </>
        )}
        {edit !== null && <CellEdit row={row} field="name" edit={edit} label={t('edit.nameOf', { name: row.name })} />}
      </div>
      <StatusLine row={row} edit={edit} />
      {row.labels.length > 0 && (
        <div className="mt-1">
          <LabelChips labels={row.labels} />
        </div>
      )}
    </>
  )
}

function StatusLine({ row, edit }: CellProps) {
  const { t } = useTranslation(['status', 'campaigns'])
  const now = useNow(MINUTE)
  const reasons = reasonTexts(row.status_reasons)
  // The status says it already.
  const reason = reasons.find(({ key }) => key !== 'running')
  const chip = CHIPS.find((key) => reasons.some((one) => one.key === key))
  const start = startOf(row.status_key, row.campaign_start_at, now)
  const text =
    start === null
      ? reason === undefined || reason.key === chip
        ? null
        : reason.text
      : t(`status:${start.key}`, { date: formatPlainDay(localDay(start.at, row.timezone_offset_seconds ?? 0)) })
  // The start is already said.
  const dates = datesText(start === null ? row : { ...row, campaign_start_at: null })
  return (
    <div className="text-xs">
      <StatusText statusKey={row.status_key} className="inline [&>span]:mr-1.5 [&>span]:inline-block" />
      {text !== null && <span className="text-muted-foreground"> · {text}</span>}
      {chip !== undefined && (
        <Badge variant="outline" className="ml-1.5 px-1.5 py-0 align-middle">
          {t(`status:chip.${chip}`)}
        </Badge>
      )}
      {edit !== null && (
        // The dot stays with what it divides.
        <span className="text-muted-foreground whitespace-nowrap">
          {' · '}
          <CellEdit row={row} field="dates" edit={edit} label={`${dates}: ${t('campaigns:edit.datesOf', { name: row.name })}`}>
            {dates}
          </CellEdit>
        </span>
      )}
      {reason !== undefined && reason.action !== null && (
        <span className="ml-2 inline-block">
          <RemedyAction campaign={row} remedy={reason.action} look="quiet" />
        </span>
      )}
    </div>
  )
}

type FiguresProps = {
  readonly main: ReactNode
  /** Spent part of the budget, from 0; null without a budget. */
  readonly bar?: number | null
  readonly children?: ReactNode
}

/** A figure with its cost below. Narrow columns wrap between the parts and never truncate them. */
function Figures({ main, bar = null, children }: FiguresProps) {
  return (
    <>
      <div>{main}</div>
      <div className="text-muted-foreground flex flex-wrap justify-end gap-x-2 text-xs">{children}</div>
      {bar !== null && bar > 0 && <BudgetBar part={bar} />}
    </>
  )
}

/** How much of the budget is spent. The amounts beside it say the same to screen readers. */
function BudgetBar({ part }: { readonly part: number }) {
  return (
    <div aria-hidden className="bg-border mt-1 ml-auto h-0.5 w-full max-w-32 overflow-hidden rounded-full">
      <div
        className={cn('h-full', part >= 1 ? 'bg-warning-dot' : 'bg-primary-ink')}
        style={{ width: `${Math.min(1, part) * 100}%` }}
      />
    </div>
  )
}
