/** Hours of the week in which ads run: weekdays from 0 (Sunday), hours as "00" to "23" (decisions G-117). */

export type Weekday = '0' | '1' | '2' | '3' | '4' | '5' | '6'
export type Schedule = Readonly<Record<Weekday, readonly string[]>>
export type Cell = { readonly day: Weekday; readonly hour: number }

/** Monday first, as it is shown. */
export const DAYS: readonly Weekday[] = ['1', '2', '3', '4', '5', '6', '0']
export const HOURS: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour)
export const EMPTY: Schedule = { '0': [], '1': [], '2': [], '3': [], '4': [], '5': [], '6': [] }

export const slotOf = (hour: number): string => String(hour).padStart(2, '0')
export const isOn = (schedule: Schedule, { day, hour }: Cell): boolean => schedule[day].includes(slotOf(hour))
export const countOf = (schedule: Schedule): number => DAYS.reduce((sum, day) => sum + new Set(schedule[day]).size, 0)

/** A day that already is as asked stays as it came, in whatever order its slots are. */
function withSlots(stored: readonly string[], slots: readonly string[], on: boolean): readonly string[] {
  if (!on) return stored.some((slot) => slots.includes(slot)) ? stored.filter((slot) => !slots.includes(slot)) : stored
  const added = slots.filter((slot) => !stored.includes(slot))
  return added.length === 0 ? stored : [...stored, ...added].sort()
}

export function paint(schedule: Schedule, cells: readonly Cell[], on: boolean): Schedule {
  const slotsOf = (day: Weekday) => cells.filter((cell) => cell.day === day).map(({ hour }) => slotOf(hour))
  const entries = DAYS.map((day) => [day, withSlots(schedule[day], slotsOf(day), on)] as const)
  return { ...schedule, ...Object.fromEntries(entries) }
}

export const everyCell: readonly Cell[] = DAYS.flatMap((day) => HOURS.map((hour) => ({ day, hour })))
export const alwaysOn = (schedule: Schedule): Schedule => paint(schedule, everyCell, true)

/** Places in the grid: row 0 is "All days", the others are days. */
export type Place = { readonly row: number; readonly hour: number }
export const ROWS = DAYS.length + 1

/** What a place in the grid stands for: one hour of one day, or of all of them. */
export function cellsAt({ row, hour }: Place): readonly Cell[] {
  const day = DAYS[row - 1]
  return day === undefined ? DAYS.map((each) => ({ day: each, hour })) : [{ day, hour }]
}

/** Every cell of the rectangle between two places. */
export function cellsBetween(from: Place, to: Place): readonly Cell[] {
  const rows = HOURS.slice(0, ROWS).filter((row) => row >= Math.min(from.row, to.row) && row <= Math.max(from.row, to.row))
  const hours = HOURS.filter((hour) => hour >= Math.min(from.hour, to.hour) && hour <= Math.max(from.hour, to.hour))
  const days = rows.includes(0) ? DAYS : rows.flatMap((row) => DAYS[row - 1] ?? [])
  return days.flatMap((day) => hours.map((hour) => ({ day, hour })))
}

export type Share = 'all' | 'some' | 'none'
export function shareAt(schedule: Schedule, place: Place): Share {
  const cells = cellsAt(place)
  const on = cells.filter((cell) => isOn(schedule, cell)).length
  if (on === 0) return 'none'
  return on === cells.length ? 'all' : 'some'
}
