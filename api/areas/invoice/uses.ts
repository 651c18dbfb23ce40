import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'files', 'invoices', 'media', 'people', 'queueMail', 'secondPerson', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type InvoiceOwn = Own<Used>
export type InvoiceServed = Served<Used>
