import { dictionary } from '@zxcvbn-ts/language-common'

/** The most used passwords of public breaches, in lower case; about 49,000. Shipped with the product: nothing is asked outside. */
let words: ReadonlySet<string> | null = null

/** Whether a lower-case text is one of the widely used passwords. The list is read at the first use. */
export function isCommonPassword(text: string): boolean {
  words ??= new Set(listOf(dictionary['passwords-common']))
  return words.has(text)
}

const listOf = (packed: unknown): readonly string[] => (Array.isArray(packed) ? packed.map(String) : String(packed).split(','))
