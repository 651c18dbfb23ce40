import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { equal, fromJson, isObject, toJson, type Json, type JsonObject } from '../../domain/kit/json-changes.ts'
import { DEFAULT_CONTENT } from '../../domain/campaign/content/content.ts'
import { reviewedOf, type Reviewed } from '../../domain/campaign/review/reviewed.ts'
import { initialState, type CampaignState } from '../../domain/campaign/state.ts'
import type { Approved, Cause, ComplianceStatus, FactName, ServingDecision } from '../../domain/campaign/status/status.ts'
import type { StoredEvent } from '../../eventstore/event-store.ts'

/**
 * A campaign's state as rows keep it, JSON text of a third of its size: that is most of what writing a row costs. Left out is what
 * follows from the rest: content at its default, approved content that is the head's, compliances that are alike, causes that are
 * the same. The same state is always packed into the same text.
 */
type PackedState = Omit<CampaignState, 'head' | 'approved' | 'causes' | 'decisions'> & {
  readonly head: Delta | undefined
  readonly approved: null | (Omit<Approved, 'reviewed'> & { readonly reviewed: Reviewed | null })
  /** A verdict that is alike in every respect and has no topics is its one word. */
  readonly decisions: ByCreative<ServingDecision | ComplianceStatus>
  readonly causes: { readonly [Fact in FactName]?: number }
  /** What `causes` point at. */
  readonly caused: readonly PackedCause[]
}
type ByCreative<T> = { readonly [exchange: string]: { readonly [creative: string]: T } }
type PackedCause = readonly [Cause['at'], Cause['revision'], Cause['event'], Cause['actor']]

const FACTS: readonly FactName[] = [
  'archived',
  'head',
  'approved',
  'review',
  'intent',
  'exchanges',
  'flight',
  'day_budget',
  'total_budget',
  'funding',
  'launched',
]

/**
 * Texts beyond this many characters are deflated: a campaign of fifty banners is thirty kilobytes, and writing them with every save is what
 * appends would wait for. Most are far below, and are not worth the work.
 */
const LARGE = 8192
const DEFLATED = 'z'

const squeezed = (text: string): string =>
  text.length <= LARGE ? text : DEFLATED + deflateRawSync(text, { level: 1 }).toString('base64')
const stretched = (text: string): string =>
  text.startsWith(DEFLATED) ? inflateRawSync(Buffer.from(text.slice(1), 'base64')).toString() : text

export function packState(state: CampaignState): string {
  const causes: { [Fact in FactName]?: number } = {}
  const caused: PackedCause[] = []
  for (const fact of FACTS) {
    const cause = state.causes[fact]
    if (cause === undefined) continue
    const { at, revision, event, actor } = cause
    const known = caused.findIndex((one) => one[1] === revision && one[2] === event && one[0] === at && one[3] === actor)
    causes[fact] = known === -1 ? caused.push([at, revision, event, actor]) - 1 : known
  }
  const { approved } = state
  const same = approved !== null && equal(approved.reviewed, reviewedOf(state.head))
  const packed: PackedState = {
    ...state,
    head: delta(toJson(state.head), toJson(DEFAULT_CONTENT)),
    approved: approved && { ...approved, reviewed: same ? null : approved.reviewed },
    decisions: mapped(state.decisions, packDecision),
    causes,
    caused,
  }
  return squeezed(JSON.stringify(packed))
}

/** By the event that led to it: read models that keep the same state pack it once. */
const packedBy = new WeakMap<StoredEvent, string>()

/** `packState` of the state that a stream's event has led to. */
export function packStateAfter(last: StoredEvent, state: CampaignState): string {
  const known = packedBy.get(last)
  if (known !== undefined) return known
  const packed = packState(state)
  packedBy.set(last, packed)
  return packed
}

export function unpackState(text: string): CampaignState {
  const { caused, ...packed }: PackedState = JSON.parse(stretched(text))
  const head = fromJson(restored(packed.head, toJson(DEFAULT_CONTENT)) as JsonObject)
  const causes: { [Fact in FactName]?: Cause } = {}
  for (const fact of FACTS) {
    const cause = caused[packed.causes[fact] ?? -1]
    if (cause !== undefined) causes[fact] = { at: cause[0], revision: cause[1], event: cause[2], actor: cause[3] }
  }
  const { approved } = packed
  // In the order in which a fold from the beginning has them: the same state, the same text
  // ("a campaign of nothing but defaults is packed alike before and after it was read").
  return {
    ...initialState,
    ...packed,
    head,
    approved: approved && { ...approved, reviewed: approved.reviewed ?? reviewedOf(head) },
    decisions: mapped(packed.decisions, unpackDecision),
    causes,
  }
}

function packDecision(decision: ServingDecision): ServingDecision | ComplianceStatus {
  const { status } = decision.dealsPolicyCompliance
  return equal(decision, ALIKE[status]) ? status : decision
}

const unpackDecision = (packed: ServingDecision | ComplianceStatus): ServingDecision =>
  typeof packed === 'string' ? ALIKE[packed] : packed

const alike = (status: ComplianceStatus) => {
  const compliance = { status, topics: [] }
  return { dealsPolicyCompliance: compliance, networkPolicyCompliance: compliance, platformPolicyCompliance: compliance }
}
const ALIKE = { approved: alike('approved'), disapproved: alike('disapproved'), pending: alike('pending') }

const mapped = <A, B>(all: ByCreative<A>, change: (value: A) => B): ByCreative<B> =>
  Object.fromEntries(
    Object.entries(all).map(([exchange, creatives]) => [
      exchange,
      Object.fromEntries(Object.entries(creatives).map(([creative, value]) => [creative, change(value)])),
    ]),
  )

/**
 * A value by what it differs in from its default: of two objects with the same keys those that differ, of anything else the whole value,
 * under `=` where it is an object and would look like the other.
 */
type Delta = Json

function delta(value: Json, standard: Json): Delta | undefined {
  // Defaults are shared by all campaigns that have them (`withDefaults`).
  if (value === standard) return undefined
  if (!isObject(value)) return equal(value, standard) ? undefined : value
  if (!isObject(standard) || !sameKeys(value, standard)) return { '=': value }
  let differing: { [key: string]: Json } | undefined
  // In the order of the default, whichever way the value came about: the same state, the same text.
  for (const key in standard) {
    const difference = delta(value[key] ?? null, standard[key] ?? null)
    if (difference !== undefined) (differing ??= {})[key] = difference
  }
  return differing
}

function restored(difference: Delta | undefined, standard: Json): Json {
  if (difference === undefined) return standard
  if (!isObject(difference)) return difference
  if (!isObject(standard) || '=' in difference) return difference['='] ?? null
  const result: { [key: string]: Json } = { ...standard }
  for (const [key, inner] of Object.entries(difference)) result[key] = restored(inner, standard[key] ?? null)
  return result
}

function sameKeys(a: JsonObject, b: JsonObject): boolean {
  let surplus = 0
  for (const key in a) {
    if (!Object.hasOwn(b, key)) return false
    surplus += 1
  }
  for (const _ in b) surplus -= 1
  return surplus === 0
}
