/** Figures of one bench by name, in the order in which they are printed. */
export type Figures = Readonly<Record<string, number>>

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}

/** The value below which this part of the values lies; NaN of none. */
export const percentile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Seconds that the work took. */
export async function timed(work: () => unknown): Promise<number> {
  const begin = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - begin) / 1e9
}

/** To so many significant digits: the rest is noise. */
export const round = (value: number, digits = 3): number => Number(value.toPrecision(digits))

/** What is said while a bench runs goes to stderr: stdout is for its one line. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
