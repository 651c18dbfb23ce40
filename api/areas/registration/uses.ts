import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['mailKeys', 'people', 'personal', 'queueMail', 'reference', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type RegistrationOwn = Own<Used>
export type RegistrationServed = Served<Used>
