import { NOTIFICATION_KINDS } from '../../../domain/notification/notification.ts'
import { z } from '../../../api/contract/zod.ts'

/** `?kind=…&unread=true&page=…`: the filters of the list. */
export const notificationsSearch = z.object({
  kind: z.catch(z.optional(z.enum(NOTIFICATION_KINDS)), undefined),
  unread: z.catch(z.optional(z.literal(true)), undefined),
  page: z.catch(z.optional(z.coerce.number().check(z.int(), z.positive(), z.lte(100_000))), undefined),
})
