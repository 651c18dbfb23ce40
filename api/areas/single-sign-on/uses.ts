import type { Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = [
  'accounts',
  'links',
  'people',
  'queueMail',
  'secondPerson',
  'security',
  'sessions',
  'signOn',
  'whiteLabels',
] as const
type Used = (typeof USES)[number]
export type SingleSignOnServed = Served<Used>
