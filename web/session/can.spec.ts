import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '#domain/campaign/campaign'
import { initial as initialState, type CampaignState } from '#domain/campaign/state'
import { statusOf } from '#domain/campaign/status/status'
import { STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { ACCESS, may, ROLES, type Action, type Actor } from '#domain/kit/access'
import { commandOf, create, factsOf, take } from '#test/support/campaign-life'
import type { Asked, Content, Outside } from '#test/properties/campaign-model'
import { can, canEver, canWithout, statusRefusal, type CampaignAction, type User } from './can.ts'

const user = (...roles: readonly string[]): User => ({ id: 'user-1', roles, space_id: 'space-1', whitelabel_id: 'label-1' })

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

type Step = Asked | { readonly outside: Partial<Outside> }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Asked>(
    { do: 'publish', patch: {}, expected: null },
    { do: 'update', patch: { url: 2 }, expected: null },
    { do: 'approve', token: 'right', exchanges: ['google'] },
    { do: 'reject', token: 'right', comment: 'No' },
    { do: 'run' },
    { do: 'pause' },
    { do: 'toggle' },
    { do: 'policies' },
    { do: 'exchange', exchange: 'google', creative: 'a', verdict: 'approved' },
  ),
  fc
    .constantFrom<Partial<Outside>>({ available: 0 }, { available: 1e12 }, { spentToday: 50_000_000 }, { spentTotal: 50_000_000 })
    .map((outside) => ({ outside })),
)

/** Every state that a life of these steps passes. */
function statesOf(over: Partial<Content>, publish: boolean, steps: readonly Step[]) {
  let outside = rich
  let { state } = take(create({ ...content, ...over }, publish), initialState, outside)
  const states: { readonly state: CampaignState; readonly outside: Outside }[] = [{ state, outside }]
  for (const one of steps) {
    outside = { ...outside, now: outside.now + 1000, ...('outside' in one ? one.outside : {}) }
    ;({ state } = take(commandOf('outside' in one ? { do: 'policies' } : one, state, []), state, outside))
    states.push({ state, outside })
  }
  return states
}

const ASKED: Readonly<Partial<Record<CampaignAction, Asked>>> = {
  'campaign.run': { do: 'run' },
  'campaign.pause': { do: 'pause' },
  'campaign.edit': { do: 'update', patch: { budget: 60_000_000 }, expected: null },
  'campaign.archive': { do: 'toggle' },
  'campaign.approve': { do: 'approve', token: 'right', exchanges: ['google'] },
  'campaign.reject': { do: 'reject', token: 'right', comment: 'No' },
}

