import { readdirSync, readFileSync } from 'node:fs'
import { createInstance } from 'i18next'
import { z } from 'zod'
import type { Language } from '#domain/kit/languages'

const texts = z.record(z.string(), z.unknown())
const FOLDER = 'web/i18n/locales'

/** The texts of the screens in a language, by key: `texts('form:footer.save')`. Throws for a key without a text. */
export async function textsIn(language: Language): Promise<(key: string, params?: Record<string, string | number>) => string> {
  const namespaces = readdirSync(`${FOLDER}/${language}`).map((file) => file.replace(/\.json$/, ''))
  const read = (name: string) => texts.parse(JSON.parse(readFileSync(`${FOLDER}/${language}/${name}.json`, 'utf8')))
  const i18n = createInstance()
  await i18n.init({
    lng: language,
    ns: namespaces,
    resources: { [language]: Object.fromEntries(namespaces.map((name) => [name, read(name)])) },
    interpolation: { escapeValue: false },
  })
  return (key, params = {}) => {
    if (!i18n.exists(key, params)) throw new Error(`no text ${key} in ${language}`)
    return i18n.t(key, { ...params, defaultValue: '' })
  }
}
