import { useTranslation } from 'react-i18next'
import { cn } from '@/lib/utils'
import { ALL_DAYS, ALL_HOURS, HOURS, ROWS, shareAt, slotOf, type Place, type Schedule } from './schedule.ts'
import { useDayNames } from './use-day-names.ts'
import { useScheduleGrid } from './use-schedule-grid.ts'

// An enabled hour has a mark, so that colour is not the only signal.
const ON = '✓'

type ScheduleGridProps = {
  readonly label: string
  readonly schedule: Schedule
  readonly disabled: boolean
  readonly onChange: (schedule: Schedule) => void
  readonly onPainted: (hours: number, on: boolean) => void
}

/**
 * A week of hours. Pointer: click or drag. Keyboard: one Tab stop, arrows, Space, Shift with arrows. Headers select a whole day
 * or hour.
 */
export function ScheduleGrid({ label, schedule, ...input }: ScheduleGridProps) {
  const { t } = useTranslation('frequency')
  const names = useDayNames()
  const { gridProps, placeProps } = useScheduleGrid({ schedule, ...input })
  const clickable = !input.disabled && 'cursor-pointer'
  const dayName = (row: number) => (row === ALL_DAYS ? t('allDays') : (names.full[row - 1] ?? ''))
  const nameOf = ({ row, hour }: Place) => {
    const what = hour === ALL_HOURS ? `${dayName(row)}, ${t('allHours')}` : `${dayName(row)} ${slotOf(hour)}:00`
    return shareAt(schedule, { row, hour }) === 'some' ? `${what}, ${t('partly')}` : what
  }
  const header = (place: Place, text: string | undefined) => (
    <th
      key={place.hour}
      scope={place.hour === ALL_HOURS ? 'row' : 'col'}
      aria-label={nameOf(place)}
      {...placeProps(place)}
      className={cn('rounded-[5px] p-0 focus-visible:outline-offset-1', clickable)}
    >
      <span
        className={cn(
          'flex h-6.5 items-center rounded-[5px] border border-transparent font-normal whitespace-nowrap',
          place.hour === ALL_HOURS ? 'text-[0.8125rem]/4.5 px-1.5' : 'justify-center text-[11px] tabular-nums',
          shareAt(schedule, place) === 'all' ? 'bg-primary-tint text-primary-ink' : 'text-muted-foreground',
          !input.disabled && 'hover:border-input',
        )}
      >
        {text}
      </span>
    </th>
  )
  const cell = (place: Place) => {
    const on = shareAt(schedule, place) === 'all'
    return (
      <td
        key={place.hour}
        aria-label={nameOf(place)}
        {...placeProps(place)}
        className={cn('rounded-[5px] p-0 focus-visible:outline-offset-1', clickable)}
      >
        <span
          aria-hidden
          className={cn(
            'flex h-6.5 items-center justify-center rounded-[5px] border text-[10px] leading-none',
            on ? 'bg-primary border-primary text-primary-foreground' : 'bg-card border-input/60',
          )}
        >
          {on && ON}
        </span>
      </td>
    )
  }
  return (
    <div className="col-span-2 -mx-4 -my-1 overflow-x-auto px-2 py-1">
      <table
        aria-label={label}
        {...gridProps}
        className="w-full table-fixed border-separate border-spacing-0.5 touch-none select-none"
      >
        <colgroup>
          <col className="w-15" />
        </colgroup>
        <tbody>
          {ROWS.map((row) => (
            <tr key={row}>
              {header({ row, hour: ALL_HOURS }, row === ALL_DAYS ? t('allDays') : names.short[row - 1])}
              {HOURS.map((hour) => (row === ALL_DAYS ? header({ row, hour }, slotOf(hour)) : cell({ row, hour })))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
