import { z } from '../../../../api/contract/zod.ts'
import { logSearch } from './change-log/log-search.ts'
import { FORM_TABS } from './form-tabs.ts'

const tab = z.enum(FORM_TABS).default('basicInfo').catch('basicInfo')

export const editSearch = z.object({ tab, ...logSearch.shape })
export const createSearch = z.object({
  tab,
  type: z.enum(['awareness', 'consideration', 'conversion', 'other']).default('awareness').catch('awareness'),
  /** The campaign that the new one starts as a copy of. */
  replicatedId: z.string().max(100).optional().catch(undefined),
})
