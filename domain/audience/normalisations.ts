import { asciiDigits } from '../kit/text.ts'

/** Changes to a cell before it is an identifier; each is counted (decisions G-220). */
export const NORMALISATIONS = ['marks', 'decimal', 'trunk', 'completed', 'device', 'excelText', 'signs'] as const
export type Normalisation = (typeof NORMALISATIONS)[number]

/** Characters that show nothing, such as direction marks, which copies from chats and contacts have around numbers. */
const INVISIBLE = /\p{Cf}/gu
const DASHES = /[\p{Pd}\u2212]/gu
/** Plus signs of other widths. */
const PLUS = /[\uff0b\ufe62\u207a]/g
/** Spreadsheets mark text by a formula or an apostrophe. */
const FORMULA = /^="([^"]*)"$/
const APOSTROPHE = /^['\u2018\u2019`\u00b4](?=\S)/
const NOT_PLAIN = /[^\x20-\x7e]|^[='`]/

type Normalised = { readonly text: string; readonly changes: readonly Normalisation[] }

/** A cell without what spreadsheets and copies add to it, with digits and dashes of ASCII. */
export function normalised(cell: string): Normalised {
  if (!NOT_PLAIN.test(cell)) return { text: cell, changes: [] }
  const inner = FORMULA.exec(cell)?.[1]?.trim() ?? cell.replace(APOSTROPHE, '')
  const text = asciiDigits(inner.replaceAll(INVISIBLE, '').replaceAll(DASHES, '-').replaceAll(PLUS, '+')).trim()
  return {
    text,
    changes: [...(inner === cell ? [] : (['excelText'] as const)), ...(text === inner ? [] : (['signs'] as const))],
  }
}
