import { NOTHING_LOOKED_UP } from '#domain/campaign/saving/references'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '#domain/campaign/campaign'
import type { CampaignCommand, CommandFacts } from '#domain/campaign/commands'
import { play } from '#domain/campaign/status/time-and-money'
import { apply, applyJson, diff, invert, type Json } from '#domain/kit/json-changes'
import { DEFAULT_CONTENT, type CampaignContent } from '#domain/campaign/content/content'
import { emptyLogState, factChanges, contentChanges, logState } from '#domain/campaign/log-state'
import type { CampaignEvent } from '#domain/campaign/events'
import { advance, draftOf, evolve, initial as initialState, type CampaignState } from '#domain/campaign/state'
import { servedContent } from '#domain/campaign/review/served-content'
import { reasonsOf, served, statusOf } from '#domain/campaign/status/status'
import { STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { CATALOGUE } from '#domain/kit/errors'
import { expectSame, limit, runs } from '../support/properties.ts'
import { expected, servesNative, statusOfModel, unborn, type Asked, type Model, type Outside } from './lifecycle-model.ts'

const COMMANDS = [
  'UpdateCampaign',
  'PublishCampaign',
  'ApproveCampaign',
  'RejectCampaign',
  'RunCampaign',
  'PauseCampaign',
  'ToggleArchive',
  'DecideExchange',
  'KeepSpend',
] as const
const RUNS = runs(1000)
const START = Date.UTC(2026, 5, 1, 9)
const HOUR = 3_600_000
const BANNER = {
  id: 'banner-1',
  width: 300,
  height: 250,
  file_id: 'file-1',
  url: '/f',
  creative_name: 'one',
  type_key: 1,
  size_key: 106,
}

const NATIVE = {
  id: 'native-1',
  creative_name: 'native',
  headline: null,
  body: 'Text',
  images: [{ width: 1200, height: 627, file_id: 'file-2', url: null }],
  call_to_action: 'Buy',
  logo: { width: 128, height: 128, file_id: 'file-3', url: null },
  star_rating: 5,
  price: '0',
  advertiser: 'Shop',
  video: null,
}

/** One step of a random life: some time passes, money changes, and a command is requested. */
type Step = {
  readonly hours: number
  readonly spentToday: number
  readonly spentTotal: number
  /** Hours ago, or at the very end of the campaign. */
  readonly spent: number | 'at the end'
  readonly available: number
  readonly asked: Asked
}

const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record(
    {
      do: fc.constantFrom('update', 'update', 'publish'),
      head: fc.constantFrom('a', 'b', 'c'),
      complete: fc.boolean(),
      free: fc.boolean(),
      stale: fc.boolean(),
      native: fc.boolean(),
    },
    { requiredKeys: ['do'] },
  ),
  { weight: 2, arbitrary: fc.constant<Asked>({ do: 'publish', complete: true }) },
  { weight: 3, arbitrary: fc.constant<Asked>({ do: 'approve' }) },
  fc.constantFrom<Asked>(
    { do: 'reject' },
    { do: 'reject' },
    { do: 'reject', silent: true },
    { do: 'approve', stale: true },
    { do: 'reject', stale: true },
  ),
  {
    weight: 3,
    arbitrary: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<Asked>({ do: 'run' }, { do: 'pause' }) },
      fc.constant<Asked>({ do: 'toggle' }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Asked>({ do: 'exchanges', verdict: 'approved' }, { do: 'exchanges', verdict: 'disapproved' }),
  },
  { weight: 2, arbitrary: fc.constant<Asked>({ do: 'policies' }) },
)
const step: fc.Arbitrary<Step> = fc.record({
  hours: fc.constantFrom(0, 0, 0, 1, 2, 20, 60),
  spentToday: fc.constantFrom(0, 0, 0, 40, 50, 50),
  spentTotal: fc.constantFrom(0, 0, 0, 50),
  spent: fc.constantFrom<Step['spent']>(0, 1, 30, 'at the end'),
  available: fc.constantFrom(1000, 1000, 1000, 30, 0),
  asked,
})
const ordinary = { hours: 0, spentToday: 0, spentTotal: 0, spent: 0, available: 1000 } as const
const LAUNCH: readonly Step[] = [
  { ...ordinary, asked: { do: 'publish' } },
  { ...ordinary, asked: { do: 'approve' } },
  { ...ordinary, asked: { do: 'exchanges', verdict: 'approved' } },
]
const REJECTED: readonly Step[] = [...LAUNCH.slice(0, 1), { ...ordinary, asked: { do: 'reject' } }]
const SPENT_TODAY: readonly Step[] = [...LAUNCH, { ...ordinary, spentToday: 50, asked: { do: 'policies' } }]
const SHORT: readonly Step[] = [...LAUNCH, { ...ordinary, available: 0, asked: { do: 'policies' } }]
const life = fc.record({
  budgetType: fc.constantFrom(1, 2),
  startsIn: fc.constantFrom(null, 48, 100),
  endsIn: fc.constantFrom(null, null, 120),
  // Without the size, fast-check generates lives of about five steps.
  // Most lives start approved or launched: few random ones would get there.
  steps: fc
    .tuple(
      fc.constantFrom([], LAUNCH.slice(0, 1), REJECTED, LAUNCH.slice(0, 2), LAUNCH, SPENT_TODAY, SPENT_TODAY, SHORT),
      fc.array(step, { maxLength: 37, size: 'max' }),
    )
    .map(([first, steps]) => [...first, ...steps]),
})
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never

