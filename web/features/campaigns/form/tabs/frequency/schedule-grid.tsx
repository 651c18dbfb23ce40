/* eslint-disable jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/control-has-associated-label -- a grid is a table of cells */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '../../../../../lib/cn.ts'
import { HOURS, ROWS, shareAt, slotOf, type Schedule, type Share } from './schedule.ts'
import { useDayNames } from './use-day-names.ts'
import { useScheduleGrid } from './use-schedule-grid.ts'

const LOOK: Readonly<Record<Share, string>> = {
  all: 'bg-accent border-accent text-on-accent',
  some: 'bg-accent-tint border-accent text-accent-ink',
  none: 'bg-surface border-edge/60 text-transparent',
}
// Not by colour alone: what is on carries a mark, and half of one where it is on for some days.
const MARK: Readonly<Record<Share, string>> = { all: '✓', some: '–', none: '' }

type ScheduleGridProps = {
  readonly label: string
  readonly schedule: Schedule
  readonly disabled: boolean
  readonly onChange: (schedule: Schedule) => void
}

/** A week of hours: click or drag with a pointer; one stop of Tab, arrows, Space and Shift with arrows by keyboard. */
export function ScheduleGrid({ label, schedule, disabled, onChange }: ScheduleGridProps) {
  const { t } = useTranslation('frequency')
  const names = useDayNames()
  const [painted, setPainted] = useState('')
  const { at, handlers } = useScheduleGrid({
    schedule,
    disabled,
    onChange,
    onPainted: (count, on) => setPainted(on ? t('paintedOn', { count }) : t('paintedOff', { count })),
  })
  const rowName = (row: number) => (row === 0 ? t('allDays') : (names.full[row - 1] ?? ''))
  return (
    <div className="col-span-2 overflow-x-auto pb-1">
      <table
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-readonly={disabled}
        className="w-full table-fixed border-separate border-spacing-0.5 touch-none select-none"
        {...handlers}
      >
        <thead>
          <tr>
            <td aria-hidden className="w-17" />
            {HOURS.map((hour) => (
              <th key={hour} scope="col" className="text-ink-soft text-[11px] leading-4 font-normal tabular-nums">
                {slotOf(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {HOURS.slice(0, ROWS).map((row) => (
            <tr key={row}>
              <th
                scope="row"
                aria-label={rowName(row)}
                className={cn('text-table pr-2 text-left font-normal whitespace-nowrap', row === 0 && 'text-ink-soft pb-1.5')}
              >
                {row === 0 ? t('allDaysShort') : names.short[row - 1]}
              </th>
              {HOURS.map((hour) => {
                const share = shareAt(schedule, { row, hour })
                return (
                  <td
                    key={hour}
                    data-row={row}
                    data-hour={hour}
                    tabIndex={at.row === row && at.hour === hour ? 0 : -1}
                    aria-selected={share === 'all'}
                    aria-label={`${rowName(row)} ${slotOf(hour)}:00${share === 'some' ? `, ${t('someDays')}` : ''}`}
                    className={cn(
                      'rounded-[5px] focus-visible:outline-offset-1',
                      row === 0 && 'pb-1.5',
                      !disabled && 'cursor-pointer',
                    )}
                  >
                    <span
                      aria-hidden
                      className={cn(
                        'flex h-6.5 items-center justify-center rounded-[5px] border text-[10px] leading-none',
                        LOOK[share],
                        disabled && 'opacity-60',
                      )}
                    >
                      {MARK[share]}
                    </span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <output className="sr-only">{painted}</output>
    </div>
  )
}
