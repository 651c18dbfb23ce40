import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldError } from '@/features/campaigns/form/campaign-form-context'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'
import type { FrequencyValues } from './frequency-slice.ts'
import { countOf, DAYS, HOURS, only, PRESETS, type Schedule } from './schedule.ts'
import { ScheduleGrid } from './schedule-grid.tsx'
import { SchedulePresets } from './schedule-presets.tsx'
import { summaryOf } from './schedule-summary.ts'
import { useCampaignZone } from './use-campaign-zone.ts'
import { useDayNames } from './use-day-names.ts'

const formValue = (schedule: Schedule): FrequencyValues['scheduling'] => ({
  '0': [...schedule['0']],
  '1': [...schedule['1']],
  '2': [...schedule['2']],
  '3': [...schedule['3']],
  '4': [...schedule['4']],
  '5': [...schedule['5']],
  '6': [...schedule['6']],
})
const WEEK = DAYS.length * HOURS.length

/** Selects the hours in which ads run. */
export function ScheduleSection() {
  const { t } = useTranslation('frequency')
  const { value, set, disabled } = useSliceField('frequency.scheduling')
  const error = useFieldError('frequency.scheduling')
  const zone = useCampaignZone()
  const names = useDayNames()
  const [said, setSaid] = useState('')
  const change = (schedule: Schedule) => set(formValue(schedule))
  const hours = countOf(value)
  const words = hours === 0 ? t('noSlots') : hours === WEEK ? t('everyHour') : summaryOf(value, names.short)

  const preset = (name: keyof typeof PRESETS) => {
    const next = only(value, PRESETS[name])
    change(next)
    setSaid(countOf(next) === 0 ? t('noSlots') : t('counter', { count: countOf(next), all: WEEK }))
  }
  return (
    <FormSection title={t('schedule')} lead={zone === null ? t('zoneUnknown') : t('zone', { zone })}>
      <div className="col-span-2 flex min-h-8 items-center justify-between gap-6">
        {!disabled && <SchedulePresets onChoose={preset} />}
        {/* An empty selection means all hours, so a count of 0 would be misleading. */}
        {hours > 0 && (
          <p className="text-muted-foreground text-[0.8125rem]/4.5 shrink-0 tabular-nums">
            {t('counter', { count: hours, all: WEEK })}
          </p>
        )}
      </div>
      <ScheduleGrid
        label={t('schedule')}
        schedule={value}
        disabled={disabled}
        onChange={change}
        onPainted={(count, on) => setSaid(on ? t('paintedOn', { count }) : t('paintedOff', { count }))}
      />
      <output className="sr-only">{said}</output>
      {/* Below the grid, which must not move under the pointer when the text grows. */}
      <p className="col-span-2 -mt-2">{words}</p>
      {!disabled && <p className="text-muted-foreground text-xs col-span-2 -mt-3.5">{t('gridHelp')}</p>}
      {error !== undefined && (
        <p role="alert" className="text-destructive text-xs col-span-2">
          {error}
        </p>
      )}
    </FormSection>
  )
}
