import { enUS } from 'date-fns/locale/en-US'
import type { ComponentProps } from 'react'
import { DateLib, DayPicker } from 'react-day-picker'
import { useTranslation } from 'react-i18next'
import { dateNames } from '@/i18n/date-names'

/** The calendar of one month, in the user's language. Weeks start on Monday. */
export function Calendar(props: ComponentProps<typeof DayPicker>) {
  const { t } = useTranslation()
  const names = dateNames()
  return (
    <DayPicker
      locale={names ?? enUS}
      weekStartsOn={1}
      labels={{
        labelPrevious: () => t('date.previous'),
        labelNext: () => t('date.next'),
        labelDayButton: (date, { today, selected }, options, library) => {
          // The name contains the number as it is shown: "1", not "1st".
          const day = (library ?? new DateLib(options)).format(date, names === null ? 'EEEE, MMMM d, yyyy' : 'PPPP')
          const named = today === true ? t('date.isToday', { day }) : day
          return selected === true ? t('date.isSelected', { day: named }) : named
        },
      }}
      classNames={{
        months: 'relative',
        month_caption: 'flex h-8 items-center px-2 text-[0.8125rem]/4.5 font-semibold capitalize',
        nav: 'absolute top-0 right-0 flex gap-1',
        button_previous: 'grid size-8 place-items-center rounded-md hover:bg-muted',
        button_next: 'grid size-8 place-items-center rounded-md hover:bg-muted',
        chevron: 'size-4 fill-muted-foreground',
        weekday: 'size-9 text-xs font-normal text-muted-foreground',
        day: 'p-0 text-center text-[0.8125rem]/4.5 tabular-nums',
        day_button: 'size-9 rounded-md hover:bg-accent disabled:opacity-40 disabled:hover:bg-transparent',
        selected: 'bg-primary-tint',
        range_start: 'rounded-l-md [&>button]:bg-primary [&>button]:text-primary-foreground [&>button]:hover:bg-primary-strong',
        range_end: 'rounded-r-md [&>button]:bg-primary [&>button]:text-primary-foreground [&>button]:hover:bg-primary-strong',
        today: 'font-semibold text-primary-ink',
        outside: 'text-muted-foreground opacity-50',
      }}
      {...props}
    />
  )
}
