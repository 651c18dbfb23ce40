/** The clock of tests that have a product, and of it: nothing else there reads the time. */
export const testClock = {
  /** Epoch milliseconds. */
  now: (): number => Date.now(),
  /** ISO 8601, so many milliseconds from now. */
  at: (ms = 0): string => new Date(testClock.now() + ms).toISOString(),
  /** A day of UTC, `YYYY-MM-DD`, so many days from today. */
  day: (days = 0): string => testClock.at(days * 86_400_000).slice(0, 10),
}
