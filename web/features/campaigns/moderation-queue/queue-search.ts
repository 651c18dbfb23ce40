import { z } from '#contract/zod'
import { pageFromZero } from '@/components/data-table/list-search'

/** The state of the screen is its URL: a submission can be linked to, and Back leads to the previous one. */
export const QUEUE_DEFAULTS = { page: 0 } as const

export const queueSearch = z.object({
  /** What waits: campaigns, or registrants. */
  tab: z.catch(z.optional(z.literal('registrants')), undefined),
  /** The selected campaign; default: the first of the page. */
  id: z.catch(z.optional(z.string().check(z.maxLength(64))), undefined),
  page: pageFromZero,
})
export type QueueSearch = z.output<typeof queueSearch>
export type OnQueueSearch = (search: QueueSearch, history?: 'push' | 'replace') => void
