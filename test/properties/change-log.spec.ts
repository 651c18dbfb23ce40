import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONTENT_FIELDS, type ContentKey } from '#domain/campaign/content/content'
import type { CampaignPatch } from '#domain/campaign/content/shape'
import type { CampaignCommand } from '#domain/campaign/commands'
import { contentChanges, emptyLogState, factChanges, logState } from '#domain/campaign/log-state'
import type { CampaignState } from '#domain/campaign/state'
import type { Field } from '#domain/kit/fields'
import { apply, applyJson, diff, diffJson } from '#domain/kit/json-changes'
import { schemaVersionOf } from '#domain/every-event'
import type { StoredEvent } from '#eventstore/event-store'
import { revisionsOf } from '#projections/campaign/revisions/apply'
import { replay, statesAfter } from '#proof/replay'
import { commandOf, create, take, unborn, type Past } from '../support/campaign-life.ts'
import { expectSame, limit, runs } from '../support/properties.ts'
import type { Asked, Outside } from './campaign-model.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 5, 1, 9)
const OUT: Outside = { now: START, spentToday: 0, spentTotal: 0, available: 1e9 }
const SAVE = { newIds: ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'], mayWriteOwnerFields: true } as const

const INSTANTS = [1, 2, 30].map((days) => new Date(START + days * DAY).toISOString())

/** Few values for each field, so that a later save often meets an earlier one. */
function sent({ shape, nullable }: Field): fc.Arbitrary<unknown> {
  const some = ((): fc.Arbitrary<unknown> => {
    switch (shape.kind) {
      case 'text':
        return shape.pattern === undefined ? fc.constantFrom('a', 'b c', 'x.y') : fc.constantFrom('#65abf6', '000000')
      case 'number':
        return fc.integer({ min: 0, max: 2 })
      case 'flag':
        return fc.boolean()
      case 'instant':
        return fc.constantFrom(...INSTANTS)
      case 'list':
        return fc.array(sent(shape.item), { maxLength: 3 })
      case 'record':
        return fc.record(Object.fromEntries(Object.entries(shape.fields).map(([key, of]) => [key, sent(of)])), {
          requiredKeys: Object.keys(shape.fields).filter((key) => shape.fields[key]?.required),
        })
      case 'custom':
        return fc.constant([])
    }
  })()
  return nullable ? fc.option(some, { freq: 4 }) : some
}

const RANDOM = Object.fromEntries(Object.entries(CONTENT_FIELDS).map(([key, of]) => [key, sent(of)]))
const rule = { field: 'app', operator: 'is', value: 'a' }
const hours = fc.subarray(['00', '01', '23'])
/** Fields whose random values would be refused: values that a save accepts, among others. */
const ACCEPTED: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  product_url: fc.constantFrom('https://a.example', 'https://b.example/shop', null),
  attribution_tags: fc.constantFrom('https://a.example/?x=1', null),
  bidding_strategy: fc.constantFrom(
    { type: 'awareness', goal: 'CLICKS' },
    { type: 'other', goal: 'AUDIO_ADVERTISING' },
    { type: 'consideration', goal: 'APP_INSTALLS', app_promotion: { app_name: 'a', bundle_id: 'a.b' } },
    { type: 'conversion', is_retargeting: true, website_promotion: { secondary_events: ['a.b', 'c'] } },
  ),
  targeting: fc.record(
    {
      fromAge: fc.integer({ min: 18, max: 20 }),
      toAge: fc.integer({ min: 21, max: 65 }),
      city_ids: fc.subarray(['a.b', '[1]', '3']),
      interests: fc.record({ include: fc.subarray(['x', 'y.z']) }, { requiredKeys: [] }),
      automaticTargeting: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  scheduling: fc.record({ '0': hours, '6': hours }, { requiredKeys: [] }),
  impression_url: fc.constantFrom('https://a.example/i', null),
  slots: fc.array(fc.constantFrom(0, 1), { minLength: 12, maxLength: 12 }),
  traffic_targeting: fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 4 }),
      name: fc.constantFrom('a', 'b'),
      multiplier: fc.integer({ min: 1, max: 2 }),
      rules: fc.constant({ condition: 'and', rules: [rule] }),
    }),
    { selector: ({ id }) => id, maxLength: 4 },
  ),
}

