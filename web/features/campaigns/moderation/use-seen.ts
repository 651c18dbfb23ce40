import { useState } from 'react'
import type { Campaign } from '#contract/campaign-body'

/**
 * Returns the version of a campaign that the moderator sees while others may change it. Changes that need no review appear at
 * once. Another submission or another moderator's decision waits until the moderator reloads, so that nothing changes just before
 * a click on Approve.
 */
export function useSeen(newest: Campaign, isFetching: boolean) {
  const [first, setFirst] = useState<Campaign | null>(null)
  // Cached data shown before the first fetch does not count as seen.
  if (first === null && !isFetching) setFirst(newest)
  const changed = first !== null && (first.moderation_start_at !== newest.moderation_start_at || first.review !== newest.review)
  return { campaign: changed ? first : newest, changed }
}
