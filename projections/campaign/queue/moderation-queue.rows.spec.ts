import { describe, it } from 'vitest'
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
  ])('%s', (_, events, row) =>
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
  ])('is left as it is by $type', (event) =>
    campaign(submitted(1), event).shows({ moderation_queue: [{ ...BEFORE, ...waiting(1), version: 2 }] }),
  )
})

itKeepsTheLaws(moderationQueue)

it('has an example of every event that changes its rows', () => {
  const all = Object.keys(CAMPAIGN_EVENTS) as readonly CampaignEvent['type'][]
  const [stored] = logOf([commit('campaign-c', created())])
  expectExamplesOf(
    moderationQueue,
    all.filter((type) => stored !== undefined && moderationQueue.concerns({ ...stored, type })),
  )
})
