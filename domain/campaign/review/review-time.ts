/**
 * The time limit of a review: one working day, Monday to Friday in UTC. Submissions at a weekend count from Monday 00:00.
 * Holidays are ignored.
 */

const DAY_MS = 86_400_000
const isWeekend = (instant: number) => [0, 6].includes(new Date(instant).getUTCDay())
const startOfDay = (instant: number) => instant - (((instant % DAY_MS) + DAY_MS) % DAY_MS)

/** The instant itself on a working day, else the Monday 00:00 after it. */
function onWorkingDay(instant: number): number {
  let day = instant
  while (isWeekend(day)) day = startOfDay(day) + DAY_MS
  return day
}

/** Due time of the decision on a submission from `startedAt`: the same time on the next working day. Both ISO 8601 UTC. */
export function reviewDueAt(startedAt: string): string {
  let due = onWorkingDay(Date.parse(startedAt)) + DAY_MS
  while (isWeekend(due)) due += DAY_MS
  return new Date(due).toISOString()
}

/** The elapsed part of that time: 0 at the start, 1 when the decision is due, more when it is late. */
export const reviewTimeUsed = (startedAt: string, now: number): number => workingTime(Date.parse(startedAt), now) / DAY_MS

/** Milliseconds between two instants that fall on working days. */
function workingTime(from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to;) {
    const next = Math.min(startOfDay(at) + DAY_MS, to)
    if (!isWeekend(at)) sum += next - at
    at = next
  }
  return sum
}
