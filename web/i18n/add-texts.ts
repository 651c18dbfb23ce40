import i18next from 'i18next'
import type { Language } from '#domain/kit/languages'

/** Registers texts of a language, by namespace. */
export function addTexts(language: Language, texts: Readonly<Record<string, object>>) {
  for (const [namespace, one] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, one)
}

/** Registers English texts. Each page imports its own `texts/…` module. */
export const addEnglish = (texts: Readonly<Record<string, object>>) => addTexts('en', texts)
