import { z } from '#contract/zod'
import { pageSearch } from '@/components/data-table/list-search'
import { isDay } from '@/lib/date-range'

const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)

/** `/events?start=…&end=…&name=…&show=unconfirmed&page=…`, with the range parameters of the list. The page counts from zero. */
export const eventsSearch = z.object({
  start: day,
  end: day,
  name: z.catch(z.optional(z.coerce.string().check(z.minLength(1), z.maxLength(100))), undefined),
  /** The events that are not confirmed, in place of the others. */
  show: z.catch(z.optional(z.enum(['unconfirmed'])), undefined),
  page: pageSearch,
})