const instant = (time: number) => new Date(time).toISOString()
const contentOf = ({ budgetType, startsIn, endsIn }: Life): CampaignContent => ({
  ...DEFAULT_CONTENT,
  name: 'A campaign',
  country: 'NG',
  timezone_offset_seconds: 3600,
  budget: 50_000_000,
  budget_type_key: budgetType,
  campaign_start_at: startsIn === null ? null : instant(START + startsIn * HOUR),
  campaign_end_at: endsIn === null ? null : instant(START + endsIn * HOUR),
  product_url: 'https://a.example',
  bidding_strategy: { ...DEFAULT_CONTENT.bidding_strategy, type: 'awareness', goal: 'ENHANCED_EXPOSURE' },
  visuals: { banners: [BANNER] },
  native_ad: NATIVE,
})

type Walked = {
  readonly state: CampaignState
  readonly model: Model
  readonly time: number
  readonly commits: readonly (readonly CampaignEvent[])[]
}

/** Runs a life in the decider and the model; `onStep` is called after every step. */
function live(
  one: Life,
  onStep: (at: {
    before: CampaignState
    after: CampaignState
    events: readonly CampaignEvent[]
    command: CampaignCommand
    facts: CommandFacts
    model: Model
  }) => void = () => {},
): Walked {
  let time = START
  const facts = (over: Partial<CommandFacts> = {}): CommandFacts => ({
    now: instant(time),
    available: 1_000_000_000,
    spentToday: 0,
    spentTotal: 0,
    baseBid: 100_000,
    maxMargin: 50,
    nameTaken: false,
    countryOffset: 3600,
    references: NOTHING_LOOKED_UP,
    ...over,
  })
  const save = { newIds: ['n1', 'n2', 'n3', 'n4'], mayWriteOwnerFields: false }
  const base = contentOf(one)
  const { timezone_offset_seconds: _zone, ...patch } = base
  const create: CampaignCommand = {
    type: 'CreateCampaign',
    id: 'c',
    spaceId: 's',
    whitelabelId: 'w',
    replicatedFrom: null,
    base: DEFAULT_CONTENT,
    publish: false,
    patch,
    ...save,
  }
  const born = decide(create, initialState, facts())
  if (born.kind !== 'events') throw new Error(JSON.stringify(born.rejection))
  let state = play(initialState, born.events, facts())
  const commits: (readonly CampaignEvent[])[] = [born.events]
  let model: Model = { ...unborn, exists: true, flight: one.startsIn === null ? 'open' : 'upcoming' }
  let saves = 1
  let spent = 0

  for (const { hours, asked: ask, ...money } of one.steps) {
    time += hours * HOUR + 1000
    spent = Math.max(spent, money.spentTotal)
    const endsAt = one.endsIn === null ? 0 : START + one.endsIn * HOUR
    const spentAt = money.spent === 'at the end' ? endsAt : time - money.spent * HOUR
    const now = facts({
      available: money.available * 1_000_000,
      spentToday: money.spentToday * 1_000_000,
      spentTotal: spent * 1_000_000,
      totalSpentAt: instant(spentAt),
    })
    const head = 'head' in ask ? ask.head : undefined
    const complete = 'complete' in ask ? ask.complete : undefined
    saves += 1
    const native = complete === false ? false : 'native' in ask ? ask.native : undefined
    const changes = {
      ...(head === undefined ? {} : { product_url: `https://${head}.example` }),
      ...(native === undefined ? {} : { native_ad_enabled: native }),
      ...(complete === undefined && native !== true ? {} : { visuals: { banners: complete === false ? [] : [BANNER] } }),
      ...('free' in ask && ask.free ? { deal: saves, attribution: [{ name: 'CID', value: String(saves) }] } : {}),
    }
    const stale = 'stale' in ask && (ask.stale ?? false)
    const moderationStartAt = stale ? instant(0) : state.moderation_start_at
    const command: CampaignCommand = ((): CampaignCommand => {
      switch (ask.do) {
        case 'update':
          return {
            type: 'UpdateCampaign',
            patch: changes,
            expected: stale ? state.content_revision - 1 : state.revision,
            ...save,
          }
        case 'publish':
          return {
            type: 'PublishCampaign',
            patch: changes,
            expected: stale ? state.content_revision - 1 : state.revision,
            ...save,
          }
        case 'approve':
          return { type: 'ApproveCampaign', moderationStartAt, categoryKeys: null, exchangeId: null, ownWork: false }
        case 'reject':
          return { type: 'RejectCampaign', moderationStartAt, comment: ask.silent ? ' ' : 'no' }
        case 'run':
          return { type: 'RunCampaign' }
        case 'pause':
          return { type: 'PauseCampaign' }
        case 'toggle':
          return { type: 'ToggleArchive' }
        case 'exchanges': {
          const said = { status: ask.verdict, topics: [] }
          const decision = { dealsPolicyCompliance: said, networkPolicyCompliance: said, platformPolicyCompliance: said }
          const creatives = served(state).map(({ id }) => id)
          const verdicts = creatives.flatMap((creativeId) =>
            ['google', 'verve', 'taboola', 'yandex', '3rdpresence'].map((exchange) => ({
              exchange,
              creativeId,
              contentVersion: null,
              decision,
            })),
          )
          return { type: 'DecideExchange', verdicts }
        }
        case 'policies':
          return { type: 'KeepSpend' }
      }
    })()
    const commands: readonly CampaignCommand[] = [command]
    const today = Math.floor((time + HOUR) / (24 * HOUR))
    const dayOf = (hoursFromStart: number) => Math.floor((START + (hoursFromStart + 1) * HOUR) / (24 * HOUR))
    const outside: Outside = {
      startPast: one.startsIn !== null && dayOf(one.startsIn) < today,
      endPast: one.endsIn !== null && dayOf(one.endsIn) < today,
      endsAt,
      spentAt,
      flight:
        one.endsIn !== null && time >= START + one.endsIn * HOUR
          ? 'ended'
          : one.startsIn !== null && time < START + one.startsIn * HOUR
            ? 'upcoming'
            : 'open',
      dayReached: one.budgetType === 2 && money.spentToday >= 50,
      totalSpent: one.budgetType === 1 && spent >= 50,
      short: money.available <= 0 || money.available < Math.max(0, 50 - (one.budgetType === 1 ? spent : money.spentToday)),
    }
    const should = expected(model, ask, outside)
    for (const single of commands) {
      const before = state
      const decided = decide(single, before, now)
      if (decided.kind === 'rejected') {
        expectSame({ refused: decided.rejection.code }, should)
        if (!(decided.rejection.code in CATALOGUE)) expect(CATALOGUE).toHaveProperty(String(decided.rejection.code))
        onStep({ before, after: before, events: [], command: single, facts: now, model })
        continue
      }
      state = decided.events.length === 0 ? before : play(before, decided.events, now)
      if (decided.events.length > 0) commits.push(decided.events)
      onStep({ before, after: state, events: decided.events, command: single, facts: now, model })
    }
    if ('becomes' in should) model = should.becomes
    expectSame(
      {
        status: statusOf(state),
        review: state.review.kind,
        intent: state.intent,
        launched: state.launched !== null,
        native: servedContent(state)?.native_ad_enabled ?? false,
      },
      {
        status: statusOfModel(model),
        review: model.review,
        intent: model.intent,
        launched: model.launched,
        native: servesNative(model),
      },
    )
  }
  return { state, model, time, commits }
}

