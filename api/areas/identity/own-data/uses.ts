import type { Served } from '#api/areas/services'

/** Services of others that this area uses. */
export const USES = ['people', 'personal', 'queueMail', 'secondFactor', 'security', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type IdentityOwnDataServed = Served<Used>
