import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { LANGUAGE_CODES, type Language } from '#domain/kit/languages'
import { makeRouter } from '@/router'
import { TEMPLATE } from './banner-template.ts'
import { HELP_PAGES, parseHelp, searchHelp } from './help-pages.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const pagesIn = (language: Language) => HELP_PAGES.map((name) => parseHelp(name, read(`docs/help/${language}/${name}.md`)))
const idsOf = (language: Language) => pagesIn(language).map(({ name, sections }) => [name, sections.map(({ id }) => id)])

describe('the pages of the help', () => {
  it('the pages of the help have the same sections in every language', () => {
    expect(idsOf('ru')).toEqual(idsOf('en'))
    const ids = idsOf('en').flatMap(([, sections]) => sections)
    expect(ids).not.toContain('')
    expect(ids.length).toBeGreaterThan(40)
  })

  it.each(LANGUAGE_CODES)('the pages of the help name and explain each status as the application calls it, in %s', (language) => {
    const { label, chip } = JSON.parse(read(`web/i18n/locales/${language}/status.json`)) as Record<string, Record<string, string>>
    const statuses = pagesIn(language).find(({ name }) => name === 'statuses')
    const { all, ...own } = label ?? {}
    expect(all).toBeDefined()
    const explained = statuses?.sections.map(({ id, heading, body }) => [id, heading, body.length > 20])
    expect(explained).toEqual(expect.arrayContaining(Object.entries(own).map(([key, name]) => [key, name, true])))
    const changes = statuses?.sections.find(({ id }) => id === 'changes')?.body ?? ''
    for (const name of Object.values(chip ?? {})) expect(changes).toContain(name)
  })

  it.each(LANGUAGE_CODES)('the pages of the help call buttons and sections as the application does, in %s', (language) => {
    const texts = new Set<string>()
    const collect = (value: unknown): void => {
      if (typeof value === 'string') texts.add(value)
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
    }
    const names =
      'billing campaigns common delivery events form guide invoices moderation profile quickEdit registration reports schedule secrets session audiences team creatives'
    for (const name of names.split(' ')) collect(JSON.parse(read(`web/i18n/locales/${language}/${name}.json`)))
    const bold = HELP_PAGES.flatMap((name) =>
      [...read(`docs/help/${language}/${name}.md`).matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) => text),
    )
    // A name begins with a capital letter; emphasis within a sentence does not.
    const unknown = bold.filter((text) => /^\p{Lu}/u.test(text) && !text.endsWith('.') && !texts.has(text))
    expect(unknown).toEqual([])
    expect(bold.length).toBeGreaterThan(30)
  })

  it.each(LANGUAGE_CODES)('the pages of the help lead only to pages that exist, in %s', (language) => {
    const links = HELP_PAGES.flatMap((name) =>
      [...read(`docs/help/${language}/${name}.md`).matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to),
    )
    const known = new Set([
      ...Object.keys(makeRouter(new QueryClient()).routesByPath),
      ...HELP_PAGES.map((name) => `/help/${name}`),
      '/docs',
      TEMPLATE,
    ])
    expect(links.filter((to) => !known.has(to))).toEqual([])
    expect(links).toContain('/reports')
  })
})

describe('the search of the help', () => {
  const pages = pagesIn('en')
  const found = (query: string) => searchHelp(pages, query).map(({ page, section }) => `${page.name}#${section.id}`)

  it('puts sections whose heading holds the words first', () => {
    expect(found('refill card')[0]).toBe('billing#refill')
    expect(found('second factor')[0]).toBe('account#second-factor')
  })

  it('finds a section by words of its text, in any order and case', () => {
    expect(found('HASHES phone')).toEqual(['audiences#static'])
    expect(found('  ')).toEqual([])
    expect(found('zebra')).toEqual([])
  })

  it('ignores accents', () => {
    expect(found('résumé')).toEqual(found('resume'))
    expect(searchHelp(pagesIn('ru'), 'счет').length).toBeGreaterThan(0)
  })

  it('shows the text around the first match without the marks of Markdown', () => {
    const [hit] = searchHelp(pages, 'bank confirm')
    expect(hit?.excerpt).toContain('Your bank may ask you to confirm')
    for (const { excerpt } of searchHelp(pages, 'the')) expect(excerpt).not.toMatch(/[*`|]|\]\(/)
  })
})
