import { z } from '../../../api/contract/zod.ts'

/** What the screen shows is its URL: a submission can be linked to, and Back leads to the one before. */
export const QUEUE_DEFAULTS = { page: 0 } as const

export const queueSearch = z.object({
  /** The campaign that is looked at; the first of the page where there is none. */
  id: z.string().max(64).optional().catch(undefined),
  page: z.coerce.number().int().min(0).default(QUEUE_DEFAULTS.page).catch(QUEUE_DEFAULTS.page),
})
export type QueueSearch = z.output<typeof queueSearch>
