import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay } from '#domain/campaign/content/dates'
import type { ListRow } from '#contract/campaign-list'
import { StatusText } from '@/components/status-text'
import { PopoverPanel } from '@/components/popover-panel'
import { Skeleton } from '@/components/ui/skeleton'
import { reasonTexts } from '@/data/campaign-reason'
import { startOf } from '@/data/campaign-status'
import { errorText } from '@/i18n/error-text'
import { formatMinute, formatPlainDay } from '@/i18n/format'
import type { Popup } from '@/lib/use-popup'
import { IN_MODERATION, usePerformance } from '../use-performance.tsx'
import { useNow } from '@/lib/clock'
import { PerformanceTrend } from './performance-trend.tsx'

/** A popup summary of a campaign: status, start, all-time figures, and the last seven days (campaigns.md §2). */
export function PerformanceCard({ row, popup }: { readonly row: ListRow; readonly popup: Popup }) {
  const { t } = useTranslation(['campaigns', 'status', 'common'])
  const titleId = useId()
  const now = useNow(60_000)
  const { figures, error, refetch } = usePerformance(row.id, row.status_key)
  const start = startOf(row.status_key, row.campaign_start_at, now)
  return (
    <PopoverPanel popup={popup} align="end" aria-labelledby={titleId} className="flex w-72 flex-col gap-3 p-4 text-left">
      <div className="flex flex-col gap-0.5">
        <h2 id={titleId} className="font-semibold [overflow-wrap:anywhere]">
          {row.name}
        </h2>
        <p className="text-xs flex flex-wrap gap-x-1.5">
          <StatusText statusKey={row.status_key} />
          {start !== null && (
            <span className="text-muted-foreground">
              · {t(`status:${start.key}`, { date: formatPlainDay(localDay(start.at, row.timezone_offset_seconds ?? 0)) })}
            </span>
          )}
        </p>
        <ul className="text-muted-foreground text-xs flex flex-col gap-0.5">
          {reasonTexts(row.status_reasons).map(({ key, since, text, remedy }) => (
            <li key={key}>
              {since === '' ? text : `${text}, ${t('status:since', { date: formatMinute(since) })}`}
              {remedy !== null && `. ${remedy}.`}
            </li>
          ))}
        </ul>
      </div>
      {error === null ? (
        <dl aria-label={t('campaigns:performance.title')} className="grid grid-cols-2 gap-x-4 gap-y-2.5 tabular-nums">
          {figures.map(({ key, label, value }) => (
            <div key={key}>
              <dt className="text-muted-foreground text-xs">{label}</dt>
              <dd className="flex h-6 items-center font-semibold">{value ?? <Skeleton className="w-12" />}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p role="alert" className="text-destructive text-[0.8125rem]/4.5">
          {errorText(error)}{' '}
          <button type="button" className="underline" onClick={() => void refetch()}>
            {t('common:retry')}
          </button>
        </p>
      )}
      {/* In moderation the card shows no impressions (decisions G-071). */}
      {row.status_key !== IN_MODERATION && <PerformanceTrend id={row.id} />}
      <Link
        to="/reports"
        search={{ campaignId: row.id }}
        className="text-primary-ink text-[0.8125rem]/4.5 flex w-fit items-center gap-1 rounded-[3px] py-1 font-medium hover:underline"
      >
        {t('campaigns:actions.report')}
        <ArrowRight aria-hidden className="size-4" />
      </Link>
    </PopoverPanel>
  )
}
