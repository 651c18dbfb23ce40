import i18next, { changeLanguage, use as addPlugin } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { knownLanguage, LANGUAGES, type Language } from '#domain/kit/languages'
import { isolated } from '#domain/kit/text'
import { addTexts } from './add-texts.ts'
import { enFrame } from './en-frame.ts'
import { nameDatesIn } from './date-names.ts'

const DEFAULT = LANGUAGES[0].code

/** Texts and date names of the languages that load when they are selected. */
const OTHERS = {
  ru: async () => {
    const { ru, ruDates } = await import('./ru.ts')
    return { texts: ru, dates: ruDates }
  },
} as const satisfies Record<Exclude<Language, typeof DEFAULT>, unknown>

const KEY = 'DSP_LANGUAGE'

/** The language that the user chose, else the default of the white-label, else English. */
export const storedLanguage = (): Language =>
  knownLanguage(localStorage.getItem(KEY)) ?? knownLanguage(document.documentElement.dataset['language']) ?? DEFAULT

/** Whether a user chose the language in this browser. */
export const hasChosenLanguage = (): boolean => knownLanguage(localStorage.getItem(KEY)) !== undefined

/** English is always loaded; other languages load when selected. */
export async function setUpI18n(language: Language) {
  await addPlugin(initReactI18next).init({
    lng: DEFAULT,
    fallbackLng: DEFAULT,
    defaultNS: 'common',
    ns: Object.keys(enFrame),
    resources: { [DEFAULT]: enFrame },
    // React escapes texts for HTML; names of other scripts are isolated within the sentence.
    interpolation: { escapeValue: true, escape: isolated },
    returnEmptyString: false,
  })
  await switchTo(language)
}

async function switchTo(language: Language) {
  if (language !== DEFAULT && !i18next.hasResourceBundle(language, 'common')) {
    const { texts, dates } = await OTHERS[language]()
    addTexts(language, texts)
    nameDatesIn(language, dates)
  }
  await changeLanguage(language)
  document.documentElement.lang = language
}

export async function chooseLanguage(language: Language) {
  localStorage.setItem(KEY, language)
  await switchTo(language)
}
