import { SECOND_LOOK_SHARE } from '../campaign/review/second-look.ts'
import { foldedWord } from '../campaign/review/banned-words.ts'
import { LANGUAGE_CODES, type Language } from '../kit/languages.ts'

/**
 * Guidelines of a white-label for its moderators: canned reasons for rejections and a checklist (fine print 101), the share of
 * second looks and the banned words (fine print 104).
 */

/** A text in every language of the product. */
export type Texts = { readonly [L in Language]: string }

export type CannedReason = {
  /** The policy that it is about, for the list alone; empty for none. */
  readonly topic: string
  /** Inactive reasons are kept and not offered. */
  readonly active: boolean
  readonly title: Texts
  /** Text for the advertiser. */
  readonly text: Texts
}

export type ReviewGuidelines = {
  /** In the order in which they are offered; empty for those of the product. */
  readonly reject_reasons: readonly CannedReason[]
  readonly review_checklist: readonly Texts[]
  /** Share of the approvals that a second moderator checks, percent. */
  readonly second_look_share: number
  /** Words that the simple checks find in ads, in the order in which they were written. */
  readonly banned_words: readonly string[]
}

/** Numbers of entries, and characters of texts. */
export const GUIDELINE_LIMITS = {
  reasons: 100,
  lines: 30,
  title: 100,
  topic: 100,
  text: 1000,
  line: 300,
  words: 500,
  word: 100,
} as const

const trimmed = (texts: Texts): Texts =>
  Object.fromEntries(LANGUAGE_CODES.map((code) => [code, texts[code].trim()])) as { [L in Language]: string }

const tidiedReason = ({ topic, active, title, text }: CannedReason): CannedReason => ({
  topic: topic.trim(),
  active,
  title: trimmed(title),
  text: trimmed(text),
})

/** Words without spaces around them and empty lines, each once as the check compares them. */
const distinct = (words: readonly string[]): readonly string[] => {
  const known = new Map<string, string>()
  for (const word of words) if (!known.has(foldedWord(word))) known.set(foldedWord(word), word.trim())
  known.delete('')
  return [...known.values()]
}

/** The same list where nothing in it differs, so that it is no change. */
const unlessSame = <T>(sent: readonly T[], known: readonly T[]): readonly T[] =>
  JSON.stringify(sent) === JSON.stringify(known) ? known : sent

/** Sent values, with texts without spaces around them, and only the fields that are stored. */
export function tidiedGuidelines(sent: Partial<ReviewGuidelines>, known: ReviewGuidelines): Partial<ReviewGuidelines> {
  const { reject_reasons: reasons, review_checklist: lines, banned_words: words } = sent
  return {
    ...(reasons === undefined ? {} : { reject_reasons: unlessSame(reasons.map(tidiedReason), known.reject_reasons) }),
    ...(lines === undefined ? {} : { review_checklist: unlessSame(lines.map(trimmed), known.review_checklist) }),
    ...(words === undefined ? {} : { banned_words: unlessSame(distinct(words), known.banned_words) }),
  }
}

export type GuidelineFault = {
  readonly path: string
  readonly key: 'required' | 'maxLength' | 'tooMany' | 'wholeNumber'
  readonly min?: number
  readonly max: number
}

/** Everything that is wrong with the lists: too long, or a text that is missing or too long in a language. */
export function guidelineFaults(sent: Partial<ReviewGuidelines>): readonly GuidelineFault[] {
  const { reject_reasons: reasons = [], review_checklist: lines = [], banned_words: words = [] } = sent
  const { reasons: mostReasons, lines: mostLines, words: mostWords } = GUIDELINE_LIMITS
  return [
    ...(reasons.length > mostReasons ? [{ path: 'reject_reasons', key: 'tooMany', max: mostReasons } as const] : []),
    ...(lines.length > mostLines ? [{ path: 'review_checklist', key: 'tooMany', max: mostLines } as const] : []),
    ...reasons.flatMap(({ topic, title, text }, i) => [
      ...textFault(`reject_reasons[${i}].topic`, topic, GUIDELINE_LIMITS.topic, false),
      ...textsFaults(`reject_reasons[${i}].title`, title, GUIDELINE_LIMITS.title),
      ...textsFaults(`reject_reasons[${i}].text`, text, GUIDELINE_LIMITS.text),
    ]),
    ...lines.flatMap((line, i) => textsFaults(`review_checklist[${i}]`, line, GUIDELINE_LIMITS.line)),
    ...shareFaults(sent),
    ...(words.length > mostWords ? [{ path: 'banned_words', key: 'tooMany', max: mostWords } as const] : []),
    ...words.flatMap((word, i) => textFault(`banned_words[${i}]`, word, GUIDELINE_LIMITS.word, true)),
  ]
}

function shareFaults({ second_look_share: share = 0 }: Partial<ReviewGuidelines>): readonly GuidelineFault[] {
  const { min, max } = SECOND_LOOK_SHARE
  return Number.isInteger(share) && share >= min && share <= max
    ? []
    : [{ path: 'second_look_share', key: 'wholeNumber', min, max }]
}

const textsFaults = (path: string, texts: Texts, max: number): readonly GuidelineFault[] =>
  LANGUAGE_CODES.flatMap((code) => textFault(`${path}.${code}`, texts[code], max, true))

function textFault(path: string, text: string, max: number, isRequired: boolean): readonly GuidelineFault[] {
  if (isRequired && text === '') return [{ path, key: 'required', max }]
  return text.length > max ? [{ path, key: 'maxLength', max }] : []
}
