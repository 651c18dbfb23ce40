import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { needsModeration, statusOf } from '../../domain/campaign/status/status.ts'
import { commandOf, create, take, viewOf, viewOfModel, unborn, type Past } from '../support/campaign-life.ts'
import {
  created,
  expected,
  needsModeration as needsModerationByModel,
  statusOfModel,
  type Asked,
  type Content,
  type Outside,
} from './campaign-model.ts'

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 2000)
const HOUR = 3_600_000
const UNIT = 1_000_000
/**
 * Half past the hour, so that no instant of the clock equals a date of the campaign: the specification leaves that case open.
 */
const BEGIN = Date.UTC(2026, 5, 1, 9, 30)
const START = Date.UTC(2026, 5, 1, 9)

const date = fc.constantFrom(null, -30, 1, 5, 12, 20, 40, 60).map((hours) => (hours === null ? null : START + hours * HOUR))
const banners = fc
  .record({ '1': fc.integer({ min: 0, max: 2 }), '2': fc.integer({ min: 0, max: 1 }), '3': fc.integer({ min: 0, max: 1 }) })
  .map((files) => Object.fromEntries(Object.entries(files).filter(([, file]) => file > 0)))
const fields = {
  name: fc.constantFrom('a', 'b'),
  url: fc.integer({ min: 1, max: 3 }),
  banners,
  budget: fc.constantFrom(100_000, 50 * UNIT, 100 * UNIT),
  type: fc.constantFrom<1 | 2>(1, 2),
  start: date,
  end: date,
  exchanges: fc.constantFrom<readonly string[]>([], ['google'], ['google', 'verve']),
}
const onePatch: fc.Arbitrary<Partial<Content>> = fc.oneof(
  fc.constant({}),
  fc.constant({}),
  ...Object.entries(fields).map(([key, value]) =>
    (value as fc.Arbitrary<unknown>).map((of): Partial<Content> => ({ [key]: of })),
  ),
  fc.record({ url: fields.url }),
)
const patch = fc.oneof({ weight: 6, arbitrary: onePatch }, fc.record(fields, { requiredKeys: [] }))

/** Requested revisions are counted back from the newest one. */
type Wish = { readonly asked: Asked; readonly back: number }
const back = fc.integer({ min: 0, max: 6 })
const wish = <T extends Asked>(asked: fc.Arbitrary<T>): fc.Arbitrary<Wish> => fc.record({ asked, back })
const token = fc.constantFrom<'right' | 'wrong' | 'none'>('right', 'right', 'right', 'right', 'wrong', 'none')
const saved = (what: 'update' | 'publish') =>
  wish(fc.record({ do: fc.constant(what), patch, expected: fc.constantFrom(null, null, 0) }))
const wishes = fc.oneof(
  { weight: 6, arbitrary: saved('update') },
  { weight: 6, arbitrary: saved('publish') },
  {
    weight: 5,
    arbitrary: wish(fc.record({ do: fc.constant('approve'), token, exchanges: fc.option(fields.exchanges) })),
  },
  {
    weight: 2,
    arbitrary: wish(fc.record({ do: fc.constant('reject'), token, comment: fc.constantFrom('no', 'bad', 'why', ' ') })),
  },
  { weight: 6, arbitrary: wish(fc.record({ do: fc.constantFrom('run', 'run', 'pause', 'toggle', 'policies', 'policies') })) },
  {
    weight: 6,
    arbitrary: wish(
      fc.record({
        do: fc.constant('exchange'),
        exchange: fc.constantFrom('google', 'google', 'verve', 'nowhere'),
        banner: fc.constantFrom('1', '1', '2', '3'),
        verdict: fc.constantFrom('approved', 'approved', 'disapproved', 'pending'),
      }),
    ),
  },
  { weight: 3, arbitrary: wish(fc.record({ do: fc.constantFrom('restore', 'undo'), revision: fc.constant(0) })) },
)
const step = fc.record({
  wish: wishes,
  hours: fc.constantFrom(0, 0, 0, 1, 6, 20),
  spentToday: fc.constantFrom(0, 0, 0, 0, 40 * UNIT, 50 * UNIT, 120 * UNIT),
  spentTotal: fc.constantFrom(0, 0, 0, 0, 60 * UNIT, 100 * UNIT),
  spentHoursAgo: fc.constantFrom(null, 0, 3, 30),
  available: fc.constantFrom(1000 * UNIT, 1000 * UNIT, 1000 * UNIT, 1000 * UNIT, 60 * UNIT, 0),
})
const life = fc.record({
  content: fc.record({
    ...fields,
    banners: fc.oneof({ weight: 4, arbitrary: fc.constant({ '1': 1 }) }, banners),
    budget: fc.constantFrom(50 * UNIT, 100 * UNIT, 100_000),
    start: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, date),
    end: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, date),
  }),
  publish: fc.boolean(),
  steps: fc.array(step, { maxLength: 25, size: 'max' }),
})
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never

/** The request with its revisions filled in. */
function askedOf({ asked, back: ago }: Wish, newest: number): Asked {
  const revision = Math.max(1, newest - ago)
  if (asked.do === 'restore' || asked.do === 'undo') return { ...asked, revision }
  return (asked.do === 'update' || asked.do === 'publish') && asked.expected === 0 ? { ...asked, expected: revision } : asked
}

/** Runs one life in product and model, and stops at the first difference. */
function live({ content, publish, steps }: Life): void {
  let out: Outside = { now: BEGIN, spentToday: 0, spentTotal: 0, available: 1000 * UNIT }
  const birth = created(content, publish, out)
  const first = take(create(content, publish), unborn, out)
  expect(codeOf(first.decision)).toEqual('refused' in birth ? birth.refused : null)
  if ('refused' in birth) return
  let model = birth.model
  let state = first.state
  let past: Past = [{ state, events: first.decision.kind === 'events' ? first.decision.events : [] }]
  for (const { wish: wanted, hours, spentToday, spentTotal, spentHoursAgo, available } of steps) {
    const now = out.now + hours * HOUR
    const spentAt = spentHoursAgo === null ? {} : { totalSpentAt: now - spentHoursAgo * HOUR }
    out = { now, spentToday, spentTotal, available, ...spentAt }
    const asked = askedOf(wanted, model.revision)
    const answer = expected(asked, model, out)
    const { decision, state: next } = take(commandOf(asked, state, past), state, out)
    const where = () => JSON.stringify({ asked, status: statusOfModel(model), decision })
    expect(codeOf(decision), where()).toEqual('refused' in answer ? answer.refused : null)
    if ('refused' in answer || decision.kind === 'rejected') continue
    expect(viewOf(next), where()).toEqual(viewOfModel(answer.model))
    expect(statusOf(next), where()).toBe(statusOfModel(answer.model))
    expect(needsModeration(next), where()).toBe(needsModerationByModel(answer.model))
    expect(JSON.parse(JSON.stringify(next)), where()).toEqual(next)
    if (decision.events.length > 0) past = [...past, { state: next, events: decision.events }]
    model = answer.model
    state = next
  }
}

const codeOf = (decision: { kind: 'events' } | { kind: 'rejected'; rejection: { code: number } }): number | null =>
  decision.kind === 'rejected' ? decision.rejection.code : null

describe('the lifecycle', () => {
  it('follows the model in status, facts and refusals at every step of every life', () => {
    fc.assert(fc.property(life, live), { numRuns: RUNS })
  })
})
