import type { Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'links', 'people', 'scimTokens', 'secondPerson', 'security', 'signOn', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type ScimServed = Served<Used>
