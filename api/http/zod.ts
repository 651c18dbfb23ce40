import { z } from '#contract/zod'
import { fault, type SentenceKey } from '#domain/kit/faults'
import type { Fault } from '#domain/kit/errors'

/** An issue of zod with the value that it is about; what else it has depends on its code. */
type Issue = { readonly code?: string | undefined; readonly input?: unknown; readonly [key: string]: unknown }

const TYPES: Readonly<Record<string, SentenceKey>> = {
  string: 'needText',
  number: 'numeric',
  nan: 'numeric',
  int: 'needWhole',
  boolean: 'needYesNo',
  array: 'needList',
  object: 'needRecord',
  record: 'needRecord',
}
/** Sentences of a bound: of texts, of lists, of numbers with the bound, and of numbers without it. */
const TOO_BIG = ['maxLength', 'tooMany', 'atMost', 'below'] as const
const TOO_SMALL = ['tooShort', 'tooFew', 'atLeast', 'above'] as const
/** Longest list of values that a sentence names. */
const MOST_NAMED = 200

function sentenceOf(issue: Issue): readonly [key: SentenceKey, params?: Fault['params']] {
  const { code, input, origin } = issue
  const bounded = origin === 'string' ? 0 : origin === 'array' ? 1 : issue['inclusive'] === false ? 3 : 2
  if (input === undefined) return ['required']
  if (code === 'too_big') return [TOO_BIG[bounded], { max: Number(issue['maximum']) }]
  if (code === 'too_small')
    return origin === 'string' && issue['minimum'] === 1 ? ['required'] : [TOO_SMALL[bounded], { min: Number(issue['minimum']) }]
  if (code === 'invalid_type') return [TYPES[String(issue['expected'])] ?? 'notAllowed']
  if (code === 'invalid_format') return ['wrongForm']
  if (code === 'unrecognized_keys')
    return ['unknownNames', { names: (issue['keys'] as readonly string[]).slice(0, 5).join(', ') }]
  const values = code === 'invalid_value' ? (issue['values'] as readonly unknown[]).join(', ') : ''
  return values === '' || values.length > MOST_NAMED ? ['notAllowed'] : ['oneOf', { values }]
}

const faultOf = (path: string, issue: Issue): Fault => {
  const [key, params] = sentenceOf(issue)
  return fault(path, 2, key, params)
}

/** For `safeParse` of what a request brings. Browsers show their own texts; the server's answers are in English. */
export const IN_SENTENCES = { error: (issue: Issue) => faultOf('', issue).message }

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined),
    value,
  )

/** The fault of an issue with a value, for the screens to translate; with the sentence of the contract where that has its own. */
export function faultOfIssue(path: string, issue: z.core.$ZodIssue, value: unknown): Fault {
  const plain = faultOf(path, { ...issue, input: valueAt(value, issue.path) })
  return plain.message === issue.message ? plain : { path, code: 2, message: issue.message }
}

export { z }
