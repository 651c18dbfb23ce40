/** How far a build is, and how long it will take. */
export type BuildProgress = {
  readonly percent: number
  /** Until the rows are written, if it goes on as it did; null while too little is known. Indexes come after that. */
  readonly secondsLeft: number | null
}

/** Before that, a rate says little. */
const KNOWN_AFTER_MS = 1000

/** At a position of a goal, for a build that began at this time (epoch milliseconds). */
export function buildProgress(at: bigint, of: bigint, began: number, now = Date.now()): BuildProgress {
  const part = of === 0n ? 1 : Math.min(1, Number(at) / Number(of))
  const elapsed = now - began
  const known = elapsed >= KNOWN_AFTER_MS && part > 0
  return { percent: Math.floor(part * 100), secondsLeft: known ? Math.ceil((elapsed * (1 - part)) / part / 1000) : null }
}

/** For people: `43 %, about 20 s left`. */
export function progressText({ percent, secondsLeft }: BuildProgress): string {
  if (secondsLeft === null) return `${percent} %`
  const left = secondsLeft < 120 ? `${secondsLeft} s` : `${Math.round(secondsLeft / 60)} min`
  return `${percent} %, about ${left} left`
}
