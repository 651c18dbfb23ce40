import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const FOLDER = new URL('../../web/i18n/locales/', import.meta.url)

function* textsIn(value: unknown, key = ''): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [key, value]
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* textsIn(inner, key === '' ? name : `${key}.${name}`)
}

const read = (language: string) =>
  readdirSync(new URL(`${language}/`, FOLDER)).flatMap((file) => [
    ...textsIn(JSON.parse(readFileSync(new URL(`${language}/${file}`, FOLDER), 'utf8'))),
  ])

const english = read('en')
const russian = new Set(read('ru').map(([, text]) => text))
/** A missing text shows its key. Keys of one short word look like words. */
const KEYS = english.map(([key]) => key).filter((key) => /[.A-Z]/.test(key))
/** English text where only the Russian text is missing. Single words may be user-defined. */
const ENGLISH = english.map(([, text]) => text).filter((text) => / [a-z]/.test(text) && !russian.has(text))

/** Texts and accessible names on the page that are not in its language. */
export async function untranslated(page: Page): Promise<readonly string[]> {
  const { language, texts } = await page.evaluate(() => {
    const found = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      if (parentElement?.closest('pre, code, textarea, script') === null) found.add(textContent?.trim() ?? '')
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [aria-description]'))
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-description'])
        found.add(element.getAttribute(name)?.trim() ?? '')
    return { language: document.documentElement.lang, texts: [...found] }
  })
  const wrong = new Set(language === 'ru' ? [...KEYS, ...ENGLISH] : KEYS)
  return texts.filter((text) => wrong.has(text)).map((text) => `untranslated: ${text}`)
}
