import { useQueries } from '@tanstack/react-query'
import { campaignQueries } from '@/data/campaign-queries'
import type { BulkRow } from './bulk-plan.ts'

/** The own bids of campaigns, which lists do not show. */
export function useBids(ids: readonly string[]): ReadonlyMap<string, NonNullable<BulkRow['bid']>> {
  const campaigns = useQueries({ queries: ids.map((id) => campaignQueries.detail(id)) })
  return new Map(
    campaigns.flatMap(({ data }) =>
      data === undefined ? [] : [[data.id, { manual_cpx: data.manual_cpx, user_cpx: data.user_cpx }] as const],
    ),
  )
}
