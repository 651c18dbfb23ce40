import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts'] as const
type Used = (typeof USES)[number]
export type GuideOwn = Own<Used>
export type GuideServed = Served<Used>
