import { z } from '#contract/zod'
import { logSearch } from '../change-log/log-search.ts'
import { FORM_TABS } from './form-tabs.ts'

const tab = z.catch(z._default(z.enum(FORM_TABS), 'basicInfo'), 'basicInfo')

export const editSearch = z.object({
  tab,
  ...logSearch.shape,
  /** An instant: the campaign as it was then. */
  as_of: z.catch(z.optional(z.iso.datetime()), undefined),
})
export const createSearch = z.object({
  tab,
  type: z.catch(z._default(z.enum(['awareness', 'consideration', 'conversion', 'other']), 'awareness'), 'awareness'),
  /** The source campaign of a copy. */
  replicatedId: z.catch(z.optional(z.string().check(z.maxLength(100))), undefined),
})
