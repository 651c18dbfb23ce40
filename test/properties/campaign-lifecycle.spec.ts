import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CampaignEvent } from '#domain/campaign/events'
import type { CampaignState } from '#domain/campaign/state'
import { needsModeration, statusOf, type FactName } from '#domain/campaign/status/status'
import { STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { play } from '#domain/campaign/status/time-and-money'
import { commandOf, create, factsOf, iso, take, viewOf, viewOfModel, unborn, type Past } from '../support/campaign-life.ts'
import { limit, runs } from '../support/properties.ts'
import {
  created,
  expected,
  needsModeration as needsModerationByModel,
  statusOfModel,
  type Asked,
  type Content,
  type Outside,
} from './campaign-model.ts'

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
  native: fc.constantFrom(0, 1, 1, 2),
  nativeOn: fc.boolean(),
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
  { weight: 4, arbitrary: saved('update') },
  { weight: 4, arbitrary: saved('publish') },
  {
    weight: 5,
    arbitrary: wish(fc.record({ do: fc.constant('approve'), token, exchanges: fc.option(fields.exchanges) })),
  },
  {
    weight: 4,
    arbitrary: wish(fc.record({ do: fc.constant('reject'), token, comment: fc.constantFrom('no', 'bad', 'why', ' ') })),
  },
  {
    weight: 11,
    arbitrary: wish(
      fc.record({ do: fc.constantFrom('run', 'run', 'pause', 'pause', 'toggle', 'toggle', 'policies', 'policies') }),
    ),
  },
  {
    weight: 6,
    arbitrary: wish(
      fc.record({
        do: fc.constant('exchange'),
        exchange: fc.constantFrom('google', 'google', 'verve', 'nowhere'),
        creative: fc.constantFrom('1', '1', '2', '3', 'native'),
        verdict: fc.constantFrom('approved', 'approved', 'disapproved', 'pending'),
      }),
    ),
  },
  { weight: 5, arbitrary: wish(fc.record({ do: fc.constantFrom('restore', 'undo'), revision: fc.constant(0) })) },
)
/** When the total budget was spent: hours ago, or at the very end of the campaign. */
type SpentAt = number | null | 'end'
/** Money mostly stays as it is, so that a campaign meets several commands in a status that money caused. */
const stays = (...amounts: readonly number[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...amounts) })
const step = fc.record({
  wish: wishes,
  hours: fc.constantFrom(0, 0, 0, 0, 1, 6, 20),
  spentToday: stays(0, 0, 0, 40 * UNIT, 50 * UNIT, 120 * UNIT),
  spentTotal: stays(0, 0, 0, 60 * UNIT, 100 * UNIT),
  spentAt: fc.constantFrom<SpentAt>(null, 0, 3, 30, 'end', 'end', 'end'),
  available: stays(1000 * UNIT, 1000 * UNIT, 60 * UNIT, 0),
})
/** Most lives start approved or launched: few random ones would get there. */
type First = readonly (readonly [Asked, Partial<Outside>?])[]
const PUBLISHED: First = [[{ do: 'publish', patch: {}, expected: null }]]
const REJECTED: First = [...PUBLISHED, [{ do: 'reject', token: 'right', comment: 'no' }]]
const APPROVED: First = [...PUBLISHED, [{ do: 'approve', token: 'right', exchanges: null }]]
const CLEARED: Asked = { do: 'exchange', exchange: 'google', creative: '1', verdict: 'approved' }
const LAUNCHED: First = [...APPROVED, [CLEARED]]
const SPENT_TODAY: First = [...LAUNCHED, [{ do: 'policies' }, { spentToday: 120 * UNIT }]]
const SPENT: First = [...LAUNCHED, [{ do: 'policies' }, { spentTotal: 120 * UNIT }]]
const SHORT: First = [...LAUNCHED, [{ do: 'policies' }, { available: 0 }]]
const NEVER_FUNDED: First = [...APPROVED, [CLEARED, { available: 0 }]]
const life = fc.record({
  content: fc.record({
    ...fields,
    banners: fc.constant({ '1': 1 }),
    native: fc.constantFrom(0, 0, 1),
    nativeOn: fc.constant(false),
    budget: fc.constantFrom(50 * UNIT, 100 * UNIT),
    start: fc.constantFrom(null, null, null, 1, 20).map((hours) => (hours === null ? null : START + hours * HOUR)),
    end: fc.constantFrom(null, null, 40, 60).map((hours) => (hours === null ? null : START + hours * HOUR)),
    exchanges: fc.constantFrom<readonly string[]>([], ['google'], ['google', 'verve']),
  }),
  publish: fc.boolean(),
  first: fc.constantFrom(
    [],
    [],
    PUBLISHED,
    REJECTED,
    APPROVED,
    LAUNCHED,
    LAUNCHED,
    LAUNCHED,
    SPENT_TODAY,
    SPENT_TODAY,
    SPENT_TODAY,
    SPENT,
    SHORT,
    NEVER_FUNDED,
  ),
  steps: fc.array(step, { maxLength: 25, size: 'max' }),
})
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never

/** The request with its revisions filled in. */
function askedOf({ asked, back: ago }: Wish, newest: number): Asked {
  const revision = Math.max(1, newest - ago)
  if (asked.do === 'restore' || asked.do === 'undo') return { ...asked, revision }
  return (asked.do === 'update' || asked.do === 'publish') && asked.expected === 0 ? { ...asked, expected: revision } : asked
}

type Reached = { readonly cells: Map<string, number>; ties: number }