const property = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void, numRuns = RUNS) =>
  fc.assert(fc.property(arbitrary, check), { numRuns })

describe('the lifecycle', () => {
  // covers FP-4 FP-6 FP-9 FP-12
  it(
    'follows its description in status, refusals, review, intent and launch, with every command in every status',
    () => {
      const LIVES = 2 * RUNS
      const asked = new Map<string, number>()
      let steps = 0
      property(
        life,
        (one) => {
          live(one, ({ before, command }) => {
            const cell = `${command.type} in ${statusOf(before)}`
            asked.set(cell, (asked.get(cell) ?? 0) + 1)
            steps += 1
          })
        },
        LIVES,
      )
      const cells = COMMANDS.flatMap((type) => STATUS_KEYS.map((status) => `${type} in ${status}`))
      expect(cells.filter((cell) => (asked.get(cell) ?? 0) < 20)).toEqual([])
      expect(steps / LIVES).toBeGreaterThan(15)
    },
    limit(),
  )

  // covers FP-8
  it(
    'serves only approved creatives, and runs only when switched on, unarchived, in flight and funded',
    () =>
      property(
        life,
        (one) =>
          void live(one, ({ after }) => {
            for (const creative of served(after)) expectSame(after.approved?.reviewed.creatives[creative.id], creative)
            if (statusOf(after) !== 3 && statusOf(after) !== 31) return
            expectSame(
              [after.approved !== null, after.intent, after.archived, after.flight, after.funding],
              [true, true, false, 'open', 'ok'],
            )
          }),
        runs(300),
      ),
    limit(),
  )

  it(
    'decides deterministically and never changes its input',
    () =>
      property(
        life,
        (one) =>
          void live(one, ({ before, command, facts }) => {
            const frozen = deepFreeze(structuredClone(before))
            expectSame(decide(command, frozen, facts), decide(command, frozen, facts))
          }),
        runs(300),
      ),
    limit(),
  )

  it(
    'gives the state of any time from a prefix of the log',
    () =>
      property(
        life,
        (one) => {
          const states: CampaignState[] = []
          const { commits } = live(one, ({ before, after }) => {
            if (after.revision > before.revision) states.push(after)
          })
          let replayed = initialState
          commits.forEach((commit, i) => {
            const then = i === 0 ? null : states[i - 1]
            for (const event of commit)
              replayed = evolve(replayed, event, { at: then?.at ?? instant(START), revision: i + 1, actor: '' })
            if (then) expectSame(replayed, then)
          })
        },
        runs(500),
      ),
    limit(),
  )

  it(
    'folds without changing the previous state or the event, and gives the same state in place',
    () =>
      property(
        life,
        (one) => {
          const { commits } = live(one, () => undefined)
          const draft = draftOf(initialState)
          let state: CampaignState = frozen(structuredClone(initialState))
          commits.forEach((commit, i) => {
            for (const event of commit) {
              const meta = { at: instant(START), revision: i + 1, actor: '' }
              state = frozen(evolve(state, frozen(structuredClone(event)), meta))
              advance(draft, frozen(structuredClone(event)), meta)
            }
          })
          expectSame(draft, state)
        },
        runs(300),
      ),
    limit(),
  )

  // covers FP-2
  it(
    'makes change-log entries that lead from each state to the next and are never empty',
    () =>
      property(
        life,
        (one) =>
          void live(one, ({ before, after, events }) => {
            if (after.revision === before.revision) return
            const changes = [...events.flatMap(contentChanges), ...factChanges(before, after)]
            if (changes.length === 0) expect(changes).not.toEqual([])
            const from = before.revision === 0 ? emptyLogState() : logState(before)
            expectSame(applyJson(from, changes), logState(after))
          }),
        runs(300),
      ),
    limit(),
  )

  // covers FP-15
  it(
    'lists the deciding row first among the reasons',
    () => property(life, (one) => void live(one, ({ after }) => expectSame(reasonsOf(after)[0]?.status_key, statusOf(after)))),
    limit(),
  )

  // covers FP-13
  it(
    'restores any revision except for the fields reported as kept',
    () =>
      property(
        fc.tuple(life, fc.nat()),
        ([one, pick]) => {
          const heads: CampaignContent[] = []
          const { state, time } = live(one, ({ after }) => heads.push(after.head))
          const content = heads[pick % Math.max(1, heads.length)]
          if (content === undefined || state.archived) return
          const facts: CommandFacts = {
            now: instant(time),
            available: 1e9,
            spentToday: 0,
            spentTotal: 0,
            baseBid: 1,
            maxMargin: 50,
            nameTaken: false,
            countryOffset: 3600,
            references: NOTHING_LOOKED_UP,
          }
          const decided = decide(
            { type: 'RestoreRevision', restored: 1, content, newIds: [], mayWriteOwnerFields: true, expected: null },
            state,
            facts,
          )
          if (decided.kind === 'rejected') {
            expect(decided.rejection.code).toBe(135)
            return
          }
          const after = decided.events.length === 0 ? state : play(state, decided.events, facts)
          const left = diff(content, after.head).filter(({ path }) => !(decided.kept ?? []).some((key) => path.startsWith(key)))
          expect(left).toEqual([])
        },
        runs(300),
      ),
    limit(),
  )
})

