import { z } from '#contract/zod'
import { pageSearch } from '@/components/data-table/list-search'

/** `/campaigns/schedule?state=ended&page=2`: what waits, unless it says otherwise. */
export const scheduleSearch = z.object({ state: z.catch(z.optional(z.literal('ended')), undefined), page: pageSearch })
export type ScheduleSearch = z.output<typeof scheduleSearch>
