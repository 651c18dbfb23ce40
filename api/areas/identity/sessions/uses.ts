import type { Served } from '#api/areas/services'

/** Services of others that this area uses. */
export const USES = [
  'accounts',
  'passkeys',
  'people',
  'queueMail',
  'secondFactor',
  'security',
  'sessions',
  'whiteLabels',
] as const
type Used = (typeof USES)[number]
export type IdentitySessionsServed = Served<Used>
