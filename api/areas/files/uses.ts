import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'files', 'media', 'whiteLabels'] as const
type Used = (typeof USES)[number]
export type FilesOwn = Own<Used>
export type FilesServed = Served<Used>
