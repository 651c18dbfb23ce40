import i18next from 'i18next'
import { knownLanguage, LANGUAGES, type Language } from '#domain/kit/languages'

/** How large numbers are typed: plain, or in groups of three with the separators of the language. */
const NUMBERS: Readonly<Record<Language, { readonly grouped: RegExp; readonly plain: RegExp; readonly separators: RegExp }>> = {
  en: { grouped: /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/, plain: /^(\d+\.?\d*|\.\d+)$/, separators: /,/g },
  ru: {
    grouped: /^[1-9]\d{0,2}([ \u00a0\u202f]\d{3})+([.,]\d*)?$/,
    plain: /^(\d+[.,]?\d*|[.,]\d+)$/,
    separators: /[ \u00a0\u202f]/g,
  },
}

/**
 * Parses a typed number of 0 or more in the page's language: null when empty, NaN when the text is not a number or is ambiguous.
 * In English `1,500` is fifteen hundred and `1,5` is NaN; in Russian both are one and a half.
 */
export function readDecimal(typed: string): number | null {
  const text = typed.trim()
  if (text === '') return null
  const { grouped, plain, separators } = NUMBERS[knownLanguage(i18next.language) ?? LANGUAGES[0].code]
  const ungrouped = grouped.test(text) ? text.replaceAll(separators, '') : plain.test(text) ? text : null
  return ungrouped === null ? Number.NaN : Number(ungrouped.replace(',', '.'))
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
