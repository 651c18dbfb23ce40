import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'audiences', 'files', 'people'] as const
type Used = (typeof USES)[number]
export type AudienceOwn = Own<Used>
export type AudienceServed = Served<Used>
