import { z } from '#contract/zod'

export const ACCOUNT_TABS = ['overview', 'campaigns', 'people', 'history'] as const

/** `/admin/user/details/{id}?tab=…&page=…`; the page is that of the tab's table. */
export const accountSearch = z.object({
  tab: z.catch(z.optional(z.enum(ACCOUNT_TABS)), undefined),
  page: z.catch(z.optional(z.coerce.number().check(z.int(), z.positive(), z.lte(100_000))), undefined),
})
