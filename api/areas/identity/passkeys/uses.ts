import type { Served } from '#api/areas/services'

/** Services of others that this area uses. */
export const USES = ['passkeys', 'people', 'queueMail', 'secondFactor', 'security'] as const
type Used = (typeof USES)[number]
export type IdentityPasskeysServed = Served<Used>
