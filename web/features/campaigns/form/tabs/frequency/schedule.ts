/** Hours of the week in which ads run: weekdays from 0 (Sunday), hours as "00" to "23" (decisions G-117). */

export type Weekday = '0' | '1' | '2' | '3' | '4' | '5' | '6'
export type Schedule = Readonly<Record<Weekday, readonly string[]>>
export type Cell = { readonly day: Weekday; readonly hour: number }

/** Monday first, in display order. */
export const DAYS: readonly Weekday[] = ['1', '2', '3', '4', '5', '6', '0']
export const HOURS: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour)
export const EMPTY: Schedule = { '0': [], '1': [], '2': [], '3': [], '4': [], '5': [], '6': [] }

export const slotOf = (hour: number): string => String(hour).padStart(2, '0')
export const isOn = (schedule: Schedule, { day, hour }: Cell): boolean => schedule[day].includes(slotOf(hour))
export const countOf = (schedule: Schedule): number => DAYS.reduce((sum, day) => sum + new Set(schedule[day]).size, 0)

/** An unchanged day keeps its stored slots in their stored order. */
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

const everyCell: readonly Cell[] = DAYS.flatMap((day) => HOURS.map((hour) => ({ day, hour })))

/** Positions in the grid: one hour of one day or, in the headers, one hour of all days, all hours of one day, and everything. */
export type Place = { readonly row: number; readonly hour: number }
export const ALL_DAYS = 0
export const ALL_HOURS = -1
export const ROWS: readonly number[] = [ALL_DAYS, ...DAYS.map((_, index) => index + 1)]

/** A stroke from a header continues along the header; a stroke from a cell never enters a header. */
function spanned(from: number, to: number, header: number, all: readonly number[]): readonly number[] {
  if (from === header) return all
  const end = Math.max(to, header + 1)
  return all.filter((each) => each >= Math.min(from, end) && each <= Math.max(from, end))
}

/** Returns every cell of the rectangle between two positions. */
export function cellsBetween(from: Place, to: Place): readonly Cell[] {
  const rows = spanned(from.row, to.row, ALL_DAYS, ROWS.slice(1))
  const hours = spanned(from.hour, to.hour, ALL_HOURS, HOURS)
  return rows.flatMap((row) => DAYS[row - 1] ?? []).flatMap((day) => hours.map((hour) => ({ day, hour })))
}

export const cellsAt = (place: Place): readonly Cell[] => cellsBetween(place, place)

/** Common weekly schedules. Each replaces the current selection. */
export const PRESETS = {
  business: cellsBetween({ row: 1, hour: 9 }, { row: 5, hour: 17 }),
  weekend: cellsBetween({ row: 6, hour: ALL_HOURS }, { row: 7, hour: ALL_HOURS }),
  always: everyCell,
  none: [],
} as const satisfies Readonly<Record<string, readonly Cell[]>>

/** Returns a schedule with exactly these cells. */
export function only(schedule: Schedule, cells: readonly Cell[]): Schedule {
  const others = everyCell.filter((each) => !cells.some(({ day, hour }) => day === each.day && hour === each.hour))
  return paint(paint(schedule, others, false), cells, true)
}

export type Share = 'all' | 'some' | 'none'
export function shareAt(schedule: Schedule, place: Place): Share {
  const cells = cellsAt(place)
  const on = cells.filter((cell) => isOn(schedule, cell)).length
  if (on === 0) return 'none'
  return on === cells.length ? 'all' : 'some'
}
