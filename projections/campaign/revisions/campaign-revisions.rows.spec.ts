import { describe, expect, it } from 'vitest'
import { CAMPAIGN_EVENTS, type CampaignEvent } from '#domain/campaign/events'
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
import { commit, expectExamplesOf, given, minute, type Commit } from '#test/support/given-events'
import { itKeepsTheLaws } from '#test/support/rebuild-laws'
import { campaignRevisions } from './read-model.ts'

/** The entries of a campaign, each event of which is a commit of its own. */
const entries = (...events: readonly CampaignEvent[]) =>
  log(...[created(), ...events].map((event) => commit('campaign-c', event)))
const log = (...commits: readonly Commit[]) => given(...commits).project(campaignRevisions)

const renamed = (from: string, to: string) => ({ path: 'name', from, to })

describe('an entry of the change log', () => {
  it('says who did what, when and by which command', () =>
    log(
      commit('campaign-c', created(), { actor: 'ada', role: 'USER_OWNER', source: 'ui', command_id: 'one' }),
      commit('campaign-c', submitted(1), {
        actor: 'sade',
        role: 'WL_OWNER',
        source: 'api',
        on_behalf_of: 'nile',
        command_id: 'two',
        at: '2026-11-02T00:00:00.000Z',
      }),
    ).shows({
      campaign_revisions: [
        {
          campaign_id: 'c',
          revision: 1,
          at: minute(0),
          actor: 'ada',
          role: 'USER_OWNER',
          source: 'ui',
          on_behalf_of: null,
          command_id: 'one',
          events: ['CampaignCreated'],
          full_state: null,
          status_key: 0,
        },
        {
          revision: 2,
          at: '2026-11-02T00:00:00.000Z',
          actor: 'sade',
          role: 'WL_OWNER',
          source: 'api',
          on_behalf_of: 'nile',
          command_id: 'two',
          events: ['CampaignSubmitted'],
          status_key: 1,
        },
      ],
    }))

  it('lists every value that a new campaign has', async () => {
    const [first] = await entries().rows()
    expect(first?.['changes']).toContainEqual({ path: 'name', from: null, to: 'Nile Cruise' })
    expect(first?.['changes']).toContainEqual({ path: 'exchange_id', from: null, to: ['google'] })
    expect(first?.['changes']).toContainEqual({ path: 'status_key', from: null, to: 0 })
  })

  it('lists the changes of a save as they are stored', () =>
    entries(saved(renamed('Nile Cruise', 'Delta'), { path: 'budget', from: null, to: 7 })).shows({
      campaign_revisions: [{}, { changes: [renamed('Nile Cruise', 'Delta'), { path: 'budget', from: null, to: 7 }] }],
    }))

  it('lists what a moderator changed with the approval, before the facts that follow from it', async () => {
    const exchanges = { path: 'exchange_id', from: ['google'], to: ['xandr'] }
    const [, , third] = await entries(submitted(1), approved(1, exchanges)).rows()
    expect(third).toMatchObject({ changes: expect.arrayContaining([{ path: 'review', from: 'pending', to: 'approved' }]) })
    expect(third).toHaveProperty(['changes', 0], exchanges)
  })

  it('joins the events of one commit, and compares the states before and after it', () =>
    log(
      commit('campaign-c', created()),
      commit('campaign-c', [saved(renamed('Nile Cruise', 'Delta')), submitted(1), plain('CampaignSwitchedOn')]),
    ).shows({
      campaign_revisions: [
        { revision: 1 },
        {
          revision: 2,
          events: ['CampaignUpdated', 'CampaignSubmitted', 'CampaignSwitchedOn'],
          changes: [
            renamed('Nile Cruise', 'Delta'),
            { path: 'status_key', from: 0, to: 1 },
            { path: 'review', from: 'none', to: 'pending' },
            { path: 'intent', from: false, to: true },
            { path: 'moderation_start_at', from: null, to: minute(1) },
            { path: 'last_run_at', from: null, to: minute(1) },
          ],
          status_key: 1,
        },
      ],
    }))

  const SPENT = [plain('TotalBudgetSpent')]
  it.each<readonly [title: string, before: readonly CampaignEvent[], event: CampaignEvent, changed: object, status: number]>([
    ['a submission', [], submitted(1), { review: ['none', 'pending'], status_key: [0, 1] }, 1],
    ['a submission that was withdrawn', [submitted(1)], withdrawn(1), { review: ['pending', 'none'], status_key: [1, 0] }, 0],
    [
      'a rejection, with its comment',
      [submitted(1)],
      rejected(1),
      { moderator_comment: [null, 'Blurred'], status_key: [1, 2] },
      2,
    ],
    ['a switch', RUNNING, plain('CampaignSwitchedOff'), { intent: [true, false], status_key: [3, 41] }, 41],
    ['an archived campaign', RUNNING, plain('CampaignArchived'), { archived: [false, true], status_key: [3, 5] }, 5],
    [
      'a campaign that is no longer archived',
      [...RUNNING, plain('CampaignArchived')],
      plain('CampaignUnarchived'),
      { archived: [true, false], status_key: [5, 3] },
      3,
    ],
    ['a first day that is to come', RUNNING, flight('upcoming'), { flight: ['open', 'upcoming'], status_key: [3, 40] }, 40],
    ['the budget of a day', RUNNING, dayBudget('DayBudgetReached'), { day_budget: ['open', 'reached'], status_key: [3, 31] }, 31],
    [
      'the next day after it',
      [...RUNNING, dayBudget('DayBudgetReached')],
      dayBudget('DayBudgetReopened'),
      { day_budget: ['reached', 'open'], status_key: [31, 3] },
      3,
    ],
    ['a budget that is spent', RUNNING, plain('TotalBudgetSpent'), { total_budget: ['open', 'spent'], status_key: [3, 42] }, 42],
    [
      'a budget that was raised',
      [...RUNNING, ...SPENT],
      plain('TotalBudgetReopened'),
      { total_budget: ['spent', 'open'], status_key: [42, 3] },
      3,
    ],
    ['funds that fell short', RUNNING, plain('FundingFellShort'), { funding: ['ok', 'short'], status_key: [3, 44] }, 44],
    [
      'funds that are there again',
      [...RUNNING, plain('FundingFellShort')],
      plain('FundingRestored'),
      { funding: ['short', 'ok'], status_key: [44, 3] },
      3,
    ],
    ['a suspended account', RUNNING, plain('ServingSuspended'), { suspended: [null, true], status_key: [3, 44] }, 44],
    [
      'a restored account',
      [...RUNNING, plain('ServingSuspended')],
      plain('ServingRestored'),
      { suspended: [true, null], status_key: [44, 3] },
      3,
    ],
    ['a launch', RUNNING.slice(0, -1), plain('CampaignLaunched'), { launched_at: [null, minute(5)] }, 3],
    ['a note of staff', [], commented, { admin_comment: [null, 'Ask the owner'] }, 0],
    [
      'a second moderator who disagrees',
      [submitted(1), approved(1)],
      secondLook('disagreed'),
      { approved_version: [1, null], status_key: [41, 0] },
      0,
    ],
    ['a second moderator who agrees', RUNNING, secondLook('agreed'), {}, 3],
  ])('shows %s and the status that follows', async (_, before, event, changed, status) => {
    const entry = (await entries(...before, event).rows()).at(-1)
    const changes = Object.entries(changed).map(([path, [from, to]]) => ({ path, from, to }))
    expect(entry).toMatchObject({ events: [event.type], status_key: status })
    expect(entry?.['changes']).toEqual(expect.arrayContaining(changes))
    if (changes.length === 0) expect(entry?.['changes']).toEqual([])
  })

  it('shows the verdict of an exchange', async () => {
    const entry = (await entries(submitted(1), approved(1), decided('disapproved')).rows()).at(-1)
    expect(entry?.['changes']).toMatchObject([{ path: expect.stringMatching(/^exchange_decisions/), from: null }])
  })

  it('holds the full state at every fiftieth revision, and at no other', async () => {
    const names = Array.from({ length: 51 }, (_, n) => `${n}`)
    const rows = await entries(...names.slice(1).map((name, n) => saved(renamed(`${n}`, name)))).rows()
    expect(rows.flatMap(({ revision, full_state: state }) => (state === null ? [] : [revision]))).toEqual([50])
    expect(rows[49]?.['full_state']).toMatchObject({ name: '49', status_key: 0, exchange_id: CONTENT.exchange_id })
  })

  it('belongs to one campaign', async () => {
    const rows = await log(
      commit('campaign-b', created({}, 'b')),
      commit('campaign-a', created({}, 'a')),
      commit('campaign-b', submitted(1)),
    ).rows()
    expect(rows.map(({ campaign_id: id, revision, status_key: status }) => [id, revision, status])).toEqual([
      ['a', 1, 0],
      ['b', 1, 0],
      ['b', 2, 1],
    ])
  })
})

describe('the newest state of a campaign', () => {
  it('the newest state of a campaign is kept without the state before it once its commit is complete', () =>
    entries(submitted(1)).shows({
      campaign_revision_heads: [
        { campaign_id: 'c', version: 2, events: ['CampaignSubmitted'], base: null, changes: null, state: { revision: 2 } },
      ],
    }))
})

itKeepsTheLaws(campaignRevisions)

it('every event that changes the rows of campaign revisions has an example', () =>
  expectExamplesOf(campaignRevisions, Object.keys(CAMPAIGN_EVENTS)))
