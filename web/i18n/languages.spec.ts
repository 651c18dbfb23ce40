import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LANGUAGES } from '#domain/kit/languages'

it('languages and their locales are named by domain/kit/languages.ts alone, and compared nowhere', () => {
  const web = join(import.meta.dirname, '..')
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.spec\.tsx?$/.test(path) && !path.startsWith('test/'),
  )
  expect(sources.length).toBeGreaterThan(500)
  const locales = LANGUAGES.flatMap(({ locale, wireLocale }) => [locale, wireLocale])
  const names = [...locales, ...LANGUAGES.slice(1).map(({ code }) => code)]
  const named = new RegExp(`['"](${names.join('|')})['"]|=== ['"]${LANGUAGES[0].code}['"]`)
  expect(sources.filter((path) => named.test(readFileSync(join(web, path), 'utf8')))).toEqual([])
})
