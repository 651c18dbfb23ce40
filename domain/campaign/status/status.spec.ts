import { describe, expect, it } from 'vitest'
import { commandOf, create, serving, take } from '#test/support/campaign-life'
import type { Asked, Content, Outside } from '#test/properties/campaign-model'
import { initial as initialState, type CampaignState } from '../state.ts'
import { audienceReasons, reasonsOf, statusOf, verdictOf, type ComplianceStatus } from './status.ts'
import { STATUS, STATUS_KEYS } from './status-keys.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z')
const DAY = 86_400_000
const rich: Outside = { now: NOW, available: 1e12, spentToday: 0, spentTotal: 0 }
const content: Content = {
  name: 'One',
  url: 1,
  banners: { a: 1 },
  native: 0,
  nativeOn: false,
  budget: 50_000_000,
  type: 2,
  start: null,
  end: null,
  exchanges: ['google'],
}
const approve: Asked = { do: 'approve', token: 'right', exchanges: ['google'] }
const google = (verdict: ComplianceStatus): Asked => ({ do: 'exchange', exchange: 'google', creative: 'a', verdict })
const policies: Asked = { do: 'policies' }

/** The campaign after these steps: each is a request, or a change of the environment before the next one. */
function live(over: Partial<Content>, publish: boolean, ...steps: readonly (Asked | Partial<Outside>)[]): CampaignState {
  let outside = rich
  let { state } = take(create({ ...content, ...over }, publish), initialState, outside)
  for (const step of steps) {
    if (!('do' in step)) {
      outside = { ...outside, ...step }
      continue
    }
    outside = { ...outside, now: outside.now + 1000 }
    const { decision, state: next } = take(commandOf(step, state, []), state, outside)
    if (decision.kind === 'rejected') throw new Error(`${step.do} was refused with ${decision.rejection.code}`)
    state = next
  }
  return state
}
const running = [approve, google('approved')] as const

