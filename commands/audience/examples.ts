import type { RowRejection } from '#domain/audience/identifiers'
import type { Normalisation } from '#domain/audience/normalisations'
import { beginning } from '#domain/kit/text'

/** A cell, and what it was read as. Answered once and never stored. */
export type Example = {
  /** Row of the file, from 1. */
  readonly row: number
  /** The beginning of the cell. */
  readonly text: string
  /** The identifier; null for a rejected cell. */
  readonly value: string | null
  readonly reason: RowRejection | null
  readonly changes: readonly Normalisation[]
}

const ACCEPTED = 3
const LONGEST = 60

/** Keeps the first accepted cells, and the first one of each change and of each reason. */
export function createExamples() {
  const kept: Example[] = []
  const seen = new Set<string>()
  let plain = 0

  return {
    accepted(row: number, text: string, value: string, changes: readonly Normalisation[]): void {
      if (changes.length === 0 ? plain >= ACCEPTED : changes.every((change) => seen.has(change))) return
      for (const change of changes) seen.add(change)
      if (changes.length === 0) plain += 1
      kept.push({ row, text: beginning(text, LONGEST), value, reason: null, changes })
    },
    rejected(row: number, text: string, reason: RowRejection): void {
      if (seen.has(reason)) return
      seen.add(reason)
      kept.push({ row, text: beginning(text, LONGEST), value: null, reason, changes: [] })
    },
    all: (): readonly Example[] => kept,
  }
}
