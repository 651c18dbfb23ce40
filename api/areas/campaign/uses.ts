import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'audiences', 'campaigns', 'files', 'people', 'personal', 'reference', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type CampaignOwn = Own<Used>
export type CampaignServed = Served<Used>
