import { operatorOf, type Operator } from '#domain/bidding/filters'
import { counts, isGroup, type DraftGroup, type DraftNode, type DraftRule } from '@/components/rules/draft'
import type { DraftEntry } from './draft.ts'

/** Translated parts of a sentence about an entry. */
export type SentenceWords = {
  /** Effect on the bid, by the multiplier. */
  readonly outcome: (multiplier: number) => string
  /** Question of a rule; `operator` is the one to say. */
  readonly rule: (rule: DraftRule, operator: Operator | null) => string
  /** Joins parts: "a, b and c", "a, b or c". */
  readonly list: (parts: readonly string[], condition: 'and' | 'or') => string
  /** These three follow what is before them, with the space or comma between. */
  readonly when: (text: string) => string
  readonly always: string
  /** Meaning of a group without rules within others. */
  readonly any: string
  readonly unless: (text: string) => string
  readonly sentence: (parts: { readonly outcome: string; readonly where: string; readonly unless: string }) => string
}

/** "Bid 20% more when App is com.example and Bid floor is less than 1, unless OS is iOS." Rules that say "is not" are exceptions. */
export function sentenceOf({ rules, multiplier }: DraftEntry, words: SentenceWords): string {
  const parts = rules.rules.filter(counts)
  const exceptions = rules.condition === 'and' || parts.length === 1 ? parts.filter(isException) : []
  const asked = parts.filter((node) => !exceptions.includes(node as DraftRule))
  return words.sentence({
    outcome: words.outcome(Number(multiplier)),
    where: asked.length === 0 ? words.always : words.when(joined(asked, rules.condition, words)),
    unless:
      exceptions.length === 0
        ? ''
        : words.unless(
            words.list(
              exceptions.map((rule) => words.rule(rule, 'is')),
              'or',
            ),
          ),
  })
}

/** "Is not" is the opposite of "is", so it can be said as an exception. An IP address that is missing is neither in a range nor outside it. */
const isException = (node: DraftNode): node is DraftRule => !isGroup(node) && operatorOf(node.operator) === 'is_not'

const joined = (nodes: readonly DraftNode[], condition: 'and' | 'or', words: SentenceWords): string =>
  words.list(
    nodes.map((node) => partText(node, nodes.length > 1, words)),
    condition,
  )

function partText(node: DraftNode, beside: boolean, words: SentenceWords): string {
  if (!isGroup(node)) return words.rule(node, operatorOf(node.operator))
  const text = groupText(node, words)
  return beside && node.rules.filter(counts).length > 1 ? `(${text})` : text
}

function groupText({ rules, condition }: DraftGroup, words: SentenceWords): string {
  const parts = rules.filter(counts)
  return parts.length === 0 ? words.any : joined(parts, condition, words)
}
