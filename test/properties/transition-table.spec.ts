import { describe, expect, it } from 'vitest'
import type { CampaignState } from '#domain/campaign/state'
import { statusOf } from '#domain/campaign/status/status'
import { STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { commandOf, create, take, viewOf, viewOfModel, unborn, type Past } from '../support/campaign-life.ts'
import { created, expected, statusOfModel, type Asked, type Content, type Model, type Outside } from './campaign-model.ts'

/**
 * Every command in each of the thirteen statuses under every outside condition, compared with the model, and the refusals of
 * commands without content compared with the table of the lifecycle.
 */

const HOUR = 3_600_000
const UNIT = 1_000_000
const BEGIN = Date.UTC(2026, 5, 1, 9, 30)
const END = BEGIN + 30 * HOUR
const PLENTY = 1000 * UNIT
const BUDGET = 50 * UNIT
const CONTENT: Content = {
  name: 'a',
  url: 1,
  banners: { '1': 1 },
  native: 0,
  nativeOn: false,
  budget: BUDGET,
  type: 2,
  start: null,
  end: null,
  exchanges: [],
}
const ORDINARY: Outside = { now: BEGIN + HOUR, spentToday: 0, spentTotal: 0, available: PLENTY }

const publish: Asked = { do: 'publish', patch: {}, expected: null }
const approve: Asked = { do: 'approve', token: 'right', exchanges: null }
const reject: Asked = { do: 'reject', token: 'right', comment: 'no' }
const exchange: Asked = { do: 'exchange', exchange: 'google', creative: '1', verdict: 'approved' }
const policies: Asked = { do: 'policies' }
const [run, pause, toggle]: readonly Asked[] = [{ do: 'run' }, { do: 'pause' }, { do: 'toggle' }]

type Life = { readonly content?: Partial<Content>; readonly steps: readonly (readonly [Asked, Partial<Outside>?])[] }
const LAUNCHED: Life['steps'] = [[publish], [approve], [exchange]]
/** A life that leads to each status, or several where the way matters. */
const LIVES: Readonly<Record<string, Life>> = {
  '0 draft': { steps: [] },
  '1 in moderation': { steps: [[publish]] },
  '2 rejected': { steps: [[publish], [reject]] },
  '3 running': { steps: LAUNCHED },
  '3 with a change in review': { steps: [...LAUNCHED, [{ do: 'publish', patch: { url: 2 }, expected: null }]] },
  '3 with a rejected change': { steps: [...LAUNCHED, [{ do: 'publish', patch: { url: 2 }, expected: null }], [reject]] },
  '5 archived': { steps: [...LAUNCHED, [toggle!]] },
  '5 archived, never approved': { steps: [[publish], [toggle!]] },
  '6 waiting for an exchange': { steps: [[publish], [approve]] },
  '31 day budget reached': { steps: [...LAUNCHED, [policies, { spentToday: BUDGET }]] },
  '40 waiting to start': { content: { start: BEGIN + 26 * HOUR }, steps: LAUNCHED },
  '41 paused': { steps: [...LAUNCHED, [pause!]] },
  '42 budget spent': { content: { type: 1 }, steps: [...LAUNCHED, [policies, { spentTotal: BUDGET }]] },
  '43 overdue': { content: { end: END }, steps: [...LAUNCHED, [policies, { now: END + HOUR }]] },
  '44 balance spent': { steps: [...LAUNCHED, [policies, { available: 0 }]] },
  '45 balance not validated': { steps: [[publish], [approve, { available: 0 }], [exchange, { available: 0 }]] },
}

type Reached = { readonly state: CampaignState; readonly model: Model; readonly past: Past; readonly now: number }

function reach({ content, steps }: Life): Reached {
  const whole = { ...CONTENT, ...content }
  const birth = created(whole, false, ORDINARY)
  const first = take(create(whole, false), unborn, ORDINARY)
  if ('refused' in birth || first.decision.kind !== 'events') throw new Error('the campaign could not be created')
  let { model } = birth
  let { state } = first
  let past: Past = [{ state, events: first.decision.events }]
  let { now } = ORDINARY
  for (const [asked, over = {}] of steps) {
    now += 60_000
    const out = { ...ORDINARY, now, ...over }
    now = out.now
    const answer = expected(asked, model, out)
    const { decision, state: next } = take(commandOf(asked, state, past), state, out)
    if ('refused' in answer || decision.kind === 'rejected') throw new Error(`${asked.do} was refused`)
    if (decision.events.length > 0) past = [...past, { state: next, events: decision.events }]
    ;[model, state] = [answer.model, next]
  }
  return { state, model, past, now }
}

const COMMANDS: readonly (readonly [string, Asked])[] = [
  ['an update of nothing', { do: 'update', patch: {}, expected: null }],
  ['an update of the budget', { do: 'update', patch: { budget: 100 * UNIT }, expected: null }],
  ['an update below the bid', { do: 'update', patch: { budget: 1 }, expected: null }],
  ['an update of the address', { do: 'update', patch: { url: 3 }, expected: null }],
  ['an update back to the approved address', { do: 'update', patch: { url: 1 }, expected: null }],
  ['an update without the banner', { do: 'update', patch: { banners: {} }, expected: null }],
  ['an update with another end', { do: 'update', patch: { end: END + 10 * HOUR }, expected: null }],
  ['a stale update', { do: 'update', patch: { url: 3 }, expected: 0 }],
  ['publishing', publish],
  ['publishing another address', { do: 'publish', patch: { url: 3 }, expected: null }],
  ['publishing another budget', { do: 'publish', patch: { budget: 100 * UNIT }, expected: null }],
  ['approving', approve],
  ['approving for one exchange', { do: 'approve', token: 'right', exchanges: ['verve'] }],
  ['approving another submission', { do: 'approve', token: 'wrong', exchanges: null }],
  ['rejecting', reject],
  ['rejecting without a reason', { do: 'reject', token: 'right', comment: ' ' }],
  ['running', run!],
  ['pausing', pause!],
  ['the archive', toggle!],
  ['the policies', policies],
  ['an approval by an exchange', exchange],
  ['an approval by another exchange', { ...exchange, exchange: 'verve' }],
  ['a disapproval by an exchange', { ...exchange, verdict: 'disapproved' }],
  ['a verdict on a banner that is not there', { ...exchange, creative: '3' }],
  ['a restore of the first revision', { do: 'restore', revision: 1 }],
  ['an undo of the first revision', { do: 'undo', revision: 1 }],
]

const OUTSIDE: readonly Partial<Outside>[] = [0, BUDGET].flatMap((spentToday) =>
  [0, BUDGET].flatMap((spentTotal) =>
    [PLENTY, BUDGET - 1, 0].flatMap((available) =>
      [0, 16 * HOUR, 40 * HOUR].flatMap((later) =>
        [undefined, 3 * HOUR].map((ago) => ({
          spentToday,
          spentTotal,
          available,
          now: later,
          ...(ago === undefined ? {} : { totalSpentAt: later - ago }),
        })),
      ),
    ),
  ),
)

const statusIn = (title: string): number => Number(/^\d+/.exec(title)?.[0])

describe('the transition table', () => {
  it('starts from every status', () => {
    const reached = Object.entries(LIVES).map(([title, life]) => [title, statusOf(reach(life).state)])
    expect(reached).toEqual(Object.keys(LIVES).map((title) => [title, statusIn(title)]))
    expect(new Set(reached.map(([, status]) => status))).toEqual(new Set(STATUS_KEYS))
  })

  // covers FP-10
  it.each(Object.keys(LIVES))('agrees with the model from %s, for every command under every outside condition', (title) => {
    const { state, model, past, now } = reach(LIVES[title]!)
    let cells = 0
    for (const [name, asked] of COMMANDS)
      for (const over of OUTSIDE) {
        const at = now + 60_000
        const out = {
          ...ORDINARY,
          ...over,
          now: at + (over.now ?? 0),
          ...(over.totalSpentAt === undefined ? {} : { totalSpentAt: at + over.totalSpentAt }),
        }
        const answer = expected(asked, model, out)
        const { decision, state: next } = take(commandOf(asked, state, past), state, out)
        const where = `${name} from ${title} with ${JSON.stringify(over)}`
        const code = decision.kind === 'rejected' ? decision.rejection.code : null
        expect(code, where).toBe('refused' in answer ? answer.refused : null)
        cells += 1
        if ('refused' in answer || decision.kind === 'rejected') continue
        expect(statusOf(next), where).toBe(statusOfModel(answer.model))
        expect(viewOf(next), where).toEqual(viewOfModel(answer.model))
      }
    expect(cells).toBe(COMMANDS.length * OUTSIDE.length)
  })

  /** Lifecycle "Commands", copied by hand: the code of the refusal or the resulting status, in the order of the columns. */
  const COLUMNS = [0, 1, 2, 3, 5, 6, 31, 40, 41, 42, 43, 44, 45] as const
  it.each<[string, Asked, readonly (number | string)[]]>([
    ['run', run!, [137, 134, 137, 134, '3', 134, 134, '40', '3', 134, 134, '44', '45']],
    ['pause', pause!, [134, 134, 134, '41', 134, '41', '41', '41', 134, 134, 134, '41', '41']],
    ['archive', toggle!, ['5', '5', '5', '5', '41', '5', '5', '5', '5', '5', '5', '5', '5']],
    ['approve', approve, [136, '6', 136, 136, 134, 136, 136, 136, 136, 136, 136, 136, 136]],
    ['reject', reject, [136, '2', 136, 136, 134, 136, 136, 136, 136, 136, 136, 136, 136]],
  ])('gives the expected results for %s from each status', (_, asked, row) => {
    const outcomes = COLUMNS.map((status) => {
      const [title, life] = Object.entries(LIVES).find(([name]) => statusIn(name) === status)!
      const { state, past, now } = reach(life)
      // Keep the outside conditions of the last step: a campaign without money stays without.
      const over = life.steps.at(-1)?.[1] ?? {}
      const { decision, state: next } = take(commandOf(asked, state, past), state, { ...ORDINARY, ...over, now: now + 60_000 })
      if (statusIn(title) !== statusOf(state)) throw new Error(title)
      return decision.kind === 'rejected' ? decision.rejection.code : String(statusOf(next))
    })
    expect(outcomes).toEqual(row)
  })
})
