import { expect, it } from 'vitest'
import type { CampaignEvent } from '#domain/campaign/events'
import { created, decided, flight, plain, rejected, RUNNING, submitted } from '#test/support/campaign-facts'
import { commit, given, minute } from '#test/support/given-events'
import { needyCampaigns } from './attention-queries.ts'
import { campaignList } from './read-model.ts'

/** Types of a budget. */
const [TOTAL, DAILY] = [1, 2]

/** The reason for which a campaign with a budget of 100 needs its owner; null without one. */
async function reasonOf(events: readonly CampaignEvent[], spent = 0, budget_type_key = TOTAL): Promise<string | null> {
  const content = created({ budget: 100, budget_type_key })
  const found = await given(...[content, ...events].map((event) => commit('campaign-c', event)))
    .project(campaignList)
    .read(async (db) => {
      await db.insertInto('app.campaign_spend_totals').values({ campaign_id: 'c', billed: spent, overdelivered: 0 }).execute()
      return needyCampaigns(db, 'nile', minute(60))
    })
  for (const { count, first } of found) expect([count, first]).toMatchObject([1, [{ id: 'c', name: 'Nile Cruise' }]])
  return found[0]?.reason ?? null
}

it.each<readonly [title: string, events: readonly CampaignEvent[], reason: string | null]>([
  ['a running campaign has none', RUNNING, null],
  ['a draft has none', [], null],
  ['one without funds', [...RUNNING, plain('FundingFellShort')], 'no_money'],
  ['one without funds, rather than the submission that waits', [...RUNNING, submitted(2), plain('FundingFellShort')], 'no_money'],
  ['one that was rejected', [submitted(1), rejected(1)], 'rejected'],
  ['one whose change was rejected', [...RUNNING, submitted(2), rejected(2)], 'rejected'],
  ['one that its exchange refused', [...RUNNING, decided('disapproved')], 'disapproved'],
  ['one that has spent its budget', [...RUNNING, plain('TotalBudgetSpent')], 'ended'],
  ['one after its last day', [...RUNNING, flight('ended')], 'ended'],
  ['one that waits for a moderator', [submitted(1)], 'waiting'],
  ['one whose change waits for a moderator', [...RUNNING, submitted(2)], 'waiting'],
  ['an archived campaign has none', [...RUNNING, flight('ended'), plain('CampaignArchived')], null],
])('the reason to look after a campaign: %s', async (_, events, reason) => expect(await reasonOf(events)).toBe(reason))

it('a campaign needs its owner from four fifths of its budget on, but not of the budget of a day, which is meant to be used', async () => {
  expect(await reasonOf(RUNNING, 79)).toBeNull()
  expect(await reasonOf(RUNNING, 80)).toBe('near_budget')
  expect(await reasonOf(RUNNING, 80, DAILY)).toBeNull()
})

it('campaigns of other accounts are not among those of an account', async () => {
  const log = given(commit('campaign-c', [created(), submitted(1)])).project(campaignList)
  expect(await log.read((db) => needyCampaigns(db, 'lagos', minute(60)))).toEqual([])
})

it('names three campaigns of a reason, the last saved first, and counts all', async () => {
  const ids = ['a', 'b', 'c', 'd']
  const log = given(...ids.map((id) => commit(`campaign-${id}`, [created({}, id), submitted(1)]))).project(campaignList)
  const found = await log.read((db) => needyCampaigns(db, 'nile', minute(60)))
  expect(found.map(({ reason, count, first }) => [reason, count, first.map(({ id }) => id)])).toEqual([
    ['waiting', 4, ['d', 'c', 'b']],
  ])
})
