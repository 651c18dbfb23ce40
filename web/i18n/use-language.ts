import { useTranslation } from 'react-i18next'
import { knownLanguage, LANGUAGES, type Language } from '#domain/kit/languages'

/** The language of the interface. */
export function useLanguage(): Language {
  const { i18n } = useTranslation()
  return knownLanguage(i18n.language) ?? LANGUAGES[0].code
}
