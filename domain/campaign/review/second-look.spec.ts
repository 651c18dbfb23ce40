import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../campaign.ts'
import type { CommandFacts } from '../commands.ts'
import { DEFAULT_CONTENT } from '../content/content.ts'
import type { CampaignEvent } from '../events.ts'
import { NOTHING_LOOKED_UP } from '../saving/references.ts'
import { evolve, initial, type CampaignState } from '../state.ts'
import { statusOf } from '../status/status.ts'
import { isSampled } from './second-look.ts'

const AT = '2026-03-02T10:00:00.000Z'
const FACTS: CommandFacts = {
  now: AT,
  available: 0,
  spentToday: 0,
  spentTotal: 0,
  baseBid: 0,
  maxMargin: 0,
  nameTaken: false,
  countryOffset: 0,
  references: NOTHING_LOOKED_UP,
}
const created: CampaignEvent = {
  type: 'CampaignCreated',
  data: {
    id: 'c',
    space_id: 's',
    whitelabel_id: 'w',
    content: { ...DEFAULT_CONTENT, product_url: 'https://shop.example' },
    replicated_from: null,
  },
}
const submitted = (submission: number): CampaignEvent => ({ type: 'CampaignSubmitted', data: { submission, started_at: AT } })
const approved = (version: number): CampaignEvent => ({
  type: 'CampaignApproved',
  data: { submission: version, version, changes: [] },
})
const changed = (path: string, to: string): CampaignEvent => ({
  type: 'CampaignUpdated',
  data: { changes: [{ path, from: null, to }], restored: null, undone: null },
})
const after = (events: readonly CampaignEvent[], from = initial, actor = 'olga'): CampaignState =>
  events.reduce((state, event) => evolve(state, event, { at: AT, revision: state.revision + 1, actor }), from)
/** Approved by Olga in revision 3. */
const APPROVED = after([created, submitted(1), approved(1)])

const look = (state: CampaignState, agrees: boolean, { moderatorId = 'boris', approval = 3, comment = 'No price' } = {}) =>
  decide({ type: 'TakeSecondLook', approval, moderatorId, agrees, comment }, state, FACTS)
const outcomeOf = (decision: ReturnType<typeof look>) =>
  decision.kind === 'rejected'
    ? decision.rejection.code
    : decision.events.map((event) => (event.type === 'SecondLookTaken' ? event.data.outcome : event.type))
const eventsOf = (decision: ReturnType<typeof look>) => (decision.kind === 'rejected' ? [] : decision.events)

/** Fine print 104. */
describe('the sample of second looks', () => {
  // covers FP-104
  it('has the share that was set, to a percent, also for ids that differ in one character', () => {
    for (const share of [1, 5, 20, 50, 90]) {
      const ids = Array.from({ length: 20_000 }, (_, i) => `campaign-${i}`)
      const chosen = ids.filter((id) => isSampled(id, 3, share)).length
      expect(Math.abs(chosen / 200 - share)).toBeLessThan(1)
      const revisions = ids.filter((_, i) => isSampled('campaign', i + 1, share)).length
      expect(Math.abs(revisions / 200 - share)).toBeLessThan(1)
    }
  })

  // covers FP-104
  it('is empty for 0 %, has everything for 100 %, and grows with the share', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), (id, n, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)]
        return !isSampled(id, n, 0) && isSampled(id, n, 100) && (!isSampled(id, n, less) || isSampled(id, n, more))
      }),
    )
  })

  it('leaves out at 0 % also the approval that any other share has', () => {
    expect([0, 0.01].map((share) => isSampled('campaign', 9815, share))).toEqual([false, true])
  })

  // covers FP-104
  it('stays the same for ever: a replay chooses the same ones', () => {
    const chosen = Array.from({ length: 100 }, (_, i) => i).filter((i) => isSampled(`campaign-${i}`, 3, 5))
    expect(chosen).toEqual([25, 47, 54])
  })
})

describe('a second look', () => {
  it('agrees without another effect', () => {
    expect(outcomeOf(look(APPROVED, true, { comment: '' }))).toEqual(['agreed'])
    const state = after(eventsOf(look(APPROVED, true)), APPROVED, 'boris')
    expect([state.approved, state.review]).toEqual([APPROVED.approved, APPROVED.review])
    expect(state.second_look).toEqual({ approval: 3, outcome: 'agreed', by: 'boris', at: AT })
  })

  // covers FP-104
  it('rejects the campaign when it disagrees: nothing is approved, and what was approved counts as rejected', () => {
    const decision = look(APPROVED, false)
    expect(outcomeOf(decision)).toEqual(['CampaignRejected', 'disagreed'])
    const state = after(eventsOf(decision), APPROVED, 'boris')
    expect([statusOf(state), state.approved, state.moderator_comment]).toEqual([2, null, 'No price'])
    expect(state.review).toMatchObject({ kind: 'rejected', reviewed: APPROVED.approved?.reviewed })
  })

  it('compares a later submission with what was approved, not with a change that was saved since', () => {
    const edited = after([changed('product_url', 'https://shop.example/new')], APPROVED)
    const state = after(eventsOf(look(edited, false)), edited, 'boris')
    expect(state.review.kind === 'rejected' && state.review.reviewed.fields['product_url']).toBe('https://shop.example')
  })

  // covers FP-104
  it('gives the next approval a version of its own, so that no old verdict of an exchange counts', () => {
    const state = after([...eventsOf(look(APPROVED, false)), submitted(2)], APPROVED, 'boris')
    const decision = decide(
      { type: 'ApproveCampaign', moderationStartAt: AT, categoryKeys: null, exchangeId: null, ownWork: false },
      state,
      FACTS,
    )
    expect(eventsOf(decision)).toContainEqual(
      expect.objectContaining({ type: 'CampaignApproved', data: expect.objectContaining({ version: 2 }) }),
    )
  })

  it.each([
    ['approved again', [changed('product_url', 'https://new.example'), submitted(2), approved(2)]],
    ['submitted again', [changed('product_url', 'https://new.example'), submitted(2)]],
    ['rejected', [submitted(2), { type: 'CampaignRejected', data: { submission: 2, comment: 'No' } }]],
    ['archived', [{ type: 'CampaignArchived', data: {} }]],
  ] satisfies [string, CampaignEvent[]][])('only notes a disagreement with a campaign that was %s since', (_, since) => {
    const state = after(since, APPROVED)
    const decision = look(state, false)
    expect(outcomeOf(decision)).toEqual(['noted'])
    expect(after(eventsOf(decision), state).approved).toBe(state.approved)
  })

  it('is refused to the moderator who approved it, without a reason, and once it was taken', () => {
    expect(outcomeOf(look(APPROVED, true, { moderatorId: 'olga' }))).toBe(3)
    expect(outcomeOf(look(APPROVED, false, { comment: ' ' }))).toBe(1301)
    for (const agrees of [true, false]) {
      const taken = after(eventsOf(look(APPROVED, agrees)), APPROVED, 'boris')
      expect(outcomeOf(look(taken, true, { moderatorId: 'vera' }))).toBe(136)
      expect(outcomeOf(look(taken, true, { moderatorId: 'vera', approval: 2 }))).toBe(136)
    }
  })
})
