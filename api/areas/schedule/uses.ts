import type { Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'campaigns', 'notify', 'people'] as const
type Used = (typeof USES)[number]
export type ScheduleServed = Served<Used>
