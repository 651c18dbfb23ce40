import { get, set } from 'react-hook-form'
import type { CampaignFormValues } from '../form-schema.ts'

/** What two people made of the same campaign at the same time, field by field, and one campaign made of both. Pure. */

export type Side = 'mine' | 'theirs'

/** A field that at least one of the two has changed; undefined where an element of a list is not there. */
export type FieldMerge = {
  /** `budget`, `targeting.gender`; of a list of creatives each is a field of its own: `banners[b1]`. */
  readonly field: string
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
  /** Who changed it; a conflict is what both changed, each to something else. */
  readonly by: Side | 'both'
  readonly conflict: boolean
}
export type Picks = ReadonlyMap<string, Side>

/** Creatives are told apart, so that two people can each add one; what else is a list is one value. */
const LISTS = ['banners', 'tracks.tracks'] as const
/** Set once (campaign.md §3): whoever came first has decided. */
const SET_ONCE = 'country'

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** All that either has changed since the version both began with, in the order of the form. */
export function mergeFields(
  base: CampaignFormValues,
  mine: CampaignFormValues,
  theirs: CampaignFormValues,
): readonly FieldMerge[] {
  const [before, here, there] = [fieldsOf(base), fieldsOf(mine), fieldsOf(theirs)]
  const fields = new Set([...before.keys(), ...there.keys(), ...here.keys()])
  return [...fields].flatMap((field) => {
    const values = { base: before.get(field), mine: here.get(field), theirs: there.get(field) }
    const byMe = !isSame(values.base, values.mine)
    const byThem = !isSame(values.base, values.theirs)
    if (!byMe && !byThem) return []
    const decided = field === SET_ONCE && byThem
    const by = byMe && byThem ? 'both' : byMe ? 'mine' : 'theirs'
    return [
      {
        field,
        ...values,
        by: decided ? 'theirs' : by,
        conflict: !decided && by === 'both' && !isSame(values.mine, values.theirs),
      },
    ]
  })
}

/** Theirs, with everything on it that only I changed, and of each conflict what was picked; theirs where nothing was. */
export function mergedForm(theirs: CampaignFormValues, merges: readonly FieldMerge[], picks: Picks): CampaignFormValues {
  const merged = structuredClone(theirs)
  for (const { field, mine, by, conflict } of merges)
    if (conflict ? picks.get(field) === 'mine' : by === 'mine') put(merged, field, mine)
  return merged
}

/** Every field of the form by its path: at most two levels deep, since the parts of a field only make sense together. */
function fieldsOf(values: CampaignFormValues): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [head, value] of Object.entries(values))
    if (isObject(value)) for (const [inner, one] of Object.entries(value)) add(fields, `${head}.${inner}`, one)
    else add(fields, head, value)
  return fields
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

function add(fields: Map<string, unknown>, path: string, value: unknown) {
  if (!LISTS.some((list) => list === path) || !Array.isArray(value)) fields.set(path, value)
  else for (const element of value) fields.set(`${path}[${identityOf(element)}]`, element)
}

/** What the server knows has an id; what is new is known by its file. */
const identityOf = (element: unknown): string => String(get(element, 'id') ?? get(element, 'fileId'))

function put(values: CampaignFormValues, field: string, value: unknown) {
  const [, list, identity] = /^([^[]+)\[(.+)\]$/.exec(field) ?? []
  if (list === undefined) {
    set(values, field, value)
    return
  }
  const elements: readonly unknown[] = get(values, list)
  const at = elements.findIndex((element) => identityOf(element) === identity)
  const rest = elements.filter((_, index) => index !== at)
  set(values, list, value === undefined ? rest : rest.toSpliced(at === -1 ? rest.length : at, 0, value))
}
