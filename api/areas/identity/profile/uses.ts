import type { Served } from '#api/areas/services'

/** Services of others that this area uses. */
export const USES = ['media', 'people', 'personal', 'queueMail', 'secondFactor', 'security', 'sessions', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type IdentityProfileServed = Served<Used>
