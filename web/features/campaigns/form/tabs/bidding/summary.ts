import { isGroup, type DraftGroup, type DraftNode, type DraftRule, counts } from '@/components/rules/draft'
import type { DraftEntry } from './draft.ts'

/** Translated words of a summary. */
export type Words = {
  readonly and: string
  readonly or: string
  readonly everything: string
  readonly rule: (rule: DraftRule) => string
  readonly outcome: (multiplier: string) => string
}

/** "App is com.example AND (OS is Android OR Bid floor is more than 0.5) → bid × 1.5" */
export const summaryOf = ({ rules, multiplier }: DraftEntry, words: Words): string =>
  `${conditionText(rules, words)} → ${words.outcome(multiplier)}`

export function conditionText(group: DraftGroup, words: Words): string {
  const parts = group.rules.filter(counts)
  if (parts.length === 0) return words.everything
  return parts.map((node) => partText(node, parts.length > 1, words)).join(` ${words[group.condition]} `)
}

function partText(node: DraftNode, beside: boolean, words: Words): string {
  if (!isGroup(node)) return words.rule(node)
  const text = conditionText(node, words)
  return beside && node.rules.filter(counts).length > 1 ? `(${text})` : text
}
