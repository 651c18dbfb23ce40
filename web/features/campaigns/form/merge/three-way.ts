import { get, set } from 'react-hook-form'
import { isSame } from '../creatives/wire-values.ts'
import type { CampaignFormValues } from '../form-schema.ts'

/** A field-by-field three-way merge of concurrent edits to one campaign. Pure. */

export type Side = 'mine' | 'theirs'

/** A field changed by at least one side; undefined where a list element is absent. */
export type FieldMerge = {
  /** `budget`, `targeting.gender`. Each creative of a list is a separate field: `banners[b1]`. */
  readonly field: string
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
  /** Which side changed it. In a conflict both sides changed it to different values. */
  readonly by: Side | 'both'
  readonly conflict: boolean
}
export type Picks = ReadonlyMap<string, Side>

/** Lists merged by element, so that two users can each add a creative. Any other list is one value. */
const LISTS = ['banners', 'tracks.tracks'] as const
/** Can be set once (campaigns.md §3): the first save wins. */
const SET_ONCE = 'country'

/** Returns all fields that either side changed since the base version, in the order of the form. */
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

/** Returns their version with my non-conflicting changes and the picked sides of conflicts; unpicked conflicts stay theirs. */
export function mergedForm(theirs: CampaignFormValues, merges: readonly FieldMerge[], picks: Picks): CampaignFormValues {
  const merged = structuredClone(theirs)
  for (const { field, mine, by, conflict } of merges)
    if (conflict ? picks.get(field) === 'mine' : by === 'mine') put(merged, field, mine)
  return merged
}

/** Returns every form field by path, at most two levels deep: the parts of a field belong together. */
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

/** Stored elements are identified by id, new ones by file. */
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
