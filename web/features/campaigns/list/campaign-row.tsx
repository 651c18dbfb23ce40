import { Link, useNavigate } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CONVERSION_GOALS } from '../../../../domain/campaign/options.ts'
import { localDay } from '../../../../domain/campaign/dates.ts'
import type { ListRow } from '../../../../api/contract/campaign-list.ts'
import { StatusText } from '../../../components/status-text.tsx'
import { reasonText } from '../../../domain/campaign-reason.ts'
import { startOf } from '../../../domain/campaign-status.ts'
import { cn } from '../../../lib/cn.ts'
import { useNow } from '../../../lib/use-now.ts'
import { formatCount, formatMoney, formatPercent, formatPlainDay } from '../../../i18n/format.ts'

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
      data-testid={`campaign-row-${row.id}`}
      onClick={() => opens && void navigate(link)}
      className="group border-hairline hover:bg-sunken cursor-pointer border-b transition-colors last:border-0"
    >
      {box !== null && (
        <td className="pl-5" onClick={(event) => event.stopPropagation()}>
          {box}
        </td>
      )}
      <td className={cn('max-w-0 py-[9px] pr-3', box === null ? 'pl-5' : 'pl-2')}>
        <div className="flex items-center gap-1.5">
          {opens ? (
            <Link
              {...link}
              onClick={(event) => event.stopPropagation()}
              className="-my-[3px] truncate rounded-[3px] py-[3px] font-medium hover:underline"
            >
              {row.name}
            </Link>
          ) : (
            <span className="truncate font-medium">{row.name}</span>
          )}
          {account !== null && <span className="text-ink-soft shrink-0">{account}</span>}
          {row.creative_status === 'disapproved' && (
            <>
              <TriangleAlert aria-hidden className="text-warn size-3.5 shrink-0" />
              <span className="sr-only">{t('campaigns:creativeDisapproved')}</span>
            </>
          )}
        </div>
        <StatusLine row={row} />
      </td>
      <Figures main={formatCount(row.impressions)} meta={t('campaigns:meta.cpm', { value: money(row.cpm) })} />
      <Figures
        main={formatCount(row.clicks)}
        meta={t('campaigns:meta.clicks', { cpc: money(row.cpc), ctr: formatPercent(row.ctr) })}
      />
      {converts ? (
        <Figures
          main={formatCount(row.conversions)}
          meta={t('campaigns:meta.conversions', { cpa: money(row.cpa), cvr: formatPercent(row.cvr) })}
        />
      ) : (
        <td className="text-ink-soft px-2 text-right">{t('campaigns:none')}</td>
      )}
      <Figures main={money(row.spent)} meta={spentMeta()} />
      <td className="pr-4 pl-2 text-right whitespace-nowrap" onClick={(event) => event.stopPropagation()}>
        {menu}
      </td>
    </tr>
  )

  function spentMeta() {
    const today = money(row.daily_budget_spent)
    if (row.budget === null) return t('campaigns:meta.spentNoBudget', { today })
    return t(row.budget_type_key === 1 ? 'campaigns:meta.spentTotal' : 'campaigns:meta.spent', {
      today,
      budget: money(row.budget),
    })
  }
}

function StatusLine({ row }: { readonly row: ListRow }) {
  const { t } = useTranslation('status')
  const now = useNow().getTime()
  const [first] = row.status_reasons
  const start = startOf(row.status_key, row.campaign_start_at, now)
  const reason = first === undefined ? null : reasonText(first)
  return (
    <div className="text-meta flex min-w-0 items-center gap-1.5">
      <StatusText statusKey={row.status_key} className="shrink-0" />
      {start !== null ? (
        <span className="text-ink-soft truncate">
          · {t(start.key, { date: formatPlainDay(localDay(start.at, row.timezone_offset_seconds ?? 0)) })}
        </span>
      ) : (
        reason !== null && (
          <span className="text-ink-soft truncate" title={reason.remedy ?? undefined}>
            · {reason.text}
          </span>
        )
      )}
    </div>
  )
}

function Figures({ main, meta }: { readonly main: string; readonly meta: string }) {
  return (
    <td className="px-2 text-right whitespace-nowrap tabular-nums">
      <div>{main}</div>
      <div title={meta} className="text-ink-soft text-meta truncate">
        {meta}
      </div>
    </td>
  )
}
