/** The newest log position this page has seen. Every call sends it, so that reads include our own writes. */
let newest: bigint | null = null

export const seenPosition = (): string | null => newest?.toString() ?? null

export function notePosition(value: unknown) {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) return
  const position = BigInt(value)
  if (newest === null || position > newest) newest = position
}

export function forgetPosition() {
  newest = null
}
