import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['audiences', 'credentials', 'deliveries', 'inbox', 'settlements'] as const
type Used = (typeof USES)[number]
export type DeliveryOwn = Own<Used>
export type DeliveryServed = Served<Used>
