/** The languages that the product speaks. Everything that depends on a language derives from this list; the first is the default. */
export const LANGUAGES = [
  { key: 1, code: 'en', locale: 'en-US', wireLocale: 'en_US', name: 'English' },
  { key: 2, code: 'ru', locale: 'ru-RU', wireLocale: 'ru_RU', name: 'Русский' },
] as const

export type Language = (typeof LANGUAGES)[number]['code']
export const LANGUAGE_CODES = LANGUAGES.map(({ code }) => code)

/** The language of a code, or undefined for a text that is none. */
export const knownLanguage = (code: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => language.code === code)?.code

/** The language of a `language_key`; the default for an unknown one. */
export const languageOf = (key: number | null | undefined): Language =>
  (LANGUAGES.find((language) => language.key === key) ?? LANGUAGES[0]).code

/** The `language_key` of a code; that of the default for an unknown one. */
export const languageKeyOf = (code: string): (typeof LANGUAGES)[number]['key'] =>
  (LANGUAGES.find((language) => language.code === code) ?? LANGUAGES[0]).key

export const localeOf = (code: string): (typeof LANGUAGES)[number]['locale'] =>
  (LANGUAGES.find((language) => language.code === code) ?? LANGUAGES[0]).locale

/** The locale as the API writes it. */
export type WireLocale = (typeof LANGUAGES)[number]['wireLocale']
export const WIRE_LOCALES = LANGUAGES.map(({ wireLocale }) => wireLocale)

/** The locale of a code as the API writes it; that of the default for an unknown code. */
export const wireLocaleOf = (code: string): WireLocale =>
  (LANGUAGES.find((language) => language.code === code) ?? LANGUAGES[0]).wireLocale

/** The language of a locale that the API writes; the default for an unknown one. */
export const languageOfLocale = (wireLocale: string | null | undefined): Language =>
  (LANGUAGES.find((language) => language.wireLocale === wireLocale) ?? LANGUAGES[0]).code
