import type { Own, Served } from '../services.ts'

/** Services of others that this area uses. */
export const USES = ['accounts', 'notify', 'queueMail'] as const
type Used = (typeof USES)[number]
export type NotificationsOwn = Own<Used>
export type NotificationsServed = Served<Used>