/** Runs one life in product and model, and stops at the first difference. */
function live({ content, publish, first: begins, steps }: Life, reached: Reached): void {
  let out: Outside = { now: BEGIN, spentToday: 0, spentTotal: 0, available: 1000 * UNIT }
  const birth = created(content, publish, out)
  const first = take(create(content, publish), unborn, out)
  expect(codeOf(first.decision)).toEqual('refused' in birth ? birth.refused : null)
  if ('refused' in birth) throw new Error('lives begin with a valid campaign')
  let model = birth.model
  let state = first.state
  let past: Past = [{ state, events: first.decision.kind === 'events' ? first.decision.events : [] }]
  const one = (wanted: Wish) => {
    const status = statusOfModel(model)
    const asked = askedOf(wanted, model.revision)
    reached.cells.set(`${asked.do} in ${status}`, (reached.cells.get(`${asked.do} in ${status}`) ?? 0) + 1)
    const answer = expected(asked, model, out)
    const { decision, state: next } = take(commandOf(asked, state, past), state, out)
    const where = () => JSON.stringify({ asked, status, decision })
    expect(codeOf(decision), where()).toEqual('refused' in answer ? answer.refused : null)
    if ('refused' in answer || decision.kind === 'rejected') return
    checkCommit(state, decision.events, out)
    expect(viewOf(next), where()).toEqual(viewOfModel(answer.model))
    expect(statusOf(next), where()).toBe(statusOfModel(answer.model))
    expect(needsModeration(next), where()).toBe(needsModerationByModel(answer.model))
    expect(JSON.parse(JSON.stringify(next)), where()).toEqual(next)
    if (decision.events.length > 0) past = [...past, { state: next, events: decision.events }]
    model = answer.model
    state = next
    if (model.flight === 'ended' && model.totalSpent && model.spentAt === model.head.end) reached.ties += 1
  }
  for (const [asked, over] of begins) {
    out = { ...out, ...over }
    one({ asked, back: 0 })
  }
  for (const { wish: wanted, hours, spentToday, spentTotal, spentAt, available } of steps) {
    const now = out.now + hours * HOUR
    const spent = spentAt === 'end' ? model.head.end : spentAt === null ? null : now - spentAt * HOUR
    out = {
      now,
      spentToday: spentToday ?? out.spentToday,
      spentTotal: spentTotal ?? out.spentTotal,
      available: available ?? out.available,
      ...(spent === null ? {} : { totalSpentAt: spent }),
    }
    one(wanted)
  }
}

const FACT_OF: Readonly<Partial<Record<CampaignEvent['type'], FactName>>> = {
  CampaignSwitchedOn: 'intent',
  CampaignSwitchedOff: 'intent',
  CampaignArchived: 'archived',
  CampaignUnarchived: 'archived',
  FlightChanged: 'flight',
  DayBudgetReached: 'day_budget',
  DayBudgetReopened: 'day_budget',
  TotalBudgetSpent: 'total_budget',
  TotalBudgetReopened: 'total_budget',
  FundingFellShort: 'funding',
  FundingRestored: 'funding',
}
const TIME_AND_MONEY = ['flight', 'day_budget', 'total_budget', 'funding'] as const
const LAUNCHING: ReadonlySet<string> = new Set([
  'CampaignSwitchedOn',
  'CampaignApproved',
  'CampaignUnarchived',
  'ExchangeDecided',
] satisfies CampaignEvent['type'][])

/**
 * Each event changes its fact, days are the campaign's own, and the facts of time and money come before whatever may launch the
 * campaign (fine print 1).
 */
function checkCommit(before: CampaignState, events: readonly CampaignEvent[], out: Outside): void {
  const types = events.map(({ type }) => type).join()
  const states = events.map((_, i) => play(before, events.slice(0, i + 1), factsOf(out)))
  const after = states.at(-1) ?? before
  for (const [i, event] of events.entries()) {
    const then = states[i - 1] ?? before
    const fact = FACT_OF[event.type]
    if (fact !== undefined) expect(states[i]?.[fact as 'intent'], `${event.type} in ${types}`).not.toBe(then[fact as 'intent'])
    if (event.type === 'DayBudgetReached' || event.type === 'DayBudgetReopened') expect(event.data.day).toBe(localDayOf(out.now))
    // A campaign is born before its facts are known.
    if (LAUNCHING.has(event.type))
      for (const key of TIME_AND_MONEY) expect(then[key], `${key} before ${event.type} in ${types}`).toBe(after[key])
  }
}

/** The campaigns' country is an hour east of Greenwich. */
const localDayOf = (now: number): string => iso(now + HOUR).slice(0, 10)
const codeOf = (decision: { kind: 'events' } | { kind: 'rejected'; rejection: { code: number } }): number | null =>
  decision.kind === 'rejected' ? decision.rejection.code : null

const COMMANDS = 'update publish approve reject run pause toggle policies exchange restore undo'.split(' ')

describe('the lifecycle', () => {
  // covers FP-1 FP-5
  it(
    'follows the model in status, facts and refusals at every step of every life, with every command in every status',
    () => {
      const reached: Reached = { cells: new Map(), ties: 0 }
      fc.assert(
        fc.property(life, (one) => live(one, reached)),
        { numRuns: runs(1500) },
      )
      const cells = COMMANDS.flatMap((command) => STATUS_KEYS.map((status) => `${command} in ${status}`))
      expect(cells).toHaveLength(143)
      expect(cells.filter((cell) => (reached.cells.get(cell) ?? 0) < 20)).toEqual([])
      expect(reached.ties).toBeGreaterThan(10)
    },
    limit(),
  )
})
