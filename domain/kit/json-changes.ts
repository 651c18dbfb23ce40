import { own } from './own.ts'
import type { CampaignContent } from '../campaign/content/content.ts'

/**
 * Differences between two contents, by path: the basis of change-log entries, events, blame, undo and restore.
 * Elements with an identity (creatives, bidding entries, texts and images of a responsive ad) are compared by it, so that
 * removing the first of three banners is one change, not three. `null` on one side of such an element means it was missing.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type Change = { readonly path: string; readonly from: Json; readonly to: Json }

/** Lists whose elements have an identity, and the key that holds it. */
const IDENTITY: Readonly<Record<string, string>> = {
  'visuals.banners': 'id',
  audio_ads: 'id',
  traffic_targeting: 'id',
  'dynamic_ad.titles': 'index',
  'dynamic_ad.descriptions': 'index',
  'dynamic_ad.images': 'index',
  'dynamic_ad.logos': 'index',
}
/** True for a list whose changes are listed by element. */
export const hasIdentity = (path: string): boolean => Object.hasOwn(IDENTITY, path)

/** Bidding entries are evaluated in order, so a new order is a change. */
const ORDERED: ReadonlySet<string> = new Set(['traffic_targeting'])

export type JsonObject = { readonly [key: string]: Json }
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (isList(a) || isList(b)) return isList(a) && isList(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]))
  // Counted rather than listed: contents are compared at every save, and lists of keys would be most of the garbage.
  let surplus = 0
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !equal(a[key], b[key])) return false
    surplus += 1
  }
  for (const _ in b) surplus -= 1
  return surplus === 0
}

/** Changes that turn `before` into `after`; empty exactly when they are equal (creative order apart). */
export const diff = (before: CampaignContent, after: CampaignContent): readonly Change[] =>
  diffJson(toJson(before), toJson(after))

/** The same over any two objects of one shape: change-log states carry more than content. */
export function diffJson(before: JsonObject, after: JsonObject): readonly Change[] {
  const changes: Change[] = []
  walk('', before, after, changes)
  return changes
}

function walk(path: string, from: Json, to: Json, out: Change[]): void {
  if (from === to) return
  if (isObject(from) && isObject(to)) {
    // Without an equality check first: that would visit every leaf once per level above it.
    const before = out.length
    let led = true
    const step = (key: string, was: Json, is: Json): void => {
      const known = out.length
      walk(path === '' ? key : `${path}.${key}`, was, is, out)
      if (out.length > known && !STEP.test(key)) led = false
    }
    for (const key in from) step(key, from[key] ?? null, own(to, key) ?? null)
    for (const key in to) if (!Object.hasOwn(from, key)) step(key, null, to[key] ?? null)
    if (!led) out.splice(before, out.length, { path, from, to })
    return
  }
  if (equal(from, to)) return
  const identity = IDENTITY[path]
  if (identity === undefined || !isList(from) || !isList(to)) {
    out.push({ path, from, to })
    return
  }
  const steps: Change[] = []
  walkElements(path, identity, from, to, steps)
  const led =
    areElements(from, identity) && areElements(to, identity) && (!ORDERED.has(path) || keepsOrder(path, from, to, steps))
  if (led) out.push(...steps)
  else out.push({ path, from, to })
}

/**
 * Keys and ids that a path can contain and be parsed again. Old ids of creatives may contain a dot or a
 * bracket: the enclosing object or list is then compared as one value.
 */
const STEP = /^[^.[\]]+$/
/** With two texts under one index a path would always mean the first. */
function areElements(list: readonly Json[], key: string): boolean {
  const ids = new Set(list.map((element) => identityOf(element, key)))
  return ids.size === list.length && ![...ids].some((id) => id.includes(']'))
}

function identityOf(element: Json, key: string): string {
  const id = isObject(element) ? element[key] : null
  return typeof id === 'string' || typeof id === 'number' ? String(id) : ''
}

