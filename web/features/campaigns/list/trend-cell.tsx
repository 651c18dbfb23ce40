import { useTranslation } from 'react-i18next'
import { Sparkline } from '@/components/charts/sparkline'
import { formatMoney } from '@/components/money'
import { formatCount, formatPlainDay } from '@/i18n/format'
import type { Trends } from './use-trends.ts'

/** A small line of the last days of a campaign. Its place is kept while it loads, and has a dash where there is nothing to draw. */
export function TrendCell({ id, currency, trends }: { readonly id: string; readonly currency: string; readonly trends: Trends }) {
  const { t } = useTranslation('campaigns')
  const values = trends.of(id)
  const figure = t(`columns.${trends.metric}`)
  return (
    <div className="flex h-6 w-22 items-center justify-end" data-slot="trend">
      {values === undefined ? null : values === null ? (
        <span className="text-muted-foreground">{t('none')}</span>
      ) : values.every((value) => value === 0) ? (
        <span className="text-muted-foreground">
          <span aria-hidden>{t('none')}</span>
          <span className="sr-only">{t('trend.nothing', { figure })}</span>
        </span>
      ) : (
        <Sparkline
          width={88}
          label={t('trend.label', {
            figure,
            ...extremes(values, (value) => (trends.metric === 'spent' ? formatMoney(value, currency) : formatCount(value))),
            first: formatPlainDay(trends.days[0] ?? ''),
            last: formatPlainDay(trends.days.at(-1) ?? ''),
          })}
          values={values}
        />
      )}
    </div>
  )
}

const extremes = (values: readonly number[], text: (value: number) => string) => ({
  low: text(Math.min(...values)),
  high: text(Math.max(...values)),
  now: text(values.at(-1) ?? 0),
})
