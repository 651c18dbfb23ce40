import { useTranslation } from 'react-i18next'
import { Button } from '../../../../../components/ui/button.tsx'
import { useFieldError } from '../../campaign-form-context.ts'
import { useSliceField } from '../../slices/use-slice-field.ts'
import { FormSection } from '../form-section.tsx'
import type { FrequencyValues } from './frequency-slice.ts'
import { alwaysOn, countOf, DAYS, EMPTY, HOURS, type Schedule } from './schedule.ts'
import { ScheduleGrid } from './schedule-grid.tsx'
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

/** The hours in which ads run. */
export function ScheduleSection() {
  const { t } = useTranslation('frequency')
  const { value, set, disabled } = useSliceField('frequency.scheduling')
  const error = useFieldError('frequency.scheduling')
  const zone = useCampaignZone()
  const names = useDayNames()
  const change = (schedule: Schedule) => set(formValue(schedule))
  const hours = countOf(value)
  const summary = summaryOf(value, names.short)
  return (
    <FormSection title={t('schedule')} lead={zone === null ? t('zoneUnknown') : t('zone', { zone })}>
      <div className="col-span-2 flex items-start justify-between gap-4">
        <p className="min-w-0">{hours === 0 ? t('noSlots') : hours === DAYS.length * HOURS.length ? t('everyHour') : summary}</p>
        {!disabled && (
          <div className="flex shrink-0 gap-2">
            <Button variant="secondary" size="small" disabled={hours === 0} onClick={() => change(EMPTY)}>
              {t('clear')}
            </Button>
            <Button variant="secondary" size="small" onClick={() => change(alwaysOn(value))}>
              {t('alwaysOn')}
            </Button>
          </div>
        )}
      </div>
      <ScheduleGrid label={t('schedule')} schedule={value} disabled={disabled} onChange={change} />
      <p className="text-ink-soft text-meta col-span-2 -mt-3">{t('gridHelp')}</p>
      {error !== undefined && (
        <p role="alert" className="text-bad text-meta col-span-2">
          {error}
        </p>
      )}
    </FormSection>
  )
}
