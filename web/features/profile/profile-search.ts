import { z } from '#contract/zod'

export const PROFILE_TABS = ['profile', 'security', 'notifications', 'apiKeys'] as const
export type ProfileTab = (typeof PROFILE_TABS)[number]

/** The tab of a profile page; without one, the first. */
export const profileSearch = z.object({ tab: z.catch(z.optional(z.enum(PROFILE_TABS)), undefined) })
