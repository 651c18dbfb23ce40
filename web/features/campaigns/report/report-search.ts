import { z } from '../../../../api/contract/zod.ts'
import { isDay } from '@/lib/date-range'
import { REPORT_GROUPINGS, REPORT_METRICS } from './report-names.ts'

const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)

/** `/reports?campaignId=…&start=…&end=…&metric=…`, with the same range parameters as the list. */
export const reportSearch = z.object({
  campaignId: z.catch(z._default(z.coerce.string().check(z.maxLength(100)), ''), ''),
  start: day,
  end: day,
  /** The grouping of an account's table. */
  by: z.catch(z.optional(z.enum(REPORT_GROUPINGS)), undefined),
  /** The metric of the chart. */
  metric: z.catch(z.optional(z.enum(REPORT_METRICS)), undefined),
})
