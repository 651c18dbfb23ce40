import i18next from 'i18next'

/** Digits in groups of three, as English and Russian format large numbers. */
const GROUPED = { en: /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/, ru: /^[1-9]\d{0,2}([ \u00a0\u202f]\d{3})+([.,]\d*)?$/ } as const
const PLAIN = { en: /^(\d+\.?\d*|\.\d+)$/, ru: /^(\d+[.,]?\d*|[.,]\d+)$/ } as const

/**
 * Parses a typed number of 0 or more in the page's language: null when empty, NaN when the text is not a number or is ambiguous.
 * In English `1,500` is fifteen hundred and `1,5` is NaN; in Russian both are one and a half.
 */
export function readDecimal(typed: string): number | null {
  const text = typed.trim()
  if (text === '') return null
  const language = i18next.language === 'ru' ? 'ru' : 'en'
  if (GROUPED[language].test(text)) {
    const digits = language === 'ru' ? text.replaceAll(/[ \u00a0\u202f]/g, '').replace(',', '.') : text.replaceAll(',', '')
    return Number(digits)
  }
  return PLAIN[language].test(text) ? Number(text.replace(',', '.')) : Number.NaN
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
