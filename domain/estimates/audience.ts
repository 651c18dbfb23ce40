import type { Selection } from '../campaign/content/content.ts'
import { anyOf, between, both, either, emptySet, everybody, remembered, share, standing, without, type People } from './panel.ts'
import { WIDENING } from './segments.ts'

/** A targeting's audience without its segments (campaigns.md §3, "targeting"); an empty list adds no condition. */
export type Audience = {
  readonly apps: Selection
  readonly interests: Selection
  readonly gender: number
  readonly fromAge: number
  readonly toAge: number
  /** 0 exact, 1 close, 2 wide, 3 widest (decisions G-110). */
  readonly similarity: number
  readonly regions: readonly string[]
  readonly target_languages: readonly string[]
  readonly connection_types: readonly string[]
  readonly customer_attributes: readonly string[]
}

/** Share of people per key of each kind: the minimum, and the part that popularity adds. */
const SPREAD = {
  app: { least: 0.01, more: 0.35 },
  interest: { least: 0.04, more: 0.26 },
} as const
type Kind = keyof typeof SPREAD

/** The share of all people who use an app or have an interest. */
export const shareOf = (kind: Kind, key: string): number =>
  SPREAD[kind].least + SPREAD[kind].more * standing(`${kind}:${key}`) ** 2

const who = (kind: Kind, key: string, widening: number): People => share(`${kind}:${key}`, shareOf(kind, key) * widening)

/** Any of includeAny, every one of include, none of exclude. Similarity widens includes, never excludes. */
function selected(kind: Kind, { includeAny, include, exclude }: Selection, widening: number): People {
  const any = anyOf(
    includeAny.map((key) => who(kind, key, widening)),
    everybody,
  )
  const every = include.map((key) => who(kind, key, widening)).reduce(both, any)
  return exclude.map((key) => who(kind, key, 1)).reduce(without, every)
}

/** Ages and the share of all people in each band; within a band every year has the same number. */
const AGES: readonly { readonly from: number; readonly to: number; readonly part: number }[] = [
  { from: 18, to: 24, part: 0.2 },
  { from: 25, to: 34, part: 0.27 },
  { from: 35, to: 44, part: 0.21 },
  { from: 45, to: 54, part: 0.16 },
  { from: 55, to: 64, part: 0.11 },
  { from: 65, to: 65, part: 0.05 },
]

/** The share of all people younger than an age. */
const youngerThan = (age: number): number =>
  AGES.reduce((sum, { from, to, part }) => sum + part * Math.min(1, Math.max(0, (age - from) / (to - from + 1))), 0)

const aged = (from: number, to: number): People =>
  remembered(`age ${from} ${to}`, () => between('age', youngerThan(from), to >= 65 ? 1 : youngerThan(to + 1)))

/** Disjoint shares of all people; together at most 1. */
const PARTS = {
  gender: { '2': 0.5, '3': 0.5 },
  region: { lagos: 0.24, west: 0.2, north_west: 0.2, north_east: 0.1, south_south: 0.14, south_east: 0.12 },
  connection: { '2g': 0.06, '3g': 0.22, '4g': 0.56, '5g': 0.1, other: 0.06 },
  customer: { super_gold: 0.03, gold: 0.09, new_ultra: 0.07, new: 0.16, silver: 0.25, ivory: 0.4 },
} as const satisfies Record<string, Readonly<Record<string, number>>>

/** People in one part of a division; empty for an unknown key. */
function partOf(division: keyof typeof PARTS, key: string): People {
  return remembered(`${division}=${key}`, () => {
    let from = 0
    for (const [name, part] of Object.entries(PARTS[division])) {
      if (name === key) return between(division, from, from + part)
      from += part
    }
    return between(division, 0, 0)
  })
}

const LANGUAGES: Readonly<Record<string, number>> = { english: 0.6, hausa: 0.25 }
const speaking = (language: string): People => share(`language:${language}`, LANGUAGES[language] ?? 0.1)

const chosen = (keys: readonly string[], people: (key: string) => People): People => anyOf(keys.map(people), everybody)

/** The people of the panel that a targeting reaches. All filters apply together. */
export function reached(audience: Audience): People {
  const widening = WIDENING[audience.similarity] ?? 1
  return [
    selected('app', audience.apps, widening),
    selected('interest', audience.interests, widening),
    aged(audience.fromAge, audience.toAge),
    audience.gender === 1 ? everybody() : partOf('gender', String(audience.gender)),
    chosen(audience.regions, (region) => partOf('region', region)),
    chosen(audience.connection_types, (type) => partOf('connection', type)),
    chosen(audience.customer_attributes, (attribute) => partOf('customer', attribute)),
    chosen(audience.target_languages, speaking),
  ].reduce(both)
}

/** People who use one of the apps; empty without apps. */
export const users = (apps: readonly string[], part = 1): People =>
  apps.map((app) => share(`app:${app}`, shareOf('app', app) * part)).reduce(either, emptySet())
