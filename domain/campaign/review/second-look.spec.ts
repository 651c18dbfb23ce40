import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { decide } from '../campaign.ts'
import type { CampaignCommand, CommandFacts } from '../commands.ts'
import { DEFAULT_CONTENT } from '../content/content.ts'
import type { CampaignEvent } from '../events.ts'
import { NOTHING_LOOKED_UP } from '../saving/references.ts'
import { evolve, initial } from '../state.ts'
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
/** Approved by Olga in revision 3; what comes later is Boris'. */
const given = givenFor({
  decide: (command: CampaignCommand, state) => decide(command, state, FACTS),
  evolve: (state, event: CampaignEvent) =>
    evolve(state, event, { at: AT, revision: state.revision + 1, actor: state.revision < 3 ? 'olga' : 'boris' }),
  initial,
})
const APPROVED = [created, submitted(1), approved(1)]

const look = (agrees: boolean, { moderatorId = 'boris', approval = 3, comment = 'No price' } = {}): CampaignCommand => ({
  type: 'TakeSecondLook',
  approval,
  moderatorId,
  agrees,
  comment,
})
const taken = (outcome: 'agreed' | 'disagreed' | 'noted') => ({
  type: 'SecondLookTaken' as const,
  data: expect.objectContaining({ outcome }),
})

/** Fine print 104. */
describe('the sample of second looks', () => {
  // covers FP-104
  it('the sample of second looks has the share that was set, to a percent, also for ids that differ in one character', () => {
    for (const share of [1, 5, 20, 50, 90]) {
      const ids = Array.from({ length: 20_000 }, (_, i) => `campaign-${i}`)
      const chosen = ids.filter((id) => isSampled(id, 3, share)).length
      expect(Math.abs(chosen / 200 - share)).toBeLessThan(1)
      const revisions = ids.filter((_, i) => isSampled('campaign', i + 1, share)).length
      expect(Math.abs(revisions / 200 - share)).toBeLessThan(1)
    }
  })

  // covers FP-104
  it('the sample of second looks is empty for 0 %, has everything for 100 %, and grows with the share', () => {
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
    const before = given(APPROVED)
    const { state } = before.when(look(true, { comment: '' })).then([taken('agreed')])
    expect([state.approved, state.review]).toEqual([before.state.approved, before.state.review])
    expect(state.second_look).toEqual({ approval: 3, outcome: 'agreed', by: 'boris', at: AT })
  })

  // covers FP-104
  it('rejects the campaign when it disagrees: nothing is approved, and what was approved counts as rejected', () => {
    const before = given(APPROVED)
    const { state } = before.when(look(false)).then(['CampaignRejected', taken('disagreed')])
    expect([statusOf(state), state.approved, state.moderator_comment]).toEqual([2, null, 'No price'])
    expect(state.review).toMatchObject({ kind: 'rejected', reviewed: before.state.approved?.reviewed })
  })

  it('compares a later submission with what was approved, not with a change that was saved since', () => {
    const { state } = given(APPROVED, changed('product_url', 'https://shop.example/new'), look(false))
    expect(state.review.kind === 'rejected' && state.review.reviewed.fields['product_url']).toBe('https://shop.example')
  })

  // covers FP-104
  it('gives the next approval a version of its own, so that no old verdict of an exchange counts', () => {
    const { events } = given(APPROVED, look(false), submitted(2)).when({
      type: 'ApproveCampaign',
      moderationStartAt: AT,
      categoryKeys: null,
      exchangeId: null,
      ownWork: false,
    })
    expect(events).toContainEqual({ type: 'CampaignApproved', data: expect.objectContaining({ version: 2 }) })
  })

  it.each([
    ['approved again', [changed('product_url', 'https://new.example'), submitted(2), approved(2)]],
    ['submitted again', [changed('product_url', 'https://new.example'), submitted(2)]],
    ['rejected', [submitted(2), { type: 'CampaignRejected', data: { submission: 2, comment: 'No' } }]],
    ['archived', [{ type: 'CampaignArchived', data: {} }]],
  ] satisfies [string, CampaignEvent[]][])(
    'a second look only notes a disagreement with a campaign that was %s since',
    (_, since) => {
      const before = given(APPROVED, since)
      expect(before.when(look(false)).then([taken('noted')]).state.approved).toBe(before.state.approved)
    },
  )

  it('a second look is refused to the moderator who approved it, without a reason, and once it was taken', () => {
    const { when } = given(APPROVED)
    when(look(true, { moderatorId: 'olga' })).then(3)
    when(look(false, { comment: ' ' })).then(1301)
    for (const agrees of [true, false])
      for (const approval of [2, 3])
        given(APPROVED, look(agrees))
          .when(look(true, { moderatorId: 'vera', approval }))
          .then(136)
  })
})
