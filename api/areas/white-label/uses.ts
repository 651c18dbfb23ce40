import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'byHand', 'files', 'invoices', 'links', 'media', 'templates', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type WhiteLabelOwn = Own<Used>
export type WhiteLabelServed = Served<Used>
