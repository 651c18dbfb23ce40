import type { Served } from '#api/areas/services'

/** Services of others that this area uses. */
export const USES = ['apiKeys', 'people', 'queueMail', 'secondFactor', 'security', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type IdentityApiKeysServed = Served<Used>