describe('the actions offered for a campaign', () => {
  it('the actions offered for a campaign are never refused by the campaign, in any state', () => {
    const seen = new Map<string, Set<number>>()
    fc.assert(
      fc.property(
        fc.record({ start: fc.constantFrom(null, NOW + DAY), type: fc.constantFrom(1 as const, 2 as const) }),
        fc.boolean(),
        fc.array(step, { maxLength: 12, size: 'max' }),
        (over, publish, steps) => {
          for (const { state, outside } of statesOf(over, publish, steps)) {
            const subject = { status_key: statusOf(state), review: state.review.kind }
            for (const [action, asked] of Object.entries(ASKED) as [CampaignAction, Asked][]) {
              if (!can(user('SYSTEM_ADMIN'), action, subject)) continue
              const decision = decide(commandOf(asked, state, []), state, factsOf({ ...outside, now: outside.now + 1000 }))
              expect([action, subject, decision.kind]).not.toEqual([action, subject, 'rejected'])
              seen.set(action, (seen.get(action) ?? new Set()).add(subject.status_key))
            }
          }
        },
      ),
      { numRuns: 400 },
    )
    // The lives reach every action, and Run and Pause in several statuses.
    expect([...seen.keys()].toSorted()).toEqual(Object.keys(ASKED).toSorted())
    for (const [action, statuses] of [
      ['campaign.run', [5, 41]],
      ['campaign.pause', [3, 6]],
    ] as const)
      for (const status of statuses) expect(seen.get(action)).toContain(status)
  })

  it('the actions offered for a campaign equal those of the access table for the role and account', () => {
    const rights = Object.keys(ACCESS) as Action[]
    fc.assert(
      fc.property(fc.subarray([...ROLES]), fc.constantFrom(...rights), fc.boolean(), (roles, right, own) => {
        const place = { whitelabelId: 'label-1', spaceId: own ? 'space-1' : 'space-2' }
        const actor: Actor = { userId: 'user-1', roles, whitelabelId: 'label-1', homeSpaceId: 'space-1', spaceId: 'space-1' }
        expect(can(user(...roles), right, { status_key: 3, space_id: place.spaceId })).toBe(may(actor, right, place))
      }),
    )
  })

  it.each([
    { person: 'an advertiser', role: 'USER_OWNER', space_id: 'space-1', verb: 'allow' },
    { person: 'an advertiser of another account', role: 'USER_OWNER', space_id: 'space-2', verb: 'forbid' },
    { person: 'the owner of the white-label', role: 'WL_OWNER', space_id: 'space-2', verb: 'allow' },
    { person: 'an auditor', role: 'AUDITOR', space_id: 'space-1', verb: 'forbid' },
    { person: 'an accountant', role: 'ACCOUNTANT', space_id: 'space-1', verb: 'forbid' },
    { person: 'an unknown role', role: 'GUEST', space_id: 'space-1', verb: 'forbid' },
  ])('$verb $person to pause a running campaign', ({ role, space_id, verb }) => {
    expect(can(user(role), 'campaign.pause', { status_key: 3, space_id })).toBe(verb === 'allow')
  })

  it('the actions offered for a campaign depend on the status and the role', () => {
    for (const status_key of STATUS_KEYS) {
      const [run, pause] = (['campaign.run', 'campaign.pause'] as const).map((action) =>
        can(user('USER_OWNER'), action, { status_key, space_id: 'space-1' }),
      )
      expect(run && pause).toBe(false)
      expect(can(user('USER_OWNER'), 'campaign.archive', { status_key })).toBe(status_key !== 5)
    }
    expect(statusRefusal('campaign.run', { status_key: 42 })).toBe('budgetSpent')
    expect(canWithout(user('USER_OWNER'), 'campaign.run', { space_id: 'space-1' })).toBe(true)
  })

  it('the actions offered for a campaign exclude Run for an archived campaign unless it was approved', () => {
    const archived = (review?: string) => statusRefusal('campaign.run', { status_key: 5, review })
    expect([archived('none'), archived('rejected'), archived('approved'), archived()]).toEqual(['draft', 'rejected', null, null])
  })
})

describe('single rights of the user', () => {
  const viewer = user('USER_VIEWER')
  const granted = (until: string | null): User => ({ ...viewer, rights: [{ right: 'campaign.write', kind: 'granted', until }] })

  it('single rights of the user add to the roles until they are over', () => {
    expect(can(viewer, 'campaign.write')).toBe(false)
    expect(can(granted(null), 'campaign.write')).toBe(true)
    expect(canEver(granted(new Date(Date.now() + DAY).toISOString()), 'campaign.write')).toBe(true)
    expect(canEver(granted(new Date(Date.now() - DAY).toISOString()), 'campaign.write')).toBe(false)
    expect(can(granted(null), 'campaign.write', { status_key: 2, space_id: 'another' })).toBe(false)
  })

  it('single rights of the user take from the roles', () => {
    const clerk = { ...user('ACCOUNTANT'), rights: [{ right: 'balance.read', kind: 'taken', until: null }] as const }
    expect([can(user('ACCOUNTANT'), 'balance.read'), can(clerk, 'balance.read')]).toEqual([true, false])
  })
})
