/**
 * A synthetic panel: each member stands for an equal part of a country. Properties, apps and interests of a member are drawn from
 * hashes of the subject and the member's number, so they are the same on every machine and at any time, and sets of people can be
 * combined exactly: a narrower question never finds more.
 */
export const PANEL_SIZE = 32_768
const WORDS = PANEL_SIZE / 32

/** A set of people, one bit each. */
export type People = Uint32Array

const seedOf = (subject: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < subject.length; i++) hash = Math.imul(hash ^ subject.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

function mixed(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A fixed number in [0, 1) per subject, such as its popularity. */
export const standing = (subject: string): number => mixed(seedOf(subject)) / 2 ** 32

const drawn = (seed: number, person: number): number => mixed(seed ^ Math.imul(person + 1, 0x9e3779b1)) / 2 ** 32

/** People whose draw for a subject lies in [from, to). Disjoint ranges of one subject give disjoint sets. */
export function between(subject: string, from: number, to: number): People {
  const seed = seedOf(subject)
  const people = new Uint32Array(WORDS)
  for (let person = 0; person < PANEL_SIZE; person++) {
    const draw = drawn(seed, person)
    if (draw >= from && draw < to) people[person >>> 5] = (people[person >>> 5] ?? 0) | (1 << (person & 31))
  }
  return people
}

export const everybody = (): People => new Uint32Array(WORDS).fill(0xffffffff)
export const emptySet = (): People => new Uint32Array(WORDS)

export const both = (a: People, b: People): People => a.map((word, i) => word & (b[i] ?? 0))
export const either = (a: People, b: People): People => a.map((word, i) => word | (b[i] ?? 0))
export const without = (a: People, b: People): People => a.map((word, i) => word & ~(b[i] ?? 0))

export function count(people: People): number {
  let total = 0
  for (const word of people) {
    let bits = word - ((word >>> 1) & 0x55555555)
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
    total += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return total
}

const REMEMBERED = 2000
const known = new Map<string, People>()

/** `make` of a key, cached: sets are requested with every keystroke. Callers must not modify the result. */
export function remembered(key: string, make: () => People): People {
  const found = known.get(key)
  if (found !== undefined) return found
  const people = make()
  if (known.size >= REMEMBERED) known.clear()
  known.set(key, people)
  return people
}

/** People of a subject with this share of the panel. A larger share includes every smaller one. */
export const share = (subject: string, part: number): People =>
  remembered(`${subject}<${part}`, () => between(subject, 0, Math.min(1, part)))

/** People in any of the sets; `none` when there is no set, which distinguishes "no condition" from an empty set. */
export const anyOf = (sets: readonly People[], none: () => People): People =>
  sets.length === 0 ? none() : sets.reduce(either, emptySet())
