/** Figures of one bench by name, in printing order. */
export type Figures = Readonly<Record<string, number>>

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}

/** The value below which this share of the values lies; NaN without values. */
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

/** Rounds to significant digits: the rest is noise. */
export const round = (value: number, digits = 3): number => Number(value.toPrecision(digits))

/** Progress messages go to stderr: stdout is for the result line. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
