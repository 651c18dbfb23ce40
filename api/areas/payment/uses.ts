import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'payments', 'people', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type PaymentOwn = Own<Used>
export type PaymentServed = Served<Used>
