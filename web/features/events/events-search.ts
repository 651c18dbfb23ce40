import { z } from '#contract/zod'
import { isDay } from '@/lib/date-range'

const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)

/** `/events?start=…&end=…&name=…&page=…`, with the range parameters of the list. The page counts from zero. */
export const eventsSearch = z.object({
  start: day,
  end: day,
  name: z.catch(z.optional(z.coerce.string().check(z.minLength(1), z.maxLength(100))), undefined),
  page: z.catch(z.optional(z.coerce.number().check(z.int(), z.positive(), z.lte(1_000_000))), undefined),
})
