import { trafficEntry } from '#contract/campaign-body'
import { z } from '#contract/zod'
import type { TrafficEntry } from '#domain/campaign/content/content'
import { filterOf } from '#domain/bidding/filters'
import { groupFaults, toGroup, type DraftGroup, type PlacedFault } from '@/components/rules/draft'
import { multiplierOf } from './multiplier.ts'

/** Entries in the form: numbers as typed, including added rules that are still empty. */
export type DraftEntry = {
  readonly id: number
  readonly name: string
  readonly multiplier: string
  readonly rules: DraftGroup
}

export function toDrafts(text: string | undefined): DraftEntry[] {
  return parse(text).map(({ id, name, multiplier, rules }) => ({ id, name, multiplier: String(multiplier), rules }))
}

const stored = z.array(trafficEntry)
function parse(text: string | undefined): readonly TrafficEntry[] {
  try {
    const read = stored.safeParse(JSON.parse(text ?? '[]'))
    return read.success ? read.data : []
  } catch {
    return []
  }
}

/** Returns the entries that a save would store. */
export const toEntries = (drafts: readonly DraftEntry[]): readonly TrafficEntry[] =>
  drafts.map(({ id, name, multiplier, rules }) => ({
    id,
    name,
    multiplier: Number(multiplierOf(multiplier)),
    rules: toGroup(rules, filterOf),
  }))

export const draftFaults = (entries: readonly DraftEntry[]): readonly PlacedFault[] =>
  entries.flatMap(({ rules }, index) => groupFaults(rules, ['entries', index, 'rules'], filterOf))
