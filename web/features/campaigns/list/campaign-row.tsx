import { Link, useNavigate } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CONVERSION_GOALS } from '../../../../domain/campaign/content/options.ts'
import { localDay } from '../../../../domain/campaign/content/dates.ts'
import type { ListRow } from '../../../../api/contract/campaign-list.ts'
import { StatusText } from '@/components/status-text'
import { reasonTexts } from '@/data/campaign-reason'
import { startOf } from '@/data/campaign-status'
import { cn } from '@/lib/utils'
import { useNow } from '@/lib/use-now'
import { STACKED } from './stacked.ts'
import { formatCount, formatMoney, formatPercent, formatPlainDay } from '@/i18n/format'

type CampaignRowProps = {
  readonly row: ListRow
  /** Named where rows of several accounts stand together. */
  readonly account: string | null
  readonly menu: ReactNode
  /** For choosing the row; null where nothing can be done with it. */
  readonly box: ReactNode
}

export function CampaignRow({ row, account, menu, box }: CampaignRowProps) {
  const { t } = useTranslation(['campaigns', 'status'])
  const navigate = useNavigate()
  const money = (value: number) => formatMoney(value, row.currency)
  const converts = row.goal !== null && CONVERSION_GOALS.includes(row.goal)
  // Placeholder rows have short ids and lead nowhere (campaign.md §2).
  const opens = row.id.length > 5
  const link = { to: '/campaign/edit/$id', params: { id: row.id }, search: { tab: 'basicInfo' } } as const
  return (
    <tr
      data-row={row.id}
      data-testid={`campaign-row-${row.id}`}
      onClick={() => opens && void navigate(link)}
      className={cn('border-border hover:bg-muted cursor-pointer border-b transition-colors last:border-0', STACKED.row)}
    >
      {box !== null && (
        <td className={cn('pl-5', STACKED.box)} onClick={(event) => event.stopPropagation()}>
          {box}
        </td>
      )}
      <td className={cn('py-[9px] pr-3', box === null ? 'pl-5' : 'pl-2', STACKED.columns[0])}>
        <div className="flex flex-wrap items-center gap-x-1.5">
          {opens ? (
            <Link
              {...link}
              data-focus="name"
              onClick={(event) => event.stopPropagation()}
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
              <span className="sr-only">{t('campaigns:creativeDisapproved')}</span>
            </>
          )}
        </div>
        <StatusLine row={row} />
      </td>
      <Figures column={1} main={formatCount(row.impressions)} meta={[t('campaigns:meta.cpm', { value: money(row.cpm) })]} />
      <Figures
        column={2}
        main={formatCount(row.clicks)}
        meta={[t('campaigns:meta.cpc', { value: money(row.cpc) }), t('campaigns:meta.ctr', { value: formatPercent(row.ctr) })]}
      />
      {converts ? (
        <Figures
          column={3}
          main={formatCount(row.conversions)}
          meta={[t('campaigns:meta.cpa', { value: money(row.cpa) }), t('campaigns:meta.cvr', { value: formatPercent(row.cvr) })]}
        />
      ) : (
        <Figures column={3} main={<span className="text-muted-foreground">{t('campaigns:none')}</span>} meta={[]} />
      )}
      <Figures column={4} main={money(row.spent)} meta={spentMeta()} />
      <td className={cn('pr-4 pl-2 text-right whitespace-nowrap', STACKED.menu)} onClick={(event) => event.stopPropagation()}>
        {menu}
      </td>
    </tr>
  )

  function spentMeta(): readonly string[] {
    const today = t('campaigns:meta.today', { value: money(row.daily_budget_spent) })
    if (row.budget === null) return [today]
    return [today, t(row.budget_type_key === 1 ? 'campaigns:meta.inAll' : 'campaigns:meta.aDay', { value: money(row.budget) })]
  }
}

function StatusLine({ row }: { readonly row: ListRow }) {
  const { t } = useTranslation('status')
  const now = useNow().getTime()
  const [reason] = reasonTexts(row.status_reasons)
  const start = startOf(row.status_key, row.campaign_start_at, now)
  const shown =
    start === null
      ? (reason?.text ?? null)
      : t(start.key, { date: formatPlainDay(localDay(start.at, row.timezone_offset_seconds ?? 0)) })
  return (
    <div className="text-xs">
      <StatusText statusKey={row.status_key} className="inline [&>span]:mr-1.5 [&>span]:inline-block" />
      {shown !== null && <span className="text-muted-foreground"> · {shown}</span>}
    </div>
  )
}

type FiguresProps = {
  readonly column: 1 | 2 | 3 | 4
  readonly main: ReactNode
  /** Wrapped between each other where the column is narrow, and never cut off. */
  readonly meta: readonly string[]
}

function Figures({ column, main, meta }: FiguresProps) {
  return (
    <td className={cn('px-2 py-[9px] text-right tabular-nums @max-[52rem]:py-1', STACKED.columns[column])}>
      <div>{main}</div>
      <div className="text-muted-foreground text-xs flex flex-wrap justify-end gap-x-2">
        {meta.map((part) => (
          <span key={part} className="whitespace-nowrap">
            {part}
          </span>
        ))}
      </div>
    </td>
  )
}
