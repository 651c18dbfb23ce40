import { useTranslation } from 'react-i18next'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { DateRangePicker } from '@/components/date/date-range-picker'
import { Toggle } from '@/components/ui/toggle'
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group'
import { MetricChooser } from './metric-chooser.tsx'
import { canBeCompared } from './report-compare.ts'
import { ReportFilters } from './report-filters.tsx'
import { LONGEST_BY_HOUR } from './report-names.ts'
import { canBeHourly, type Step } from './report-parts.ts'
import type { ReportView } from './use-report.ts'

const STEPS = [
  { step: 'hours', key: '1' },
  { step: 'days', key: '2' },
] as const

/** Settings of a report: its period, by hours or days, compared or not, filtered, and with which metrics. */
export function ReportToolbar({ report }: { readonly report: ReportView }) {
  const { t } = useTranslation('reports')
  const { range, step, today, comparing, patch, showRange } = report
  const hourly = canBeHourly(range)
  const show = (next: Step) => patch({ step: next === 'hours' ? 'hours' : undefined })
  useShortcuts(
    STEPS.map((one) => ({
      id: `report.${one.step}`,
      label: t(`step.show.${one.step}`),
      keys: [one.key],
      when: () => one.step === 'days' || hourly,
      run: () => show(one.step),
    })),
  )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <DateRangePicker value={range} today={today} align="start" onChange={(next) => showRange(next)} />
      <ToggleGroup
        type="single"
        variant="outline"
        aria-label={t('step.label')}
        value={step}
        onValueChange={(next) => {
          const known = STEPS.find((one) => one.step === next)
          if (known !== undefined) show(known.step)
        }}
      >
        {STEPS.map((one) => (
          <ToggleGroupItem
            key={one.step}
            value={one.step}
            disabled={one.step === 'hours' && !hourly}
            aria-keyshortcuts={one.key}
            title={one.step === 'hours' && !hourly ? t('step.tooLong', { count: LONGEST_BY_HOUR }) : undefined}
            className="px-3 not-first:-ml-px"
          >
            {t(`step.${one.step}`)}
          </ToggleGroupItem>
        ))}
      </ToggleGroup>
      <Toggle
        variant="outline"
        className="px-3"
        disabled={!canBeCompared(range)}
        pressed={comparing}
        onPressedChange={(on) => patch({ compare: on ? 'previous' : undefined })}
      >
        {t('compare.label')}
      </Toggle>
      <ReportFilters report={report} />
      <MetricChooser report={report} />
    </div>
  )
}
