import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { chartColour } from '@/components/charts/series'
import { useWidth } from '@/components/charts/use-width'
import { Skeleton } from '@/components/ui/skeleton'
import { formatCount, formatShare } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { changeOf, type Change } from './report-compare.ts'
import { formatMetric, linesAfterPress } from './report-metrics.ts'
import type { Metric } from './report-names.ts'
import type { Values } from './report-parts.ts'

/** Least width of a card, in pixels: a phone has two in a row. A million fits, so that loaded values keep the rows as they are. */
const widthOfCard = (width: number) => (width < 480 ? 144 : 116)

type MetricCardsProps = {
  readonly metrics: readonly Metric[]
  /** Metrics of the chart. */
  readonly lines: readonly Metric[]
  readonly mostLines: number
  /** Undefined until loaded. */
  readonly totals: Values | undefined
  /** Totals of the previous period; null without a comparison. */
  readonly previous: Values | undefined | null
  /** Dates of the previous period, for screen readers. */
  readonly previousDates: string
  readonly currency: string
  readonly onLines: (lines: readonly Metric[]) => void
}

/** The total of each metric. A press draws it in the chart. */
export function MetricCards({ metrics, lines, mostLines, totals, previous, previousDates, currency, onLines }: MetricCardsProps) {
  const { t } = useTranslation('reports')
  const { box, width } = useWidth<HTMLUListElement>()
  // Rows of about the same length: ten cards are two rows of five, not nine and one.
  const rows = Math.ceil(metrics.length / Math.max(1, Math.floor(width / widthOfCard(width))))
  const basis = `${Math.floor(100 / Math.ceil(metrics.length / rows))}%`
  return (
    <ul ref={box} aria-label={t('cards')} className="border-border flex flex-wrap overflow-hidden rounded-t-lg border-b">
      {metrics.map((metric) => {
        const line = lines.indexOf(metric)
        const value = totals?.[metric] ?? 0
        const apart = metric === 'conversions' ? (totals?.unconfirmed_conversions ?? 0) : 0
        return (
          <li key={metric} className="border-border -mr-px -mb-px flex grow border-r border-b" style={{ flexBasis: basis }}>
            <button
              type="button"
              aria-pressed={line !== -1}
              onClick={() => onLines(linesAfterPress(lines, metric, mostLines))}
              className={cn(
                'hover:bg-muted relative flex w-full flex-col items-start gap-0.5 px-3.5 pt-3 pb-2.5 text-left -outline-offset-2',
                line !== -1 && 'bg-muted/50',
              )}
            >
              {line !== -1 && (
                <span aria-hidden className="absolute inset-x-0 top-0 h-0.75" style={{ background: chartColour(line) }} />
              )}
              <span className="text-muted-foreground text-xs">{t(`metric.${metric}`)}</span>
              {totals === undefined ? (
                <Skeleton className="h-7 w-20" />
              ) : (
                <span className="text-[1.0625rem]/7 font-semibold tabular-nums">{formatMetric(metric, value, currency)}</span>
              )}
              {apart > 0 && (
                <span className="text-muted-foreground text-xs tabular-nums">
                  {t('unconfirmed', { shown: formatCount(apart) })}
                </span>
              )}
              {previous && totals !== undefined && (
                <ChangeText change={changeOf(value, previous[metric] ?? 0)} dates={previousDates} />
              )}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** Neutral colours: whether more is better depends on the metric. */
function ChangeText({ change, dates }: { readonly change: Change; readonly dates: string }) {
  const { t } = useTranslation('reports')
  const percent = 'percent' in change ? (change.percent > MOST ? `> ${formatShare(MOST)}` : formatShare(change.percent)) : ''
  const Icon = change.kind === 'more' ? ArrowUp : change.kind === 'less' ? ArrowDown : null
  return (
    <span className="text-muted-foreground flex items-center gap-0.5 text-xs tabular-nums">
      {Icon !== null && <Icon aria-hidden className="size-3" />}
      <span aria-hidden>{percent === '' ? t(`compare.${change.kind === 'new' ? 'new' : 'same'}`) : percent}</span>
      <span className="sr-only">{t(`compare.spoken.${change.kind}`, { percent, dates })}</span>
    </span>
  )
}

/** Percentages beyond this say nothing more. */
const MOST = 999
