import { NOTIFICATION_KINDS } from '#domain/notifications/notification'
import { z } from '#contract/zod'
import { pageSearch } from '@/components/data-table/list-search'

/** `?kind=…&state=unread&page=…`: the filters of the list. */
export const notificationsSearch = z.object({
  kind: z.catch(z.optional(z.enum(NOTIFICATION_KINDS)), undefined),
  state: z.catch(z.optional(z.enum(['unread'])), undefined),
  page: pageSearch,
})
