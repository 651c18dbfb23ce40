import i18next, { changeLanguage, use as addPlugin } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { addRussian } from './add-texts.ts'
import { enFrame } from './en-frame.ts'
import { nameDatesIn } from './date-names.ts'

export const LANGUAGES = ['en', 'ru'] as const
export type Language = (typeof LANGUAGES)[number]

const KEY = 'DSP_LANGUAGE'

const known = (text: string | null | undefined) => LANGUAGES.find((language) => language === text)

/** The language that the user chose, else the default of the white-label, else English. */
export const storedLanguage = (): Language =>
  known(localStorage.getItem(KEY)) ?? known(document.documentElement.dataset['language']) ?? 'en'

/** Whether a user chose the language in this browser. */
export const hasChosenLanguage = (): boolean => known(localStorage.getItem(KEY)) !== undefined

/** English is always loaded; other languages load when selected. */
export async function setUpI18n(language: Language) {
  await addPlugin(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'common',
    ns: Object.keys(enFrame),
    resources: { en: enFrame },
    interpolation: { escapeValue: false },
    returnEmptyString: false,
  })
  await switchTo(language)
}

async function switchTo(language: Language) {
  if (language === 'ru' && !i18next.hasResourceBundle('ru', 'common')) {
    const { ru, ruDates } = await import('./ru.ts')
    addRussian(ru)
    nameDatesIn(ruDates)
  }
  await changeLanguage(language)
  document.documentElement.lang = language
}

export async function chooseLanguage(language: Language) {
  localStorage.setItem(KEY, language)
  await switchTo(language)
}
