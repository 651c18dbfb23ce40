import { z } from '../../../api/contract/zod.ts'
import { isDay } from '../../domain/date-range.ts'

const day = z.string().refine(isDay).optional().catch(undefined)

/** `/reports?campaignId=…&start=…&end=…`: the same words for a range as in the list. */
export const reportSearch = z.object({ campaignId: z.coerce.string().max(100).default('').catch(''), start: day, end: day })
