import i18next, { changeLanguage, use as addPlugin } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en } from './en.ts'

export const LANGUAGES = ['en', 'ru'] as const
export type Language = (typeof LANGUAGES)[number]

const KEY = 'DSP_LANGUAGE'

export const storedLanguage = (): Language => LANGUAGES.find((language) => language === localStorage.getItem(KEY)) ?? 'en'

/** English is always there (it types the keys); other languages come when chosen. */
export async function setUpI18n(language: Language) {
  await addPlugin(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'common',
    ns: Object.keys(en),
    resources: { en },
    interpolation: { escapeValue: false },
    returnEmptyString: false,
  })
  await switchTo(language)
}

async function switchTo(language: Language) {
  if (language === 'ru' && !i18next.hasResourceBundle('ru', 'common')) {
    const { ru } = await import('./ru.ts')
    for (const [namespace, texts] of Object.entries(ru)) i18next.addResourceBundle('ru', namespace, texts)
  }
  await changeLanguage(language)
  document.documentElement.lang = language
}

export async function chooseLanguage(language: Language) {
  localStorage.setItem(KEY, language)
  await switchTo(language)
}
