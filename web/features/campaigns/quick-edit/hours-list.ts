import type { Campaign } from '#contract/campaign-body'
import {
  DAYS,
  EMPTY,
  HOURS,
  isOn,
  slotOf,
  type Cell,
  type Schedule,
  type Weekday,
} from '@/features/campaigns/form/tabs/frequency/schedule'

/** The hours of a week as a list, so that they are added, removed and replaced like every other part of the targeting. */

export type Scheduled = Pick<Campaign, 'freq_and_scheduling_on' | 'frequency_cap' | 'scheduling'>

const nameOf = ({ day, hour }: Cell): string => `${day}-${slotOf(hour)}`
const CELLS: readonly Cell[] = DAYS.flatMap((day) => HOURS.map((hour) => ({ day, hour })))
/** Every hour, Monday first: "1-09" is Monday from 9:00 to 10:00. */
export const EVERY_HOUR: readonly string[] = CELLS.map(nameOf)

export const hoursIn = (schedule: Schedule): readonly string[] => CELLS.filter((cell) => isOn(schedule, cell)).map(nameOf)

export function scheduleOf(hours: readonly string[]): Record<Weekday, string[]> {
  const on = (day: Weekday) => HOURS.map(slotOf).filter((slot) => hours.includes(`${day}-${slot}`))
  return { '0': on('0'), '1': on('1'), '2': on('2'), '3': on('3'), '4': on('4'), '5': on('5'), '6': on('6') }
}

/** The hours in which a campaign runs: every hour without a schedule, and while it is off. */
export function hoursOf({ freq_and_scheduling_on: on, scheduling }: Scheduled): readonly string[] {
  const hours = on ? hoursIn({ ...EMPTY, ...scheduling }) : []
  return hours.length === 0 ? EVERY_HOUR : hours
}

const NO_CAPS: Campaign['frequency_cap'] = { '1': null, '2': null, '3': null }

/** Fields of a save of hours. One switch turns on the hours and the caps: caps that were off stay without effect. */
export function savedHours({ freq_and_scheduling_on: on }: Scheduled, hours: readonly string[]): Partial<Scheduled> {
  const scheduling = scheduleOf(hours)
  return on ? { scheduling } : { freq_and_scheduling_on: true, frequency_cap: NO_CAPS, scheduling }
}
