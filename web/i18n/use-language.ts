import { useTranslation } from 'react-i18next'
import { LANGUAGES, type Language } from './setup.ts'

/** The language of the interface. */
export function useLanguage(): Language {
  const { i18n } = useTranslation()
  return LANGUAGES.find((known) => known === i18n.language) ?? 'en'
}
