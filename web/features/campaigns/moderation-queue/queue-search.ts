import { z } from '#contract/zod'
import { QUEUE_FILTERS } from '#contract/moderation'
import { pageFromZero } from '@/components/data-table/list-search'

/** The state of the screen is its URL: a submission can be linked to, and Back leads to the previous one. */
export const QUEUE_DEFAULTS = { page: 0, filter: 'all' } as const

export const queueSearch = z.object({
  /** Waiting items: campaigns, registrants, or approvals for a second look. */
  tab: z.catch(z.optional(z.enum(['registrants', 'second'])), undefined),
  /** The selected campaign; default: the first of the page. */
  id: z.catch(z.optional(z.string().check(z.maxLength(64))), undefined),
  page: pageFromZero,
  /** Submissions in the list, by moderator. */
  filter: z.catch(z._default(z.enum(QUEUE_FILTERS), 'all'), 'all'),
})
export type QueueSearch = z.output<typeof queueSearch>
export type OnQueueSearch = (search: Pick<QueueSearch, 'page'> & Partial<QueueSearch>, history?: 'push' | 'replace') => void
