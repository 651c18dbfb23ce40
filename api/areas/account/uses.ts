import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'people', 'secondPerson', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type AccountOwn = Own<Used>
export type AccountServed = Served<Used>
