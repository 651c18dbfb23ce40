/** Milliseconds from the machine's clock to that of tests over HTTP, which begins at noon of UTC: no hour of theirs is of another day. */
export const CLOCK_OFFSET_MS = Number(process.env['TEST_CLOCK_OFFSET'] ?? 0) * 1000

/** The clock of tests and of their products. */
export const testClock = {
  now: (): number => Date.now() + CLOCK_OFFSET_MS,
  /** ISO 8601, so many milliseconds from now. */
  at: (ms = 0): string => new Date(testClock.now() + ms).toISOString(),
  /** A day of UTC, `YYYY-MM-DD`, so many days from today. */
  day: (days = 0): string => testClock.at(days * 86_400_000).slice(0, 10),
}