describe('exchange verdicts after a second approval', () => {
  const said = { status: 'approved' as const, topics: [] }
  const decision = { dealsPolicyCompliance: said, networkPolicyCompliance: said, platformPolicyCompliance: said }
  const meta = (revision: number) => ({ at: instant(START + revision * HOUR), revision, actor: 'x' })
  const approvedWith = (banners: CampaignContent['visuals']['banners']): CampaignState => {
    const content = {
      ...contentOf({ budgetType: 2, startsIn: null, endsIn: null, steps: [] }),
      visuals: { banners },
      native_ad: null,
    }
    const events: readonly CampaignEvent[] = [
      { type: 'CampaignCreated', data: { id: 'c', space_id: 's', whitelabel_id: 'w', content, replicated_from: null } },
      { type: 'CampaignSwitchedOn', data: {} },
      { type: 'CampaignApproved', data: { submission: 1, version: 1, changes: [] } },
      ...banners.map(({ id }): CampaignEvent => ({
        type: 'ExchangeDecided',
        data: { exchange: 'google', creative_id: id, content_version: 1, decision },
      })),
    ]
    return events.reduce((state, event, i) => evolve(state, event, meta(i + 1)), initialState)
  }
  const approveAgain = (state: CampaignState, banners: CampaignContent['visuals']['banners']) => {
    const changes = diff(state.head, { ...state.head, visuals: { banners } })
    const saved = evolve(state, { type: 'CampaignUpdated', data: { changes, restored: null, undone: null } }, meta(20))
    return evolve(saved, { type: 'CampaignApproved', data: { submission: 2, version: 2, changes: [] } }, meta(21))
  }

  // covers FP-16
  it('exchange verdicts after a second approval are kept for unchanged creatives and required for changed and new ones', () => {
    const first = { ...BANNER, id: 'b1' }
    const second = { ...BANNER, id: 'b2' }
    const before = approvedWith([first, second])
    expect(statusOf(before)).toBe(3)
    const after = approveAgain(before, [first, { ...second, file_id: 'file-2' }, { ...BANNER, id: 'b3' }])
    expect(Object.keys(after.decisions['google'] ?? {})).toEqual(['b1'])
    expect(after.approved?.versions).toEqual({ b1: 1, b2: 2, b3: 2 })
    expect(statusOf(after)).toBe(3)
    expect(statusOf(approveAgain(approvedWith([first]), [{ ...first, file_id: 'file-3' }]))).toBe(6)
  })

  it('exchange verdicts after a second approval are ignored for material that is no longer served', () => {
    const after = approveAgain(approvedWith([BANNER]), [{ ...BANNER, file_id: 'file-2' }])
    const late: CampaignEvent = {
      type: 'ExchangeDecided',
      data: { exchange: 'google', creative_id: BANNER.id, content_version: 1, decision },
    }
    expect(statusOf(evolve(after, late, meta(22)))).toBe(6)
  })
})

