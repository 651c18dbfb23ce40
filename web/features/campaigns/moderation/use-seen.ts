import { useState } from 'react'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'

/**
 * What a moderator sees of a campaign that others may change meanwhile. What needs no review follows at once; another submission, or
 * a decision by somebody else, waits until the moderator asks for it, so that nothing is swapped under a finger on the way to Approve.
 */
export function useSeen(newest: Campaign, isFetching: boolean) {
  const [first, setFirst] = useState<Campaign | null>(null)
  // What a cache held for a moment was never really looked at.
  if (first === null && !isFetching) setFirst(newest)
  const changed = first !== null && (first.moderation_start_at !== newest.moderation_start_at || first.review !== newest.review)
  return { campaign: changed ? first : newest, changed }
}
