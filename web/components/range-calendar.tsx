import { enUS } from 'date-fns/locale/en-US'
import { useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { useTranslation } from 'react-i18next'
import { dateNames } from '@/i18n/date-names'
import { fromDay, toDay, type DateRange } from '@/lib/date-range'

type Draft = { readonly from: Date; readonly to: Date | undefined }
type RangeCalendarProps = { readonly value: DateRange; readonly onPick: (range: DateRange) => void }

/** Two clicks select a range: its first and last day, in either order. */
export function RangeCalendar({ value, onPick }: RangeCalendarProps) {
  const { i18n } = useTranslation()
  const [draft, setDraft] = useState<Draft>({ from: fromDay(value.start), to: fromDay(value.end) })

  const pick = (day: Date) => {
    if (draft.to !== undefined) return setDraft({ from: day, to: undefined })
    const [from, to] = day < draft.from ? [day, draft.from] : [draft.from, day]
    setDraft({ from, to })
    onPick({ start: toDay(from), end: toDay(to) })
  }

  return (
    <DayPicker
      mode="range"
      locale={(i18n.language === 'ru' ? dateNames() : null) ?? enUS}
      weekStartsOn={1}
      defaultMonth={draft.to ?? draft.from}
      selected={{ from: draft.from, to: draft.to }}
      onSelect={(_range, day) => pick(day)}
      className="border-border border-l pl-2"
      classNames={{
        months: 'relative',
        month_caption: 'flex h-8 items-center px-2 text-[0.8125rem]/4.5 font-semibold capitalize',
        nav: 'absolute top-0 right-0 flex gap-1',
        button_previous: 'grid size-8 place-items-center rounded-md hover:bg-muted',
        button_next: 'grid size-8 place-items-center rounded-md hover:bg-muted',
        chevron: 'size-4 fill-muted-foreground',
        weekday: 'size-9 text-xs font-normal text-muted-foreground',
        day: 'p-0 text-center text-[0.8125rem]/4.5 tabular-nums',
        day_button: 'size-9 rounded-md hover:bg-accent',
        selected: 'bg-primary-tint',
        range_start: 'rounded-l-md [&>button]:bg-primary [&>button]:text-primary-foreground [&>button]:hover:bg-primary-strong',
        range_end: 'rounded-r-md [&>button]:bg-primary [&>button]:text-primary-foreground [&>button]:hover:bg-primary-strong',
        today: 'font-semibold text-primary-ink',
        outside: 'text-muted-foreground opacity-50',
      }}
    />
  )
}
