import type { Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['campaigns', 'deliveries', 'sessions', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type LiveServed = Served<Used>
