import type { Locale } from 'date-fns'

/** Names of months and days. They load with the texts of their language. */
let names: Locale | null = null

export const nameDatesIn = (locale: Locale) => {
  names = locale
}
/** Null until a language other than English is selected. */
export const dateNames = () => names