const KEYS = Object.keys(CONTENT_FIELDS) as ContentKey[]
const valueFor = (key: ContentKey): fc.Arbitrary<unknown> => {
  const random = RANDOM[key] ?? fc.constant(null)
  const accepted = ACCEPTED[key]
  return accepted === undefined ? random : fc.oneof({ weight: 4, arbitrary: accepted }, { weight: 1, arbitrary: random })
}
/** Few fields in a save: one refused value refuses all. */
const patch = fc
  .uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 3 })
  .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, valueFor(key)]))))
  .map((values) => values as CampaignPatch)

type Step = { readonly save: 'UpdateCampaign' | 'PublishCampaign'; readonly patch: CampaignPatch } | { readonly ask: Asked }
const asked = fc.oneof(
  fc.constant<Asked>({ do: 'publish', patch: {}, expected: null }),
  fc.constantFrom<Asked>(
    { do: 'approve', token: 'right', exchanges: null },
    { do: 'approve', token: 'right', exchanges: ['verve'] },
  ),
  fc.constantFrom<Asked>({ do: 'reject', token: 'right', comment: 'no' }, { do: 'run' }, { do: 'pause' }, { do: 'toggle' }),
  fc.constant<Asked>({ do: 'exchange', exchange: 'verve', creative: '1', verdict: 'approved' }),
  fc.record({ do: fc.constantFrom('restore', 'undo'), revision: fc.integer({ min: 1, max: 8 }) }),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ save: fc.constantFrom('UpdateCampaign', 'UpdateCampaign', 'PublishCampaign'), patch }) },
  { weight: 1, arbitrary: asked.map((ask) => ({ ask })) },
)
const CONTENT = {
  name: 'a',
  url: 1,
  banners: { '1': 1 },
  native: 1,
  nativeOn: false,
  budget: 50_000_000,
  type: 2,
  start: null,
  end: null,
  exchanges: [],
} as const
const life = fc.record({ publish: fc.boolean(), first: patch, steps: fc.array(step, { maxLength: 25, size: 'max' }) })

const commandFor = (step: Step, state: CampaignState, past: Past): CampaignCommand =>
  'ask' in step ? commandOf(step.ask, state, past) : { type: step.save, patch: step.patch, expected: null, ...SAVE }

