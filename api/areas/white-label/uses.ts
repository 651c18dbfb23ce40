import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'files', 'invoices', 'links', 'media', 'secondPerson', 'templates', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type WhiteLabelOwn = Own<Used>
export type WhiteLabelServed = Served<Used>
