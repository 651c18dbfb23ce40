import type { Served } from '#api/areas/services'

/** Services of others that this area uses. */
export const USES = ['credentials', 'people', 'queueMail', 'security', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type IdentitySecurityServed = Served<Used>
