import type { CampaignOutcome } from '#commands/campaign/campaign-commands'
import { fault } from '#domain/campaign/saving/faults'
import { countCampaigns } from '#projections/campaign/list/queries'
import type { CampaignServed } from './uses.ts'
import { refused } from '#commands/refused'

/** Campaigns of an account, archived ones included. */
export const MOST_CAMPAIGNS = 10_000

/** What an account may store: a number of campaigns, and bytes of log a day. */
export const createQuota = ({ db, logQuota }: Pick<CampaignServed, 'db' | 'logQuota'>) => ({
  /** Throws 2 for an account that has as many campaigns as it may. */
  async oneMore(spaceId: string): Promise<void> {
    if ((await countCampaigns(db, spaceId)) >= MOST_CAMPAIGNS)
      throw refused(2, [fault('space_id', 2, 'tooMany', { max: MOST_CAMPAIGNS })])
  },

  /** Runs a command on the account's bytes of log; throws TooMany without any. A dry run stores nothing. */
  within: <Outcome extends CampaignOutcome | null>(
    spaceId: string,
    dryRun: boolean,
    command: () => Promise<Outcome>,
  ): Promise<Outcome> => (dryRun ? command() : logQuota.within(spaceId, command)),
})
export type Quota = ReturnType<typeof createQuota>
