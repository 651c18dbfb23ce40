import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Zone } from '#domain/kit/time-zone'
import { Money } from '@/components/money'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { formatCount } from '@/i18n/format'
import { presetRange, toDay, type DateRange } from '@/lib/date-range'
import { cn } from '@/lib/utils'
import type { Step } from './report-parts.ts'
import { reportQueries } from './report-queries.ts'

/** Reporting periods (decisions G-223). All time starts where a report of days can start; live is today by the hour. */
const PERIODS = ['allTime', 'thisMonth', 'pastMonth', 'live'] as const
type Period = (typeof PERIODS)[number]

const ALL_TIME_YEARS = 10

function rangeOfPeriod(period: Period, today: Date): DateRange {
  if (period === 'thisMonth' || period === 'pastMonth') return presetRange(period, today)
  if (period === 'live') return presetRange('today', today)
  return { start: toDay(new Date(today.getFullYear() - ALL_TIME_YEARS, today.getMonth(), 1)), end: toDay(today) }
}

type PeriodCardsProps = {
  readonly today: Date
  readonly range: DateRange
  readonly step: Step
  readonly zone: Zone
  readonly onPeriod: (range: DateRange, step: Step) => void
}

/** One card for each reporting period, with its totals. A press shows that period. */
export function PeriodCards(props: PeriodCardsProps) {
  return (
    <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {PERIODS.map((period) => (
        <PeriodCard key={period} {...props} period={period} />
      ))}
    </ul>
  )
}

function PeriodCard({ period, today, range, step, zone, onPeriod }: PeriodCardsProps & { readonly period: Period }) {
  const { t } = useTranslation('reports')
  const own = rangeOfPeriod(period, today)
  const { data } = useQuery(reportQueries.total(own, zone))
  const ownStep: Step = period === 'live' ? 'hours' : 'days'
  const shown = own.start === range.start && own.end === range.end && (period !== 'live' || step === ownStep)
  const { currency = null, totals = {} } = data ?? {}
  return (
    <li>
      <Card className={cn('h-full gap-0 py-0', shown && 'border-primary-ink')}>
        <button
          type="button"
          aria-pressed={shown}
          onClick={() => onPeriod(own, ownStep)}
          className="hover:bg-muted flex h-full flex-col items-start gap-1 rounded-[inherit] px-4 py-3 text-left"
        >
          <span className="text-muted-foreground text-xs">{t(`account.period.${period}`)}</span>
          {data === undefined ? (
            <>
              <Skeleton className="h-7 w-24" />
              <Skeleton className="h-8 w-28" />
            </>
          ) : (
            <>
              <span className="text-lg/7 font-semibold tabular-nums">
                {currency === null ? (
                  formatCount(totals['impressions'] ?? 0)
                ) : (
                  <Money value={totals['spent'] ?? 0} currency={currency} />
                )}
              </span>
              <span className="text-muted-foreground flex flex-wrap gap-x-3 text-xs tabular-nums">
                {(['impressions', 'clicks'] as const).map((metric) => (
                  <span key={metric} className="whitespace-nowrap">
                    {t(`metric.${metric}`)}
                    {/* Without money, the impressions are the figure above. */}
                    {(currency !== null || metric !== 'impressions') && ` ${formatCount(totals[metric] ?? 0)}`}
                  </span>
                ))}
              </span>
            </>
          )}
        </button>
      </Card>
    </li>
  )
}
