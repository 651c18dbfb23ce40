import type { Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['errors', 'running', 'security'] as const
type Used = (typeof USES)[number]
export type OperationsServed = Served<Used>
