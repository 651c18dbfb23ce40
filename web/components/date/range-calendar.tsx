import { useState } from 'react'
import { fromDay, toDay, type DateRange } from '@/lib/date-range'
import { Calendar } from './calendar.tsx'
import { TypedRange } from './typed-range.tsx'

type Draft = { readonly from: Date; readonly to: Date | undefined }
type RangeCalendarProps = { readonly value: DateRange; readonly onPick: (range: DateRange) => void }

/** Two clicks select a range: its first and last day, in either order; or both are typed. */
export function RangeCalendar({ value, onPick }: RangeCalendarProps) {
  const [draft, setDraft] = useState<Draft>({ from: fromDay(value.start), to: fromDay(value.end) })

  const pick = (day: Date) => {
    if (draft.to !== undefined) return setDraft({ from: day, to: undefined })
    const [from, to] = day < draft.from ? [day, draft.from] : [draft.from, day]
    setDraft({ from, to })
    onPick({ start: toDay(from), end: toDay(to) })
  }

  const pickTyped = (range: DateRange) => {
    setDraft({ from: fromDay(range.start), to: fromDay(range.end) })
    onPick(range)
  }

  return (
    <div className="border-border border-l">
      <TypedRange value={value} onPick={pickTyped} />
      <Calendar
        mode="range"
        defaultMonth={draft.to ?? draft.from}
        selected={{ from: draft.from, to: draft.to }}
        onSelect={(_range, day) => pick(day)}
        className="pl-2"
      />
    </div>
  )
}
