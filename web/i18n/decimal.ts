import i18next from 'i18next'

/** Digits in groups of three, as English and Russian write large numbers. */
const GROUPED = { en: /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/, ru: /^[1-9]\d{0,2}([ \u00a0\u202f]\d{3})+([.,]\d*)?$/ } as const
const PLAIN = { en: /^(\d+\.?\d*|\.\d+)$/, ru: /^(\d+[.,]?\d*|[.,]\d+)$/ } as const

/**
 * Reads a typed number of 0 or more in the language of the page: null when nothing was typed, NaN when the text is no number or could be
 * read in two ways. In English `1,500` is fifteen hundred and `1,5` is NaN; in Russian both are one and a half.
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

/** The same number without groups and with a point, which both languages read alike; what cannot be read stays as it is. */
export function plainDecimal(typed: string): string {
  const text = String(readDecimal(typed) ?? Number.NaN)
  // What JavaScript writes as 1e-7 stays as typed too: it is no amount anyway.
  return /^[\d.]+$/.test(text) ? text : typed.trim()
}
