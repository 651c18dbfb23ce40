import { DAYS, HOURS, isOn, type Schedule, type Weekday } from './schedule.ts'

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Returns the hours of a day as ranges: "09:00–12:00, 14:00–18:00". */
export function stretches(schedule: Schedule, day: Weekday): string {
  const on = HOURS.filter((hour) => isOn(schedule, { day, hour }))
  const starts = on.filter((hour) => !on.includes(hour - 1))
  const ends = on.filter((hour) => !on.includes(hour + 1))
  return starts.map((start, index) => `${clock(start)}–${clock((ends[index] ?? start) + 1)}`).join(', ')
}

/** Returns consecutive weekdays as ranges: Mon–Fri, Sun. */
function runs(places: readonly number[], names: readonly string[]): string {
  const starts = places.filter((place) => !places.includes(place - 1))
  return starts
    .map((start) => {
      const end = places.find((place) => place >= start && !places.includes(place + 1)) ?? start
      return start === end ? names[start] : `${names[start]}–${names[end]}`
    })
    .join(', ')
}

/** Returns the schedule as text, grouping days with the same hours; '' when no slot is set. Names are Monday first. */
export function summaryOf(schedule: Schedule, names: readonly string[]): string {
  const byHours = new Map<string, number[]>()
  for (const [place, day] of DAYS.entries()) {
    const hours = stretches(schedule, day)
    if (hours !== '') byHours.set(hours, [...(byHours.get(hours) ?? []), place])
  }
  return [...byHours].map(([hours, places]) => `${runs(places, names)} ${hours}`).join('; ')
}
