import { z } from '../../../../api/contract/zod.ts'
import { FORM_TABS } from './form-tabs.ts'

const tab = z.enum(FORM_TABS).default('basicInfo').catch('basicInfo')

export const editSearch = z.object({ tab })
export const createSearch = z.object({
  tab,
  type: z.enum(['awareness', 'consideration', 'conversion', 'other']).default('awareness').catch('awareness'),
  /** The campaign that the new one starts as a copy of. */
  replicatedId: z.string().max(100).optional().catch(undefined),
})
