import { z } from '#contract/zod'
import { pageSearch } from '@/components/data-table/list-search'

/** The section, its page and its filter are the address. */

export const OPERATIONS_TABS = ['queues', 'readModels', 'processes', 'errors', 'settings', 'licences'] as const

export const operationsSearch = z.object({
  tab: z.catch(z.optional(z.enum(OPERATIONS_TABS)), undefined),
  page: pageSearch,
  /** Id of a request, among errors. */
  request: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
})
export type OperationsSearch = z.output<typeof operationsSearch>

export type SectionProps = {
  readonly search: OperationsSearch
  readonly onSearch: (patch: Partial<OperationsSearch>, history: 'push' | 'replace') => void
}
