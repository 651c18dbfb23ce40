import type { Locale } from 'date-fns'

/** Names of months and days, which come with the texts of their language: nobody loads those of another. */
let names: Locale | null = null

export const nameDatesIn = (locale: Locale) => {
  names = locale
}
/** Null until a language was chosen that is not English. */
export const dateNames = () => names