function walkElements(path: string, key: string, from: readonly Json[], to: readonly Json[], out: Change[]): void {
  const target = new Map(to.map((element) => [identityOf(element, key), element]))
  for (const element of from) {
    const id = identityOf(element, key)
    const next = target.get(id)
    if (next === undefined) out.push({ path: `${path}[${id}]`, from: element, to: null })
    else walk(`${path}[${id}]`, element, next, out)
    target.delete(id)
  }
  for (const [id, element] of target) out.push({ path: `${path}[${id}]`, from: null, to: element })
}

/** Steps append added elements: where the order counts they must result in it, and their inverse must restore it. */
const keepsOrder = (path: string, from: readonly Json[], to: readonly Json[], steps: readonly Change[]): boolean =>
  equal(elementsAfter(from, steps, path), to) && equal(elementsAfter(to, invert(steps), path), from)

function elementsAfter(from: readonly Json[], steps: readonly Change[], path: string): Json {
  let list: Json = from
  for (const step of steps) list = setAt(list, segments(step.path.slice(path.length)), step.to)
  return list
}

/** Content with the changes applied. Total: an unknown path changes nothing. */
export const apply = (content: CampaignContent, changes: readonly Change[]): CampaignContent =>
  fromJson(applyJson(toJson(content), changes))

/** The same over any object, such as a change-log state. */
export const applyJson = (before: JsonObject, changes: readonly Change[]): JsonObject =>
  changes.length === 0 ? before : applyTo({ ...before }, changes)

/** The same in place, for a fold that owns the object. Writes only its own keys: deeper values may be shared. */
export function applyTo(target: { [key: string]: Json }, changes: readonly Change[]): JsonObject {
  for (const { path, to } of changes) {
    if (isPlain(path)) {
      target[path] = to
      continue
    }
    const [head, ...rest] = segments(path)
    if (head?.kind !== 'key') continue
    const inner = target[head.name] ?? null
    target[head.name] = to === null && isMapEntry(path) ? without(inner, rest) : setAt(inner, rest, to)
  }
  return target
}

/** Changes that undo `changes`. */
export const invert = (changes: readonly Change[]): readonly Change[] =>
  [...changes].reverse().map(({ path, from, to }) => ({ path, from: to, to: from }))

/** Maps whose keys are removed with their values; everywhere else null is a value. */
const isMapEntry = (path: string): boolean => path.startsWith('exchange_decisions.')

function without(node: Json, [head, ...rest]: readonly Segment[]): Json {
  if (head?.kind !== 'key' || !isObject(node)) return node
  const inner = own(node, head.name)
  const { [head.name]: _inner, ...others } = node
  return rest.length === 0 || inner === undefined ? others : { ...others, [head.name]: without(inner, rest) }
}

type Segment = { readonly kind: 'key'; readonly name: string } | { readonly kind: 'element'; readonly id: string }

/** A key of the outermost object. */
const isPlain = (path: string): boolean => !path.includes('.') && !path.includes('[')

function segments(path: string): readonly Segment[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map((match) =>
    match[1] === undefined ? { kind: 'key', name: match[2] ?? '' } : { kind: 'element', id: match[1] },
  )
}

function setAt(node: Json, [head, ...rest]: readonly Segment[], to: Json): Json {
  if (head === undefined) return to
  if (head.kind === 'key') return isObject(node) ? { ...node, [head.name]: setAt(own(node, head.name) ?? null, rest, to) } : node
  if (!isList(node)) return node
  const key = node.some((element) => isObject(element) && Object.hasOwn(element, 'id')) || hasKey(to, 'id') ? 'id' : 'index'
  const at = node.findIndex((element) => identityOf(element, key) === head.id)
  if (rest.length === 0 && to === null) return node.filter((_, i) => i !== at)
  if (at === -1) return rest.length === 0 ? [...node, to] : node
  return node.map((element, i) => (i === at ? setAt(element, rest, to) : element))
}

const hasKey = (value: Json, key: string): boolean => isObject(value) && Object.hasOwn(value, key)

// Content is JSON by construction: the types differ only in having no index signature.
export const toJson = (content: CampaignContent): JsonObject => content
export const fromJson = (json: JsonObject): CampaignContent => json as unknown as CampaignContent
