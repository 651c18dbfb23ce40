import { useTranslation } from 'react-i18next'
import { DateInput } from '@/components/date/date-input'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import type { Moment, MomentFault } from './schedule-plan.ts'

type MomentFieldsProps = {
  readonly labels: { readonly day: string; readonly time: string }
  readonly help: string
  readonly moment: Moment
  readonly fault: MomentFault | null
  readonly disabled: boolean
  readonly onChange: (moment: Moment) => void
}

/** A day and a time of that day. */
export function MomentFields({ labels, help, moment, fault, disabled, onChange }: MomentFieldsProps) {
  const { t } = useTranslation('schedule')
  const error = fault === null ? undefined : t(`faults.${fault}`)
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <LabelledField label={labels.day} help={help} error={fault === 'time' ? undefined : error} className="min-w-44 flex-1">
        <DateInput label={labels.day} disabled={disabled} value={moment.day} onChange={(day) => onChange({ ...moment, day })} />
      </LabelledField>
      <LabelledField label={labels.time} error={fault === 'time' ? error : undefined} className="w-32">
        <FieldInput
          autoComplete="off"
          className="tabular-nums"
          maxLength={5}
          readOnly={disabled}
          value={moment.time}
          onChange={({ target }) => onChange({ ...moment, time: target.value })}
        />
      </LabelledField>
    </div>
  )
}
