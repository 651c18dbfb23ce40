import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'campaigns', 'people', 'queueMail', 'reference', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type ReportsOwn = Own<Used>
export type ReportsServed = Served<Used>
