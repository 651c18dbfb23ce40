import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { Button } from '@/components/ui/button'
import { formatPlainDay } from '@/i18n/format'
import { useToday } from '@/lib/clock'
import type { DateRange } from '@/lib/date-range'
import { dayOrder, readDay } from '@/lib/read-day'

const SIDES = ['start', 'end'] as const
type Side = (typeof SIDES)[number]

type TypedRangeProps = { readonly value: DateRange; readonly onPick: (range: DateRange) => void }

/** The first and the last day as text, taken by Enter or the button. Days without a year are the last such ones. */
export function TypedRange({ value, onPick }: TypedRangeProps) {
  const { t, i18n } = useTranslation()
  const today = useToday()
  const [typed, setTyped] = useState<Partial<Record<Side, string>>>({})
  const read = (side: Side) => {
    const text = typed[side]
    return text === undefined ? value[side] : readDay(text, dayOrder(i18n.language), today, 'last')
  }
  const [start, end] = [read('start'), read('end')]
  const range = start !== null && end !== null && start <= end ? { start, end } : null
  return (
    <div className="flex items-end gap-2 px-2 pb-2">
      {SIDES.map((side) => (
        <LabelledField key={side} label={t(`range.${side}`)} className="w-33">
          <FieldInput
            autoComplete="off"
            placeholder={t('date.format')}
            aria-invalid={read(side) === null || undefined}
            className="tabular-nums"
            value={typed[side] ?? formatPlainDay(value[side])}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setTyped({ ...typed, [side]: target.value })}
            onKeyDown={({ key }) => key === 'Enter' && range !== null && onPick(range)}
          />
        </LabelledField>
      ))}
      <Button variant="outline" disabled={range === null} onClick={() => range !== null && onPick(range)}>
        {t('range.apply')}
      </Button>
    </div>
  )
}
