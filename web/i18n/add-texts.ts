import i18next from 'i18next'

const add = (language: string, texts: Readonly<Record<string, object>>) => {
  for (const [namespace, one] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, one)
}

/** Registers English texts. Each page imports its own `texts/…` module. */
export const addEnglish = (texts: Readonly<Record<string, object>>) => add('en', texts)
/** Registers a whole language when the user selects it. */
export const addRussian = (texts: Readonly<Record<string, object>>) => add('ru', texts)
