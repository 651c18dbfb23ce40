import i18next from 'i18next'

const add = (language: string, texts: Readonly<Record<string, object>>) => {
  for (const [namespace, one] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, one)
}

/** English texts come with the pages that show them: who imports `texts/…` has them. */
export const addEnglish = (texts: Readonly<Record<string, object>>) => add('en', texts)
/** Other languages come as a whole, when they are chosen. */
export const addRussian = (texts: Readonly<Record<string, object>>) => add('ru', texts)