describe('campaign statuses', () => {
  it.each<[string, number, () => CampaignState]>([
    ['saved and nothing more', 0, () => live({}, false)], // covers CAM-STATUS-01
    ['published', 1, () => live({}, true)], // covers CAM-STATUS-02 CAM-GEN-03
    ['rejected', 2, () => live({}, true, { do: 'reject', token: 'right', comment: 'No' })], // covers CAM-STATUS-03
    ['approved by moderator and exchange', 3, () => live({}, true, ...running)], // covers CAM-STATUS-04
    ['archived', 5, () => live({}, true, ...running, { do: 'toggle' })], // covers CAM-STATUS-05 CAM-RUN-22 CAM-GEN-05
    ['approved, and no exchange has decided', 6, () => live({}, true, approve)], // covers CAM-STATUS-06
    ['spent its day’s budget', 31, () => live({}, true, ...running, { spentToday: 50_000_000 }, policies)], // covers CAM-STATUS-07
    ['approved before its start', 40, () => live({ start: NOW + 5 * DAY }, true, ...running)], // covers CAM-STATUS-08
    ['paused', 41, () => live({}, true, ...running, { do: 'pause' })], // covers CAM-STATUS-09 CAM-RUN-06 CAM-GEN-04
    ['paused from the day’s budget', 41, () => live({}, true, ...running, { spentToday: 50_000_000 }, policies, { do: 'pause' })], // covers CAM-RUN-07
    ['run again', 3, () => live({}, true, ...running, { do: 'pause' }, { do: 'run' })], // covers CAM-RUN-08
    ['spent its total', 42, () => live({ type: 1 }, true, ...running, { spentTotal: 50_000_000 }, policies)], // covers CAM-STATUS-10
    ['past its end', 43, () => live({ end: NOW + 2 * DAY }, true, ...running, { now: NOW + 3 * DAY }, policies)], // covers CAM-STATUS-11
    ['out of money while running', 44, () => live({}, true, ...running, { available: 0 }, policies)], // covers CAM-STATUS-12
    ['out of money before it ran', 45, () => live({}, true, { available: 0 }, approve, google('approved'))], // covers CAM-STATUS-13
    ['taken out of the archive', 41, () => live({}, true, ...running, { do: 'toggle' }, { do: 'toggle' })], // covers CAM-RUN-23
    ['run out of the archive', 3, () => live({}, true, ...running, { do: 'toggle' }, { do: 'run' })],
  ])('the shortest path to %s gives status %i', (_, key, make) => expect(statusOf(make())).toBe(key))

  // covers CAM-STATUS-15
  it('campaign statuses are exactly those of the table, without 50', () => {
    expect(Object.keys(STATUS).map(Number)).toEqual([...STATUS_KEYS])
    expect(STATUS_KEYS).not.toContain(50)
  })

  it('campaign statuses name 42 budget spent and 43 overdue', () => {
    expect([STATUS[42], STATUS[43]]).toEqual(['finished_budget_spent', 'finished_overdue'])
  })

  it('campaign statuses suggest replacing a refused creative instead of waiting', () => {
    const remedies = (...steps: Parameters<typeof live>[2][]) =>
      reasonsOf(live({}, true, ...steps)).map(({ key, remedy }) => [key, remedy])
    expect(remedies(approve)).toEqual([['waiting_for_ad_exchange', 'wait_for_exchange']])
    expect(remedies(approve, google('disapproved'))).toEqual([
      ['waiting_for_ad_exchange', null],
      ['creative_disapproved', 'edit_creative'],
    ])
  })

  it('campaign statuses suggest publishing changes, not starting, while the approved version runs', () => {
    const edited = live({}, true, ...running, { do: 'update', patch: { url: 2 }, expected: null })
    expect(reasonsOf(edited)).toEqual([
      expect.objectContaining({ key: 'running', remedy: null }),
      expect.objectContaining({ key: 'changes_not_published', remedy: 'publish_changes' }),
    ])
  })

  // covers FP-62
  it('campaign statuses stay while audiences are too small, and the reasons tell included and excluded ones apart', () => {
    const naming = (state: CampaignState, segments: object): CampaignState => {
      const segment_audiences = { includeAny: [], include: [], exclude: [], ...segments }
      return { ...state, head: { ...state.head, targeting: { ...state.head.targeting, segment_audiences } } }
    }
    const keys = (segments: object, state = live({}, true, ...running)) =>
      audienceReasons(naming(state, segments), new Set(['large'])).map(({ key, status_key }) => [key, status_key])
    expect(keys({ includeAny: ['large'], include: ['large'], exclude: ['large'] })).toEqual([])
    expect(keys({ includeAny: ['large', 'small'] })).toEqual([['audience_small', 3]])
    expect(keys({ include: ['small'], exclude: ['other'] })).toEqual([
      ['audience_small', 3],
      ['excluded_audience_small', 3],
    ])
    expect(keys({ include: ['small'] }, live({}, true))).toEqual([])
  })

  // covers CAM-RUN-09
  it('campaign statuses accept Run without money, and give running once there is money', () => {
    const broke = [...running, { available: 0 }, policies] as const
    expect(statusOf(live({}, true, ...broke, { do: 'run' }))).toBe(44)
    expect(statusOf(live({}, true, ...broke, { available: 1e12 }, { do: 'run' }, policies))).toBe(3)
  })

  it('campaign statuses return to running without a command once there is money', () => {
    expect(statusOf(live({}, true, ...running, { available: 0 }, policies, { available: 1e12 }, policies))).toBe(3)
  })

  it('campaign statuses stay at 6 while all exchanges refused, and give running after the first approval', () => {
    expect(statusOf(live({}, true, approve, google('disapproved')))).toBe(6)
    expect(statusOf(live({}, true, approve, google('disapproved'), google('approved')))).toBe(3)
  })
})

describe('the verdict of an exchange', () => {
  // covers CAM-APR-01 CAM-APR-02 CAM-APR-04 CAM-APR-06 FP-16
  it('the verdict of an exchange is approved when all three checks are, disapproved when one is, and pending otherwise', () => {
    const all: readonly ComplianceStatus[] = ['approved', 'pending', 'disapproved']
    for (const deals of all)
      for (const network of all)
        for (const platform of all) {
          const statuses = [deals, network, platform]
          const decision = {
            dealsPolicyCompliance: { status: deals, topics: [] },
            networkPolicyCompliance: { status: network, topics: [] },
            platformPolicyCompliance: { status: platform, topics: [] },
          }
          const expected = statuses.includes('disapproved')
            ? 'disapproved'
            : statuses.includes('pending')
              ? 'pending'
              : 'approved'
          expect(verdictOf(decision)).toBe(expected)
        }
    expect(verdictOf(serving('approved'))).toBe('approved')
    expect(verdictOf(undefined)).toBe('pending')
  })
})
