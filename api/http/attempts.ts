/**
 * Failed sign-ins per key within a sliding window: enough for people who mistype, too few for guessing (ASVS 6.3.1). Successes cost
 * nothing, so that a client that signs in often is never shut out.
 */
export function createAttempts(limit: number, windowMs: number, now: () => number, tooMany: () => Error) {
  const failures = new Map<string, readonly number[]>()
  const recent = (key: string): readonly number[] => (failures.get(key) ?? []).filter((time) => time > now() - windowMs)

  return {
    /** Throws when there were too many failures of late. */
    check(key: string): void {
      if (recent(key).length >= limit) throw tooMany()
    },
    failed(key: string): void {
      // Old keys go as they are met, and all at once before they could fill the memory.
      if (failures.size > 10_000) for (const old of failures.keys()) if (recent(old).length === 0) failures.delete(old)
      failures.set(key, [...recent(key), now()])
    },
  }
}
export type Attempts = ReturnType<typeof createAttempts>
