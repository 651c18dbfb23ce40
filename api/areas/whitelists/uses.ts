import type { Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'campaigns'] as const
type Used = (typeof USES)[number]
export type WhitelistsServed = Served<Used>
