import { describe, expect, it } from 'vitest'
import type { AccountEvent } from '#domain/account/account'
import { CAMPAIGN_EVENTS, type CampaignEvent } from '#domain/campaign/events'
import {
  approved,
  commented,
  created,
  dayBudget,
  decided,
  flight,
  plain,
  rejected,
  saved,
  secondLook,
  submitted,
  withdrawn,
} from '#test/support/campaign-facts'
import { commit, expectExamplesOf, given, logOf, minute } from '#test/support/given-events'
import { itKeepsTheLaws } from '#test/support/rebuild-laws'
import { accounts } from '#projections/account/read-model'
import { campaignList } from '../list/read-model.ts'
import { moderationQueue as pageOfQueue } from './queries.ts'
import { moderationQueue } from './read-model.ts'

const campaign = (...events: readonly CampaignEvent[]) =>
  given(...[created(), ...events].map((event) => commit('campaign-c', event))).project(moderationQueue)

const BEFORE = {
  campaign_id: 'c',
  whitelabel_id: 'dsp',
  submission: null,
  moderation_start_at: null,
  archived: false,
  re_review: false,
}
const waiting = (submission: number) => ({ submission, moderation_start_at: minute(submission) })

describe('a campaign in the moderation queue', () => {
  it.each<readonly [title: string, events: readonly CampaignEvent[], row: object]>([
    ['does not wait before its submission', [], {}],
    ['waits since its submission', [submitted(1)], waiting(1)],
    ['no longer waits once it is withdrawn', [submitted(1), withdrawn(1)], {}],
    ['no longer waits once it is approved', [submitted(1), approved(1)], { re_review: true }],
    ['no longer waits once it is rejected, and its next review is a first one', [submitted(1), rejected(1)], {}],
    ['waits again with its next submission', [submitted(1), rejected(1), submitted(2)], waiting(2)],
    ['waits for another review after an approval', [submitted(1), approved(1), submitted(2)], { ...waiting(2), re_review: true }],
    ['keeps its place while it is archived', [submitted(1), plain('CampaignArchived')], { ...waiting(1), archived: true }],
    [
      'waits as before once it is no longer archived',
      [submitted(1), plain('CampaignArchived'), plain('CampaignUnarchived')],
      waiting(1),
    ],
  ])('a campaign in the moderation queue: %s', (_, events, row) =>
    campaign(...events).shows({ moderation_queue: [{ ...BEFORE, ...row, version: events.length + 1 }] }),
  )

  it('waits beside those of other campaigns', () =>
    given(
      commit('campaign-a', [created({}, 'a'), submitted(1)]),
      commit('campaign-b', [created({}, 'b'), submitted(3)]),
      commit('campaign-a', approved(1)),
    )
      .project(moderationQueue)
      .shows({
        moderation_queue: [
          { campaign_id: 'a', submission: null, re_review: true },
          { campaign_id: 'b', ...waiting(3) },
        ],
      }))

  it.each<CampaignEvent>([
    saved({ path: 'name', from: 'Nile Cruise', to: 'Delta' }),
    plain('CampaignSwitchedOn'),
    plain('CampaignSwitchedOff'),
    flight('upcoming'),
    dayBudget('DayBudgetReached'),
    dayBudget('DayBudgetReopened'),
    plain('TotalBudgetSpent'),
    plain('TotalBudgetReopened'),
    plain('FundingFellShort'),
    plain('FundingRestored'),
    plain('ServingSuspended'),
    plain('ServingRestored'),
    decided('approved'),
    plain('CampaignLaunched'),
    commented,
    secondLook('disagreed'),
  ])('a campaign in the moderation queue is left as it is by $type', (event) =>
    campaign(submitted(1), event).shows({ moderation_queue: [{ ...BEFORE, ...waiting(1), version: 2 }] }),
  )
})

describe('the moderation queue', () => {
  const account = (id: string): AccountEvent => ({
    type: 'AccountOpened',
    data: { space_id: id, whitelabel_id: 'dsp', name: `Ads of ${id}`, currency: 'USD', house: false },
  })
  const of = (space_id: string, id: string): CampaignEvent => {
    const { type, data } = created({}, id) as Extract<CampaignEvent, { type: 'CampaignCreated' }>
    return { type, data: { ...data, space_id } }
  }
  const log = given(
    commit('account-nile', account('nile')),
    commit('account-lagos', account('lagos')),
    commit('campaign-a', [of('nile', 'a'), submitted(1), approved(1), submitted(6)]),
    commit('campaign-b', [of('nile', 'b'), submitted(3)]),
    commit('campaign-c', [of('nile', 'c'), submitted(4), plain('CampaignArchived')]),
    commit('campaign-d', [of('lagos', 'd'), submitted(2)]),
  ).project(moderationQueue, campaignList, accounts)
  const queue = (spaceId: string | null, page = 0, size = 10) =>
    log.read((db) => pageOfQueue(db, { whitelabelId: 'dsp', spaceId }, { filter: 'all', personId: 'marek' }, page, size))

  it('lists what waits, the longest first, and nothing that is archived', async () => {
    const { rows, total } = await queue(null)
    expect([total, rows.map(({ campaign_id: id }) => id)]).toEqual([3, ['d', 'b', 'a']])
    expect((await queue('nile', 1, 1)).rows.map(({ campaign_id: id }) => id)).toEqual(['a'])
  })

  it('marks accounts without any approval, and campaigns that were approved before', async () => {
    const marks = (await queue(null)).rows.map(({ campaign_id: id, first_review, re_review }) => [id, first_review, re_review])
    expect(marks).toEqual([
      ['d', true, false],
      ['b', false, false],
      ['a', false, true],
    ])
  })

  it('counts what waits of each account, whose name it shows', async () => {
    const counts = (await queue(null)).rows.map(({ campaign_id: id, space_name, account_waiting }) => [
      id,
      space_name,
      account_waiting,
    ])
    expect(counts).toEqual([
      ['d', 'Ads of lagos', 1],
      ['b', 'Ads of nile', 2],
      ['a', 'Ads of nile', 2],
    ])
  })
})

itKeepsTheLaws(moderationQueue)

it('every event that changes the rows of the moderation queue has an example', () => {
  const all = Object.keys(CAMPAIGN_EVENTS) as readonly CampaignEvent['type'][]
  const [stored] = logOf([commit('campaign-c', created())])
  expectExamplesOf(
    moderationQueue,
    all.filter((type) => stored !== undefined && moderationQueue.concerns({ ...stored, type })),
  )
})
