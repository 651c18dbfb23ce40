import { campaignQueries, type ListScope } from '@/data/campaign-queries'
import { today } from '@/lib/clock'
import { shownSpace } from '@/session/identity'
import { listInputOf, type ListSearch } from './campaign-list-search.ts'

/** The input of the list for the current account, or for every account in reach. */
export const inputOf = (scope: ListScope, search: ListSearch, day: Date) =>
  listInputOf(search, scope === 'all' ? null : shownSpace(), day)

/** The list query of a scope. Apart from the search, which every page loads with its route. */
export const listQuery = (scope: ListScope, search: ListSearch, day = today()) =>
  campaignQueries.list(scope, inputOf(scope, search, day))

/** Returns the server's input for the CSV of every page of the list. */
export function exportInputOf(scope: ListScope, search: ListSearch, day: Date) {
  const { from_date, to_date, name, status_filter, space_id, space_ids, label_ids } = inputOf(scope, search, day)
  return {
    from_date,
    to_date,
    name,
    status_filter,
    space_id,
    ...(space_ids === undefined ? {} : { space_ids }),
    ...(label_ids === undefined ? {} : { label_ids }),
    include_labels: true,
  }
}