describe('differences between contents', () => {
  const banner = fc.record({
    id: fc.constantFrom('b1', 'b2', 'b3', 'b4'),
    creative_name: fc.constantFrom('x', 'y', null),
    width: fc.constantFrom(300, 728),
  })
  const content: fc.Arbitrary<CampaignContent> = fc
    .record({
      name: fc.string(),
      budget: fc.option(fc.integer({ min: 0, max: 9 })),
      url: fc.constantFrom(null, 'https://a', 'https://b'),
      hours: fc.subarray(['00', '01', '02']),
      banners: fc.uniqueArray(banner, { selector: ({ id }) => id }),
      rules: fc.uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 4 }), name: fc.constantFrom('p', 'q') }), {
        selector: ({ id }) => id,
      }),
      native: fc.boolean(),
    })
    .map(({ name, budget, url, hours, banners, rules, native }) => ({
      ...DEFAULT_CONTENT,
      name,
      budget,
      product_url: url,
      scheduling: { ...DEFAULT_CONTENT.scheduling, '3': hours },
      visuals: { banners: banners.map((one) => ({ ...BANNER, ...one })) },
      traffic_targeting: rules.map((rule) => ({ ...rule, multiplier: 1, rules: { condition: 'and' as const, rules: [] } })),
      native_ad: native
        ? {
            id: 'n',
            creative_name: null,
            headline: null,
            body: null,
            images: [],
            call_to_action: null,
            logo: null,
            star_rating: 5,
            price: '0',
            advertiser: null,
            video: null,
          }
        : null,
    }))
  const unordered = (one: CampaignContent): Json => ({
    ...(one as unknown as { [key: string]: Json }),
    visuals: { banners: [...one.visuals.banners].sort((a, b) => (a.id < b.id ? -1 : 1)) as unknown as Json },
  })

  it('differences between contents lead from one to the other and back, except for the order of creatives', () =>
    property(fc.tuple(content, content), ([a, b]) => {
      const changes = diff(a, b)
      expectSame(unordered(apply(a, changes)), unordered(b))
      expectSame(unordered(apply(b, invert(changes))), unordered(a))
      expectSame(diff(a, a), [])
    }))

  it('differences between contents treat the removal of one of three banners as one change', () => {
    const three: CampaignContent = {
      ...DEFAULT_CONTENT,
      visuals: { banners: ['b1', 'b2', 'b3'].map((id) => ({ ...BANNER, id })) },
    }
    const two: CampaignContent = { ...three, visuals: { banners: three.visuals.banners.slice(1) } }
    expect(diff(three, two).map(({ path }) => path)).toEqual(['visuals.banners[b1]'])
  })
})

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !(value instanceof Set)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}
