import { campaignQueries, type ListScope } from '@/data/campaign-queries'
import { today } from '@/lib/clock'
import { shownSpace } from '@/session/identity'
import { listInputOf, type ListSearch } from './campaign-list-search.ts'

/** The list query of a scope for the current account. Apart from the search, which every page loads with its route. */
export const listQuery = (scope: ListScope, search: ListSearch, day = today()) =>
  campaignQueries.list(scope, listInputOf(search, scope === 'all' ? null : shownSpace(), day))

/** Returns the server's input for the CSV of every page of the list. */
export function exportInputOf(scope: ListScope, search: ListSearch, day: Date) {
  const { from_date, to_date, name, status_filter, space_id, space_ids, label_ids } = listInputOf(
    search,
    scope === 'all' ? null : shownSpace(),
    day,
  )
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
