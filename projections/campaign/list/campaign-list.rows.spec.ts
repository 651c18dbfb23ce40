import { describe, expect, it } from 'vitest'
import { CAMPAIGN_EVENTS, type CampaignEvent } from '#domain/campaign/events'
import type { CampaignContent } from '#domain/campaign/content/content'
import {
  approved,
  commented,
  CONTENT,
  created,
  dayBudget,
  decided,
  flight,
  plain,
  rejected,
  RUNNING,
  saved,
  secondLook,
  submitted,
  withdrawn,
} from '#test/support/campaign-facts'
import { commit, expectExamplesOf, given, minute } from '#test/support/given-events'
import { itKeepsTheLaws } from '#test/support/rebuild-laws'
import { campaignList } from './read-model.ts'

/** A campaign, each event in a commit of its own. */
const campaign = (content: Partial<CampaignContent>, ...events: readonly CampaignEvent[]) =>
  given(...[created(content), ...events].map((event) => commit('campaign-c', event))).project(campaignList)

describe('a new campaign', () => {
  it('a new campaign is a draft with the values of its content', () =>
    campaign({ budget: 50_000_000, campaign_end_at: '2026-12-01T00:00:00.000Z', timezone_offset_seconds: 3600 }).shows({
      campaign_list: [
        {
          id: 'c',
          space_id: 'nile',
          whitelabel_id: 'dsp',
          name: 'Nile Cruise',
          search_name: 'nile cruise',
          status_key: 0,
          campaign_end_at: '2026-12-01T00:00:00.000Z',
          budget: 50_000_000,
          need_moderation: false,
          review: 'none',
          approved: false,
          archived: false,
          funding: 'ok',
          suspended: false,
          day_budget: 'open',
          total_budget: 'open',
          timezone_offset_seconds: 3600,
          creatives: 1,
          creative_status: null,
          exchange_pending: false,
          next_due: null,
          moderation_start_at: null,
          created_at: minute(0),
          updated_at: minute(0),
          changed_at: minute(0),
          revision: 1,
          version: 1,
          position: 1,
        },
      ],
      campaign_states: [
        { id: 'c', version: 1, files: ['f'], audiences: [], state: { revision: 1, head: { name: 'Nile Cruise' } } },
      ],
    }))

  it('a new campaign is found by its name without accents and case', () =>
    campaign({ name: 'Crème BRÛLÉE' }).shows({ campaign_list: [{ search_name: 'creme brulee' }] }))
})

const OFF = plain('CampaignSwitchedOff')
const SPENT: CampaignEvent = { type: 'TotalBudgetSpent', data: { due: minute(7) } }

