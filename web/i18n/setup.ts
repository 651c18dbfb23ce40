import i18next, { changeLanguage, use as addPlugin } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { enFrame } from './en-frame.ts'
import { nameDatesIn } from './date-names.ts'

export const LANGUAGES = ['en', 'ru'] as const
export type Language = (typeof LANGUAGES)[number]

const KEY = 'DSP_LANGUAGE'

export const storedLanguage = (): Language => LANGUAGES.find((language) => language === localStorage.getItem(KEY)) ?? 'en'

/** English is always there; other languages come when chosen. */
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

/** The texts of the campaign form and of moderation: awaited by the routes that show them. */
export async function loadFormTexts() {
  if (i18next.hasResourceBundle('en', 'form')) return
  const { enForm } = await import('./en-form.ts')
  addTexts('en', enForm)
}

function addTexts(language: Language, texts: Readonly<Record<string, object>>) {
  for (const [namespace, one] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, one)
}

async function switchTo(language: Language) {
  if (language === 'ru' && !i18next.hasResourceBundle('ru', 'common')) {
    const { ru, ruDates } = await import('./ru.ts')
    addTexts('ru', ru)
    nameDatesIn(ruDates)
  }
  await changeLanguage(language)
  document.documentElement.lang = language
}

export async function chooseLanguage(language: Language) {
  localStorage.setItem(KEY, language)
  await switchTo(language)
}
