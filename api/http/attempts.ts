/** Failed and successful sign-ins per key within a sliding window: enough for people, too few for guessing (ASVS 6.3.1). */
export function createAttempts(limit: number, windowMs: number, now: () => number, tooMany: () => Error) {
  const seen = new Map<string, number[]>()
  return function attempt(key: string): void {
    const from = now() - windowMs
    // Old keys are dropped as they are met, and all at once before they could fill the memory.
    if (seen.size > 10_000) for (const [old, times] of seen) if ((times.at(-1) ?? 0) <= from) seen.delete(old)
    const recent = (seen.get(key) ?? []).filter((time) => time > from)
    if (recent.length >= limit) throw tooMany()
    seen.set(key, [...recent, now()])
  }
}
