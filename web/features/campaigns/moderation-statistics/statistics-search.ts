import { z } from '#contract/zod'
import { isDay } from '@/lib/date-range'

const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)

/** `/moderation/statistics?start=…&end=…`, with the range parameters of lists. */
export const statisticsSearch = z.object({ start: day, end: day })
export type StatisticsSearch = z.output<typeof statisticsSearch>
