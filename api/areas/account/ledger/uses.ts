import type { Own, Served } from '#api/areas/services'

/** Services of others that this area uses. */
export const USES = ['accounts', 'people', 'secondPerson', 'settlements', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type AccountLedgerOwn = Own<Used>
export type AccountLedgerServed = Served<Used>
