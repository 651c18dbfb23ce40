import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useState, type ComponentProps, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldInput } from '@/components/form/labelled-field'
import { formatPlainDay } from '@/i18n/format'
import { useToday } from '@/lib/clock'
import { isDay } from '@/lib/date-range'
import { dayOrder, isWholeDate, readDay, type Nearest } from '@/lib/read-day'
import { usePopup } from '@/lib/use-popup'
import { cn } from '@/lib/utils'

const load = () => import('./day-panel.tsx')
const DayPanel = lazy(async () => ({ default: (await load()).DayPanel }))

type DateInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onBlur' | 'min' | 'type'> & {
  /** Name of the day, for the calendar's button. */
  readonly label: string
  /** YYYY-MM-DD, empty, or text that is no day. */
  readonly value: string
  /** Gets the same as `value` holds. */
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  /** YYYY-MM-DD: the calendar offers no earlier day. A typed one reaches `onChange`. */
  readonly min?: string
  /** Which day a text without a year means. */
  readonly nearest?: Nearest
}

/**
 * A day, typed in the order of the language or picked in a calendar. Browsers' own date fields show a day while they are empty,
 * which reads as set.
 */
export function DateInput({
  label,
  value,
  onChange,
  onBlur,
  min,
  nearest,
  readOnly,
  disabled,
  className,
  ...props
}: DateInputProps) {
  const { t, i18n } = useTranslation()
  const today = useToday()
  /** Null unless it is being edited. */
  const [typed, setTyped] = useState<string | null>(null)
  const { shown, trigger, popup } = usePopup('dialog', load)
  const read = (text: string) => readDay(text, dayOrder(i18n.language), today, nearest)
  const day = isDay(value) ? value : null

  const type = (text: string) => {
    setTyped(text)
    // A year of two digits may be the beginning of one with four.
    onChange((isWholeDate(text) ? read(text) : null) ?? text.trim())
  }
  const finish = () => {
    if (typed === null) return
    setTyped(null)
    onChange(read(typed) ?? typed.trim())
  }
  const clear = () => {
    setTyped(null)
    onChange('')
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return finish()
    if (readOnly) return
    if (event.key === 'ArrowDown') trigger.onClick()
    else if (typed === null && day !== null && (event.key === 'Delete' || event.key === 'Backspace')) clear()
    else return
    event.preventDefault()
  }

  return (
    <div className={cn('relative', className)}>
      <FieldInput
        autoComplete="off"
        placeholder={t('date.format')}
        className="pr-10 tabular-nums"
        {...props}
        readOnly={readOnly}
        disabled={disabled}
        value={typed ?? (day === null ? value : formatPlainDay(day))}
        onFocus={({ target }) => target.select()}
        onKeyDown={press}
        onChange={({ target }) => type(target.value)}
        onBlur={() => {
          finish()
          onBlur?.()
        }}
      />
      {!readOnly && (
        <button
          type="button"
          aria-label={t('date.calendar', { label })}
          disabled={disabled}
          className="absolute inset-y-0.5 right-0.5 grid w-8 place-items-center rounded-md text-muted-foreground hover:text-foreground"
          {...trigger}
        >
          <CalendarDays aria-hidden className="size-4" />
        </button>
      )}
      {shown && (
        <Suspense>
          <DayPanel
            label={label}
            day={day}
            min={min ?? null}
            today={today}
            popup={popup}
            onPick={(picked) => {
              setTyped(null)
              onChange(picked)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
