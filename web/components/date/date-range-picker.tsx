import { CalendarDays } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { fromDay, needsYear, presetOf, type DateRange } from '@/lib/date-range'
import { formatDay, formatShortDay } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { usePopup } from '@/lib/use-popup'
import { Button } from '@/components/ui/button'
import { useToday } from '@/lib/clock'

const load = () => import('./date-range-panel.tsx')
const DateRangePanel = lazy(async () => ({ default: (await load()).DateRangePanel }))

type DateRangePickerProps = {
  readonly value: DateRange
  /** Where days are those of another time zone than the user's own. */
  readonly today?: Date
  /** The side of the button at which the panel begins. */
  readonly align?: 'start' | 'end'
  readonly onChange: (range: DateRange) => void
}

export function DateRangePicker({ value, today: given, align = 'end', onChange }: DateRangePickerProps) {
  const { t } = useTranslation()
  const own = useToday()
  const today = given ?? own
  const preset = presetOf(value, today)
  const { shown, trigger, popup } = usePopup('dialog', load)
  const day = needsYear(value) ? formatDay : formatShortDay
  const dates = `${day(fromDay(value.start))} – ${day(fromDay(value.end))}`
  return (
    <>
      <Button variant="outline" aria-label={`${t('range.label')}: ${preset ? t(`range.${preset}`) : ''} ${dates}`} {...trigger}>
        <CalendarDays aria-hidden className="text-muted-foreground" />
        {preset !== null && <span>{t(`range.${preset}`)}</span>}{' '}
        <span className={cn('tabular-nums', preset !== null && 'text-muted-foreground font-normal')}>{dates}</span>
      </Button>
      {shown && (
        <Suspense>
          <DateRangePanel align={align} value={value} preset={preset} today={today} onChange={onChange} popup={popup} />
        </Suspense>
      )}
    </>
  )
}
