import type { Served } from '#api/areas/services'

/** Services of others that this area uses. */
export const USES = ['accounts', 'people', 'queueMail', 'secondPerson', 'sessions'] as const
type Used = (typeof USES)[number]
export type IdentityTeamServed = Served<Used>
