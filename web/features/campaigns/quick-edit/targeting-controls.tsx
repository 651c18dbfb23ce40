import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChipList } from '@/components/chip-list'
import { CheckGroup } from '@/components/form/check-group'
import { Segmented } from '@/components/form/segmented'
import { Picker } from '@/components/picker/picker'
import { only, PRESETS } from '@/features/campaigns/form/tabs/frequency/schedule'
import { ScheduleGrid } from '@/features/campaigns/form/tabs/frequency/schedule-grid'
import { SchedulePresets } from '@/features/campaigns/form/tabs/frequency/schedule-presets'
import { formatCount } from '@/i18n/format'
import { hoursIn, scheduleOf } from './hours-list.ts'
import type { TargetingForm } from './targeting-form.ts'
import { LIST_HOWS, OFFERED, PARTS, type Part } from './targeting-plan.ts'
import type { City } from './use-targeted.ts'
import { useValueNames } from './use-value-names.ts'

type TargetingControlsProps = {
  readonly form: TargetingForm
  /** Countries of the campaigns, and the one whose cities are offered. */
  readonly countries: readonly { readonly code: string; readonly name: string }[]
  readonly country: string | null
  /** Undefined until they are loaded. */
  readonly cities: readonly City[] | undefined
  readonly disabled: boolean
  readonly onChange: (patch: Partial<TargetingForm>) => void
}

/** Which part of the targeting changes, how, and by which values. Hours are replaced at first: campaigns without a schedule have all. */
export function TargetingControls({ form, countries, country, cities, disabled, onChange }: TargetingControlsProps) {
  const { t } = useTranslation('quickEdit')
  const nameOf = useValueNames()
  const { part, how, values } = form
  return (
    <>
      <Segmented
        label={t('part')}
        disabled={disabled}
        segments={PARTS.map((value) => ({ value, label: t(`parts.${value}`) }))}
        value={part}
        onChange={(value) =>
          onChange({ part: value, values: [], how: value === 'hours' ? 'replace' : part === 'hours' ? 'add' : how })
        }
      />
      {part !== 'device' && (
        <Segmented
          label={t('how')}
          disabled={disabled}
          segments={LIST_HOWS.map((value) => ({ value, label: t(`listHows.${value}`) }))}
          value={how}
          onChange={(value) => onChange({ how: value })}
        />
      )}
      {part === 'cities' && countries.length > 1 && (
        <Segmented
          label={t('country')}
          disabled={disabled}
          segments={countries.map(({ code, name }) => ({ value: code, label: name }))}
          value={country ?? ''}
          onChange={(value) => onChange({ country: value, values: [] })}
        />
      )}
      {part === 'cities' ? (
        <CityChoice values={values} cities={cities} disabled={disabled} onChange={(next) => onChange({ values: next })} />
      ) : part === 'device' ? (
        <Segmented
          label={t('listHows.replace')}
          disabled={disabled}
          segments={OFFERED.device.map((value) => ({ value: value as string, label: nameOf('device', value) }))}
          value={values[0] ?? ''}
          onChange={(value) => onChange({ values: [value] })}
        />
      ) : part === 'hours' ? (
        <HoursChoice values={values} disabled={disabled} onChange={(next) => onChange({ values: next })} />
      ) : (
        <OfferedChoice part={part} values={values} disabled={disabled} onChange={(next) => onChange({ values: next })} />
      )}
      <p className="text-muted-foreground basis-full text-xs">{t(part === 'hours' ? 'ownZone' : 'emptyIsAll')}</p>
    </>
  )
}

type ChoiceProps = {
  readonly values: readonly string[]
  readonly disabled: boolean
  readonly onChange: (values: readonly string[]) => void
}

function OfferedChoice({ part, ...choice }: ChoiceProps & { readonly part: Exclude<Part, 'cities' | 'device' | 'hours'> }) {
  const { t } = useTranslation('quickEdit')
  const nameOf = useValueNames()
  return (
    <CheckGroup
      label={t(`parts.${part}`)}
      options={OFFERED[part].map((value) => ({ value, label: nameOf(part, value) }))}
      value={choice.values}
      disabled={choice.disabled}
      onChange={choice.onChange}
    />
  )
}

/** The same grid as the form has. */
function HoursChoice({ values, disabled, onChange }: ChoiceProps) {
  const { t } = useTranslation(['quickEdit', 'frequency'])
  const [said, setSaid] = useState('')
  const schedule = scheduleOf(values)
  return (
    <>
      {!disabled && <SchedulePresets onChoose={(name) => onChange(hoursIn(only(schedule, PRESETS[name])))} />}
      <div className="basis-full pr-1.5">
        <ScheduleGrid
          label={t('quickEdit:parts.hours')}
          schedule={schedule}
          disabled={disabled}
          onChange={(next) => onChange(hoursIn(next))}
          onPainted={(count, on) => setSaid(t(on ? 'frequency:paintedOn' : 'frequency:paintedOff', { count }))}
        />
        <output className="sr-only">{said}</output>
      </div>
    </>
  )
}

/** The same search as the form has: the largest cities come first. */
function CityChoice({ values, cities, disabled, onChange }: ChoiceProps & Pick<TargetingControlsProps, 'cities'>) {
  const { t } = useTranslation(['quickEdit', 'geography'])
  const box = useRef<HTMLInputElement>(null)
  const names = new Map((cities ?? []).map(({ id, name }) => [id, name]))
  const toggle = (id: string) => onChange(values.includes(id) ? values.filter((known) => known !== id) : [...values, id])
  return (
    <div className="flex basis-full flex-col gap-2">
      <Picker
        label={t('geography:search')}
        options={(cities ?? []).map(({ id, name, population }) => ({ id, label: name, note: formatCount(population) }))}
        chosen={new Set(values)}
        onPick={toggle}
        nothing={cities === undefined ? t('geography:loading') : t('geography:nothing')}
        busy={cities === undefined}
        disabled={disabled}
        ref={box}
      />
      {values.length > 0 && (
        <ChipList
          label={t('geography:chosen')}
          chips={values.map((id) => ({ id, label: names.get(id) ?? id }))}
          disabled={disabled}
          onRemove={toggle}
          onEmpty={() => box.current?.focus()}
        />
      )}
    </div>
  )
}
