import { enUS } from 'date-fns/locale/en-US'
import { useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { useTranslation } from 'react-i18next'
import { dateNames } from '@/i18n/date-names'
import { fromDay, toDay, type DateRange } from '@/lib/date-range'

type Draft = { readonly from: Date; readonly to: Date | undefined }
type RangeCalendarProps = { readonly value: DateRange; readonly onPick: (range: DateRange) => void }

/** Two clicks make a range: the first day, then the last (in either order). */
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
      className="border-hairline border-l pl-2"
      classNames={{
        months: 'relative',
        month_caption: 'flex h-8 items-center px-2 text-table font-semibold capitalize',
        nav: 'absolute top-0 right-0 flex gap-1',
        button_previous: 'grid size-8 place-items-center rounded-control hover:bg-sunken',
        button_next: 'grid size-8 place-items-center rounded-control hover:bg-sunken',
        chevron: 'size-4 fill-ink-soft',
        weekday: 'size-9 text-meta font-normal text-ink-soft',
        day: 'p-0 text-center text-table tabular-nums',
        day_button: 'size-9 rounded-control hover:bg-sunken dark:hover:bg-hairline',
        selected: 'bg-accent-tint',
        range_start: 'rounded-l-control [&>button]:bg-accent [&>button]:text-on-accent [&>button]:hover:bg-accent-strong',
        range_end: 'rounded-r-control [&>button]:bg-accent [&>button]:text-on-accent [&>button]:hover:bg-accent-strong',
        today: 'font-semibold text-accent-ink',
        outside: 'text-ink-soft opacity-50',
      }}
    />
  )
}
