import { z } from '#contract/zod'
import { pageSearch } from '@/components/data-table/list-search'

export const ACCOUNT_TABS = ['overview', 'campaigns', 'people', 'history'] as const

/** `/admin/user/details/{id}?tab=…&page=…`; the page is that of the tab's table. */
export const accountSearch = z.object({
  tab: z.catch(z.optional(z.enum(ACCOUNT_TABS)), undefined),
  page: pageSearch,
})
