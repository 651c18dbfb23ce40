import type { Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'people'] as const
export type ViewsServed = Served<(typeof USES)[number]>
