import { useTranslation } from 'react-i18next'
import { PopoverPanel } from '@/components/popover-panel'
import { Button } from '@/components/ui/button'
import { fromDay, toDay } from '@/lib/date-range'
import type { Popup } from '@/lib/use-popup'
import { Calendar } from './calendar.tsx'

type DayPanelProps = {
  readonly label: string
  readonly day: string | null
  readonly min: string | null
  readonly today: Date
  readonly popup: Popup
  /** Gets YYYY-MM-DD, or an empty text for no day. */
  readonly onPick: (day: string) => void
}

/** The calendar of one day. Its choice closes it. */
export function DayPanel({ label, day, min, today, popup, onPick }: DayPanelProps) {
  const { t } = useTranslation()
  const pick = (picked: string) => {
    onPick(picked)
    popup.onOpenChange(false)
  }
  const first = min === null ? null : fromDay(min)
  const shown = day === null ? (first ?? today) : fromDay(day)
  return (
    <PopoverPanel
      popup={popup}
      align="end"
      aria-label={label}
      onOpenAutoFocus={(event) => {
        // The day that arrow keys start from, not the button of the previous month.
        event.preventDefault()
        if (event.currentTarget instanceof HTMLElement)
          event.currentTarget.querySelector<HTMLElement>('td button[tabindex="0"]')?.focus()
      }}
    >
      <Calendar
        mode="single"
        today={today}
        defaultMonth={shown}
        modifiersClassNames={{
          selected: 'rounded-md [&>button]:bg-primary [&>button]:text-primary-foreground [&>button]:hover:bg-primary-strong',
        }}
        selected={day === null ? undefined : fromDay(day)}
        onDayClick={(picked, { disabled }) => {
          if (disabled !== true) pick(toDay(picked))
        }}
        disabled={first === null ? false : { before: first }}
        {...(first !== null && { startMonth: first < shown ? first : shown })}
      />
      <div className="flex justify-between border-border border-t pt-2">
        <Button variant="ghost" size="sm" disabled={day === null} onClick={() => pick('')}>
          {t('date.clear')}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          disabled={first !== null && toDay(today) < toDay(first)}
          onClick={() => pick(toDay(today))}
        >
          {t('date.today')}
        </Button>
      </div>
    </PopoverPanel>
  )
}
