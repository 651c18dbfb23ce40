import { useTranslation } from 'react-i18next'
import { formatCount, formatMoney, formatPercent, formatPlainDay } from '@/i18n/format'
import { REPORT_METRICS, type Report } from './report-queries.ts'

type Metric = (typeof REPORT_METRICS)[number]

const COUNTS: readonly Metric[] = ['impressions', 'clicks', 'conversions']
const PERCENTS: readonly Metric[] = ['ctr', 'cvr']
/** Shown only for campaigns with a conversion goal (campaign.md §9). */
const OF_CONVERSIONS: readonly Metric[] = ['conversions', 'cpa', 'cvr']

/** Makes the horizontally scrolling table reachable by keyboard. */
const SCROLLED = { tabIndex: 0 }

type ReportTableProps = { readonly report: Report; readonly currency: string; readonly converts: boolean }

/** The totals of the range first, then one row per day, newest first. */
export function ReportTable({ report: { points, totals }, currency, converts }: ReportTableProps) {
  const { t } = useTranslation('reports')
  const metrics = REPORT_METRICS.filter((metric) => converts || !OF_CONVERSIONS.includes(metric))
  const show = (metric: Metric, value = 0) =>
    COUNTS.includes(metric) ? formatCount(value) : PERCENTS.includes(metric) ? formatPercent(value) : formatMoney(value, currency)
  return (
    <section
      {...SCROLLED}
      aria-label={t('table')}
      className="border-border bg-card rounded-lg overflow-clip border max-xl:overflow-x-auto"
    >
      <table aria-label={t('table')} className="text-[0.8125rem]/4.5 w-full border-collapse tabular-nums">
        <thead className="text-muted-foreground text-xs border-border bg-card sticky top-0 z-10 border-b">
          <tr className="h-10">
            <th scope="col" className="pl-5 text-left font-medium">
              {t('day')}
            </th>
            {metrics.map((metric) => (
              <th key={metric} scope="col" className="px-3 text-right font-medium whitespace-nowrap last:pr-5">
                {t(`metric.${metric}`)}
              </th>
            ))}
          </tr>
          <tr className="border-border text-[0.8125rem]/4.5 text-foreground h-11 border-t font-semibold">
            <th scope="row" className="pl-5 text-left font-semibold">
              {t('total')}
            </th>
            {metrics.map((metric) => (
              <td key={metric} className="px-3 text-right last:pr-5">
                {show(metric, totals[metric])}
              </td>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ name, values }) => (
            <tr key={name} className="border-border h-10 border-b last:border-0">
              <th scope="row" className="pl-5 text-left font-normal whitespace-nowrap">
                {formatPlainDay(new Date(name).toISOString().slice(0, 10))}
              </th>
              {metrics.map((metric) => (
                <td key={metric} className="px-3 text-right last:pr-5">
                  {show(metric, values[metric])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
