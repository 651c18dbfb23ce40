import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'inbox', 'security', 'tracked', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type EventsOwn = Own<Used>
export type EventsServed = Served<Used>
