/** Business time as ISO 8601 UTC; `offsetSeconds` moves the whole product (PLACARD_CLOCK_OFFSET). */
export const createClock = (offsetSeconds: number) => (): string => new Date(Date.now() + offsetSeconds * 1000).toISOString()
