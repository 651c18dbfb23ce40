import type { Locale } from 'date-fns'
import i18next from 'i18next'
import type { Language } from '#domain/kit/languages'

/** Names of months and days. They load with the texts of their language. */
const names = new Map<string, Locale>()

export const nameDatesIn = (language: Language, locale: Locale) => {
  names.set(language, locale)
}
/** The names in the language of the page; null in English. */
export const dateNames = (): Locale | null => names.get(i18next.language) ?? null
