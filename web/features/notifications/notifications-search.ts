import { NOTIFICATION_KINDS } from '#domain/notifications/notification'
import { z } from '#contract/zod'

/** `?kind=…&state=unread&page=…`: the filters of the list. */
export const notificationsSearch = z.object({
  kind: z.catch(z.optional(z.enum(NOTIFICATION_KINDS)), undefined),
  state: z.catch(z.optional(z.enum(['unread'])), undefined),
  page: z.catch(z.optional(z.coerce.number().check(z.int(), z.positive(), z.lte(100_000))), undefined),
})