describe('the change log', () => {
  // covers FP-76
  it(
    'shows the changes that events carry, which are the difference of the states before and after each commit',
    () => {
      const changed = new Set<string>()
      fc.assert(
        fc.property(life, ({ publish, first, steps }) => {
          const past: Past[number][] = []
          let state: CampaignState = unborn
          const run = (command: CampaignCommand): void => {
            const before = state
            const { decision, state: after } = take(command, before, OUT)
            if (decision.kind === 'rejected' || decision.events.length === 0) return
            const { events } = decision
            const changes = [...events.flatMap(contentChanges), ...factChanges(before, after)]
            const from = before.revision === 0 ? emptyLogState() : logState(before)
            expect(changes).toEqual(diffJson(from, logState(after)))
            expect(changes).not.toEqual([])
            expect(applyJson(from, changes)).toEqual(logState(after))
            if (before.revision > 0) for (const { path } of changes) changed.add(path.split(/[.[]/, 1)[0] ?? '')
            past.push({ state: after, events })
            state = after
          }
          const born = create(CONTENT, publish)
          run(born.type === 'CreateCampaign' ? { ...born, patch: { ...first, ...born.patch } } : born)
          if (state.revision === 0) run(born)
          for (const one of steps) run(commandFor(one, state, past))
        }),
        { numRuns: runs(300) },
      )
      // The country and its zone are set once; no save of a caller sets the mark of whitelists.
      const never = new Set(['country', 'timezone_offset_seconds', 'has_whitelist'])
      expect(KEYS.filter((key) => !changed.has(key) && !never.has(key))).toEqual([])
    },
    limit(),
  )

  it(
    'agrees with the state at each revision, with the difference of any two, and with a restore and an undo',
    () => {
      let [restores, undos] = [0, 0]
      fc.assert(
        fc.property(life, fc.nat(), fc.nat(), ({ publish, first, steps }, x, y) => {
          const { past, stored } = lived(publish, first, steps)
          const newest = past.at(-1)
          if (newest === undefined) return
          const contentAt = (revision: number) => {
            const at = replay(stored, { revision })
            if (at.kind === 'rejected') throw new Error(`there is no revision ${revision}`)
            return at.state
          }
          const shown = new Map(revisionsOf(stored).map((entry) => [entry.revision, entry]))
          for (const [i, { state }] of past.entries()) {
            expectSame(printed(logState(contentAt(i + 1))), printed(logState(state)))
            expectSame(shown.has(i + 1), true)
          }
          const [from, to] = [(x % past.length) + 1, (y % past.length) + 1]
          const states = statesAfter(stored, from, to)
          if (states === null) throw new Error('both revisions exist')
          expectSame(printed(states.one), printed(contentAt(from)))
          expectSame(printed(states.other), printed(contentAt(to)))
          expectSame(printed(apply(states.one.head, diff(states.one.head, states.other.head))), printed(states.other.head))

          const restored = take(commandOf({ do: 'restore', revision: from }, newest.state, past), newest.state, OUT)
          if (restored.decision.kind === 'events') {
            const kept = 'kept' in restored.decision ? (restored.decision.kept ?? []) : []
            // The zone belongs to the country, the mark of whitelists to the lists themselves, and a date of verification stays.
            const own = [...kept, 'timezone_offset_seconds', 'has_whitelist', 'placard_tag_date']
            const left = diff(contentAt(from).head, restored.state.head).map(({ path }) => path)
            expectSame(
              left.filter(
                (path) => !own.some((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)),
              ),
              [],
            )
            restores += 1
          }
          const last = past.length
          if (last < 2) return
          const before = take(commandOf({ do: 'restore', revision: last - 1 }, newest.state, past), newest.state, OUT)
          const undone = take(commandOf({ do: 'undo', revision: last }, newest.state, past), newest.state, OUT)
          if (before.decision.kind !== 'events' || undone.decision.kind !== 'events') return
          expectSame(printed(undone.state.head), printed(before.state.head))
          undos += 1
        }),
        { numRuns: runs(200) },
      )
      expect(Math.min(restores, undos)).toBeGreaterThan(20)
    },
    limit(),
  )
})

const printed = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The commits of a life, and the events that the log has of it. */
function lived(publish: boolean, first: CampaignPatch, steps: readonly Step[]) {
  const past: Past[number][] = []
  const stored: StoredEvent[] = []
  let state: CampaignState = unborn
  const run = (command: CampaignCommand): void => {
    const { decision, state: after } = take(command, state, OUT)
    if (decision.kind === 'rejected' || decision.events.length === 0) return
    for (const [index, { type, data }] of decision.events.entries())
      stored.push({
        id: `${past.length}-${index}`,
        stream: 'campaign-1',
        version: stored.length + 1,
        position: BigInt(stored.length + 1),
        type,
        schemaVersion: schemaVersionOf(type),
        data: JSON.stringify(data),
        metadata: JSON.stringify({ at: after.at, actor: 'user', revision: past.length + 1, index, of: decision.events.length }),
      })
    past.push({ state: after, events: decision.events })
    state = after
  }
  const born = create(CONTENT, publish)
  // Every save of the product names the creatives that have no id yet.
  const newIds = ['f1', 'f2', 'f3', 'f4', 'f5', 'f6']
  run(born.type === 'CreateCampaign' ? { ...born, newIds, patch: { ...first, ...born.patch } } : born)
  if (state.revision === 0) run(born)
  for (const one of steps) run(commandFor(one, state, past))
  return { past, stored }
}
