import i18next from 'i18next'
import { knownLanguage, LANGUAGES, type Language } from '#domain/kit/languages'
import { asciiDigits } from '#domain/kit/text'
import { symbolOf } from './format.ts'

type Form = { readonly form: RegExp; readonly groups?: RegExp }

/** Forms that mean one number in every language: separators of two kinds, or one kind twice. */
const CLEAR: readonly Form[] = [
  { form: /^[1-9]\d{0,2}([ '])\d{3}(\1\d{3})*([.,]\d*)?$/, groups: /[ ']/g },
  { form: /^[1-9]\d{0,2}((,\d{3})+\.\d+|(,\d{3}){2,})$/, groups: /,/g },
  { form: /^[1-9]\d{0,2}((\.\d{3})+,\d+|(\.\d{3}){2,})$/, groups: /\./g },
]
/** Forms with one separator, which the language of the page decides. */
const OWN: Readonly<Record<Language, readonly Form[]>> = {
  en: [{ form: /^[1-9]\d{0,2},\d{3}$/, groups: /,/g }, { form: /^(\d+\.?\d*|\.\d+)$/ }],
  ru: [{ form: /^(\d+[.,]?\d*|[.,]\d+)$/ }],
}

/** Signs of other scripts and keyboards, as those that the forms know. */
const SEPARATORS: Readonly<Record<string, string>> = { '٫': '.', '٬': "'", '．': '.', '，': ',', '’': "'" }

/** The same number in ASCII: digits of every script, each space a plain one, and no signs without a width. */
const inAscii = (typed: string): string =>
  asciiDigits(typed.replaceAll(/\p{Cf}/gu, ''))
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(/[٫٬．，’]/g, (sign) => SEPARATORS[sign] ?? sign)
    .trim()

/**
 * Parses a typed number of 0 or more: null when empty, NaN when the text is not a number or is ambiguous in the page's language.
 * In English `1,500` is fifteen hundred and `1,5` is NaN; in Russian both are one and a half. `1 000,50` is the same in both.
 */
export function readDecimal(typed: string): number | null {
  const text = inAscii(typed)
  if (text === '') return null
  const [, mantissa = text, exponent = '0'] = /^(\d[\d.,]*)e([+-]?\d{1,3})$/i.exec(text) ?? []
  const forms = [...OWN[knownLanguage(i18next.language) ?? LANGUAGES[0].code], ...CLEAR]
  const found = forms.find(({ form }) => form.test(mantissa))
  if (found === undefined) return Number.NaN
  const ungrouped = found.groups === undefined ? mantissa : mantissa.replaceAll(found.groups, '')
  return Number(`${ungrouped.replace(',', '.')}e${exponent}`)
}

/**
 * Returns the same number without groups and with a decimal point, valid in both languages. Unreadable text is returned
 * unchanged.
 */
export function plainDecimal(typed: string): string {
  const text = String(readDecimal(typed) ?? Number.NaN)
  // Numbers that JavaScript writes as 1e-7 also stay as typed: they are not valid amounts.
  return /^[\d.]+$/.test(text) ? text : typed.trim()
}

/** Whether a text that is no clear number has the signs of one alone: then it is ambiguous. */
export const isUnclear = (typed: string): boolean => /^[\d .,']+$/.test(inAscii(typed))

/** A typed amount without the sign or the ISO 4217 code of its own currency, before or after it: `$75` and `75 USD` are 75. */
export function withoutCurrency(typed: string, currency: string): string {
  const name = [symbolOf(currency).trim(), currency].map((part) => part.replaceAll('$', String.raw`\$`)).join('|')
  return typed
    .replace(new RegExp(String.raw`^\s*([-−]?)\s*(?:${name})(?!\p{L})\s*`, 'iu'), '$1')
    .replace(new RegExp(String.raw`(?<!\p{L})\s*(?:${name})\s*$`, 'iu'), '')
}
