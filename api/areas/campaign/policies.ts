import {
  accountFundingPolicy,
  builtInExchanges,
  clockPolicy,
  fundingPolicies,
  spendPolicies,
  type FindMoney,
} from '#commands/campaign/campaign-policies'
import type { Sweep } from '#commands/sweep'
import { MONEY_STREAMS, spaceOf } from '#projections/account/accounts'
import type { SecondLooks } from '#platform/campaign/second-looks'
import { pendingVerdicts } from '#projections/campaign/list/apply'
import { misfundedCampaigns, misspentCampaigns, suspendedWhiteLabels } from '#projections/campaign/list/money-queries'
import { dueCampaigns, undecidedCampaigns } from '#projections/campaign/list/queries'
import { shownBy } from '#projections/projector/generations'
import { followSteadily } from '#eventstore/steady-following'
import type { Needs, Own } from '#api/areas/services'

/** Sweeps of starts and ends, of funding, and of the built-in exchanges. */
export async function campaignSweeps(
  kit: Own<'caughtUp' | 'commands.campaigns' | 'db' | 'store' | 'whiteLabels'>,
  looks: SecondLooks,
): Promise<readonly Sweep[]> {
  const { caughtUp, config, db, logger, now, stops, store } = kit
  const policy = {
    commands: kit.commands.campaigns,
    now,
    commandId: (...parts: readonly string[]) => kit.derivedId('policy', ...parts),
  }
  const changedAccounts = new Set<string>()
  const accountChanges = followSteadily(store, {
    after: await store.head(),
    streams: MONEY_STREAMS,
    onPage: async ({ events, upTo }) => {
      await caughtUp(['accounts', 'campaign-list'], { position: upTo })
      for (const { stream } of events) changedAccounts.add(spaceOf(stream))
    },
    onError: (error) => logger.error({ err: error }, 'events of accounts could not be followed and are read again'),
  })
  stops.add(() => accountChanges.stop())
  const exchanges = builtInExchanges(
    policy,
    (limit, except) => undecidedCampaigns(db, limit, except),
    pendingVerdicts,
    () => shownBy(db, ['campaign-list']),
  )
  const misfunded: FindMoney = (only, limit, except) => misfundedCampaigns(db, { ...only, now: now(), limit, except })
  const misspent: FindMoney = (only, limit, except) => misspentCampaigns(db, { ...only, now: now(), limit, except })
  // A white-label is suspended beside the read models: a scan that ran before that must run again.
  const money = async () => `${await shownBy(db, ['campaign-list', 'accounts'])} ${await suspendedWhiteLabels(db)}`
  return [
    clockPolicy(policy, (instant, limit, except) => dueCampaigns(db, instant, limit, except)),
    // Before funding: a campaign that has spent its budget needs no more money.
    ...spendPolicies(policy, misspent, money),
    ...fundingPolicies(policy, misfunded, money),
    accountFundingPolicy(policy, misfunded, changedAccounts),
    ...(config.exchangeReview === 'instant' ? [exchanges] : []),
    secondLooks(kit, looks),
  ]
}

/** Draws the sample of second looks (fine print 104). It records rows, and issues no command. */
function secondLooks({ db, whiteLabels }: Needs<'db' | 'whiteLabels'>, looks: SecondLooks): Sweep {
  return {
    name: 'second-looks',
    basis: () => shownBy(db, ['audit-log']),
    async scan() {
      await looks.draw(async (id) => (await whiteLabels.settingsOf(id)).second_look_share)
      return []
    },
  }
}
