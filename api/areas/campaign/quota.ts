import { fault } from '#domain/campaign/saving/faults'
import { countCampaigns } from '#projections/campaign/list/queries'
import type { Needs } from '#api/areas/services'
import { refused } from '#commands/refused'

/** Campaigns of an account, archived ones included. */
export const MOST_CAMPAIGNS = 10_000

/** How many campaigns an account may have. */
export const createQuota = ({ db }: Needs<'db'>) => ({
  /** Throws 2 for an account that has as many campaigns as it may. */
  async oneMore(spaceId: string): Promise<void> {
    if ((await countCampaigns(db, spaceId)) >= MOST_CAMPAIGNS)
      throw refused(2, [fault('space_id', 2, 'tooMany', { max: MOST_CAMPAIGNS })])
  },
})
export type Quota = ReturnType<typeof createQuota>
