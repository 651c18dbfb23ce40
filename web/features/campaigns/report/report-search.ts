import { z } from '../../../../api/contract/zod.ts'
import { isDay } from '@/lib/date-range'

const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)

/** `/reports?campaignId=…&start=…&end=…`, with the same range parameters as the list. */
export const reportSearch = z.object({
  campaignId: z.catch(z._default(z.coerce.string().check(z.maxLength(100)), ''), ''),
  start: day,
  end: day,
})
