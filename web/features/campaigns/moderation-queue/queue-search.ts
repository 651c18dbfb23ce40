import { z } from '#contract/zod'

/** The state of the screen is its URL: a submission can be linked to, and Back leads to the previous one. */
export const QUEUE_DEFAULTS = { page: 0 } as const

export const queueSearch = z.object({
  /** What waits: campaigns, or registrants. */
  tab: z.catch(z.optional(z.literal('registrants')), undefined),
  /** The selected campaign; default: the first of the page. */
  id: z.catch(z.optional(z.string().check(z.maxLength(64))), undefined),
  page: z.catch(z._default(z.coerce.number().check(z.int(), z.gte(0)), QUEUE_DEFAULTS.page), QUEUE_DEFAULTS.page),
})
export type QueueSearch = z.output<typeof queueSearch>