describe('the row of a campaign', () => {
  it.each<readonly [title: string, events: readonly CampaignEvent[], row: object]>([
    [
      'waits for a moderator since its submission',
      [submitted(1)],
      { status_key: 1, review: 'pending', moderation_start_at: minute(1), approved: false },
    ],
    ['is a draft again after its submission is withdrawn', [submitted(1), withdrawn(1)], { status_key: 0, review: 'none' }],
    ['is rejected', [submitted(1), rejected(1)], { status_key: 2, review: 'rejected', approved: false }],
    [
      'waits for its exchange once it is approved',
      [submitted(1), plain('CampaignSwitchedOn'), approved(1)],
      { status_key: 6, review: 'approved', approved: true, creative_status: 'pending', exchange_pending: true },
    ],
    [
      'still waits when the exchange refuses its only creative',
      [submitted(1), plain('CampaignSwitchedOn'), approved(1), decided('disapproved')],
      { status_key: 6, creative_status: 'disapproved', exchange_pending: false },
    ],
    ['runs once its exchange approves it', RUNNING, { status_key: 3, creative_status: 'approved', exchange_pending: false }],
    ['is paused while it is off', [...RUNNING, OFF], { status_key: 41 }],
    ['runs again once it is on', [...RUNNING, OFF, plain('CampaignSwitchedOn')], { status_key: 3 }],
    [
      'is archived, and asks no exchange',
      [submitted(1), approved(1), plain('CampaignArchived')],
      { status_key: 5, archived: true, exchange_pending: false },
    ],
    [
      'is what it was before it was archived',
      [...RUNNING, plain('CampaignArchived'), plain('CampaignUnarchived')],
      { status_key: 3, archived: false },
    ],
    ['has not begun before its first day', [...RUNNING, flight('upcoming')], { status_key: 40 }],
    ['runs from its first day', [...RUNNING, flight('upcoming'), flight('open')], { status_key: 3 }],
    ['is finished after its last day', [...RUNNING, flight('ended')], { status_key: 43 }],
    ['has reached the budget of its day', [...RUNNING, dayBudget('DayBudgetReached')], { status_key: 31, day_budget: 'reached' }],
    [
      'runs again on the day after',
      [...RUNNING, dayBudget('DayBudgetReached'), dayBudget('DayBudgetReopened')],
      { status_key: 3, day_budget: 'open' },
    ],
    ['has spent its budget', [...RUNNING, SPENT], { status_key: 42, total_budget: 'spent' }],
    [
      'runs again with a higher budget',
      [...RUNNING, SPENT, plain('TotalBudgetReopened')],
      { status_key: 3, total_budget: 'open' },
    ],
    ['is paused without funds', [...RUNNING, plain('FundingFellShort')], { status_key: 44, funding: 'short' }],
    [
      'waits for funds when it never ran',
      [...RUNNING.slice(0, -1), plain('FundingFellShort')],
      { status_key: 45, funding: 'short' },
    ],
    [
      'runs again once there are funds',
      [...RUNNING, plain('FundingFellShort'), plain('FundingRestored')],
      { status_key: 3, funding: 'ok' },
    ],
    [
      'serves nothing while its account is suspended',
      [...RUNNING, plain('ServingSuspended')],
      { status_key: 44, suspended: true },
    ],
    [
      'runs again once its account is restored',
      [...RUNNING, plain('ServingSuspended'), plain('ServingRestored')],
      { status_key: 3, suspended: false },
    ],
    ['keeps its status after a note of staff', [...RUNNING, commented], { status_key: 3 }],
    ['keeps running when a second moderator agrees', [...RUNNING, secondLook('agreed')], { status_key: 3, approved: true }],
    [
      'is no longer approved when a second moderator disagrees',
      [...RUNNING, secondLook('disagreed')],
      { status_key: 0, approved: false, creative_status: null },
    ],
  ])('the row of a campaign: %s', (_, events, row) =>
    campaign({}, ...events).shows({ campaign_list: [{ version: events.length + 1, ...row }] }),
  )

  it.each<readonly [title: string, verdicts: readonly CampaignEvent[], row: object]>([
    ['waits while one of two exchanges refused it', [decided('disapproved')], { status_key: 6, creative_status: 'pending' }],
    [
      'runs with the approval of one of them',
      [decided('disapproved'), decided('approved', 'yandex')],
      { status_key: 3, creative_status: 'approved' },
    ],
    [
      'waits when both refused it',
      [decided('disapproved'), decided('disapproved', 'yandex')],
      { status_key: 6, creative_status: 'disapproved' },
    ],
  ])('the row of a campaign: %s', (_, verdicts, row) =>
    campaign({ exchange_id: ['google', 'yandex'] }, submitted(1), plain('CampaignSwitchedOn'), approved(1), ...verdicts).shows({
      campaign_list: [row],
    }),
  )

  it('shows a saved value at once', () =>
    campaign({}, saved({ path: 'name', from: 'Nile Cruise', to: 'Delta' }, { path: 'budget', from: null, to: 7 })).shows({
      campaign_list: [{ name: 'Delta', search_name: 'delta', budget: 7, need_moderation: false, revision: 2 }],
    }))

  it('keeps its status, and asks for moderation, when what was approved is changed', () =>
    campaign({}, ...RUNNING, saved({ path: 'product_url', from: null, to: 'https://delta.example' })).shows({
      campaign_list: [{ status_key: 3, need_moderation: true, review: 'approved' }],
    }))

  it('shows what a moderator changed with the approval', () =>
    campaign({}, submitted(1), approved(1, { path: 'exchange_id', from: ['google'], to: ['google', 'xandr'] })).shows({
      campaign_list: [{ approved: true, exchange_pending: true }],
    }))

  it('the row of a campaign has the worst verdict of its creatives', () => {
    const banners = CONTENT.visuals.banners.flatMap((one) => [one, { ...one, id: 'b2', file_id: 'f2' }])
    return campaign({ visuals: { ...CONTENT.visuals, banners } }, submitted(1), approved(1), decided('approved')).shows({
      campaign_list: [{ creatives: 2, creative_status: 'pending', exchange_pending: true }],
      campaign_states: [{ files: ['f', 'f2'] }],
    })
  })

  it.each<readonly [title: string, content: Partial<CampaignContent>, events: readonly CampaignEvent[], due: string | null]>([
    [
      'its first day while that is to come',
      { campaign_start_at: '2026-11-05T00:00:00.000Z' },
      [flight('upcoming')],
      '2026-11-05T00:00:00.000Z',
    ],
    ['its last day while it runs', { campaign_end_at: '2026-11-09T00:00:00.000Z' }, [], '2026-11-09T00:00:00.000Z'],
    ['nothing after its last day', { campaign_end_at: '2026-11-09T00:00:00.000Z' }, [flight('ended')], null],
    [
      'the next day of its time zone once the budget of a day is reached',
      { campaign_end_at: '2026-11-09T00:00:00.000Z', timezone_offset_seconds: 3600 },
      [dayBudget('DayBudgetReached')],
      '2026-11-01T23:00:00.000Z',
    ],
    ['nothing while it is archived', { campaign_end_at: '2026-11-09T00:00:00.000Z' }, [plain('CampaignArchived')], null],
  ])('the row of a campaign is due at %s', (_, content, events, due) =>
    campaign(content, ...RUNNING, ...events).shows({ campaign_list: [{ next_due: due }] }),
  )

  it('says when it was saved, and when anything happened to it', () =>
    campaign({}, saved({ path: 'name', from: 'Nile Cruise', to: 'Delta' }), OFF).shows({
      campaign_list: [{ created_at: minute(0), updated_at: minute(1), changed_at: minute(2), revision: 3, position: 3 }],
    }))

  it('counts one revision for the events of one commit', () =>
    given(commit('campaign-c', [created(), submitted(1), plain('CampaignSwitchedOn')]))
      .project(campaignList)
      .shows({ campaign_list: [{ revision: 1, version: 3, position: 3, status_key: 1 }] }))

  it('each campaign has a row of its own', async () => {
    const rows = await given(
      commit('campaign-a', created({ name: 'A' }, 'a')),
      commit('campaign-b', created({ name: 'B' }, 'b')),
      commit('campaign-a', submitted(1)),
    )
      .project(campaignList)
      .rows()
    expect(rows).toMatchObject([
      { id: 'a', name: 'A', status_key: 1, position: 3 },
      { id: 'b', name: 'B', status_key: 0, position: 2 },
    ])
  })
})

itKeepsTheLaws(campaignList)

it('every event that changes the rows of the campaign list has an example', () =>
  expectExamplesOf(campaignList, Object.keys(CAMPAIGN_EVENTS)))
