import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'campaigns'] as const
type Used = (typeof USES)[number]
export type WhitelistsOwn = Own<Used>
export type WhitelistsServed = Served<Used>
