import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { addressOn, anchorOf, darkPicture, ownId } from '../docs/site/markdown.mjs'
import { GUIDES, russianSections, sections } from '../docs/site/sections.mjs'
import { withoutInlineScripts } from '../scripts/docs-scripts.mjs'
import { anchorsOf, headingsOf } from './support/markdown.ts'
import { root } from './support/product-process.ts'

const read = (file: string) => readFileSync(join(root, 'docs', file), 'utf8')
/** Pages of the site by their paths below docs/. */
const PAGES = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md') && !name.startsWith('site/'),
)
const TUTORIALS = PAGES.filter((name) => name.startsWith('tutorials/'))
/** The page below docs/ that has an address of the site; null for a page that the build writes. */
const pageOf = (link: string) => (link.startsWith('/reference/') ? null : `${link.slice(1).replace(/^ru\//, 'help/ru/')}.md`)
const entries = [...sections(String), ...russianSections(String)].flatMap(({ items }) => items)

const linksOf = (page: string) =>
  [...read(page).matchAll(/\]\(([^)#\s]+\.md)(?:#[^)\s]*)?\)/g)].map(([, target = '']) => join(dirname(page), target))

describe('the documentation site', () => {
  it('the documentation site has an entry in its sidebar, or a link from a page that has one, for every page', () => {
    const found = new Set(entries.flatMap(({ link }) => pageOf(link) ?? []))
    for (const page of found) for (const target of linksOf(page)) if (PAGES.includes(target)) found.add(target)
    expect(PAGES.filter((page) => !found.has(page))).toEqual([])
    expect([...found].filter((page) => !PAGES.includes(page))).toEqual([])
  })

  it('names every entry of its sidebar once', () => {
    const links = entries.map(({ link }) => link)
    expect(new Set(links).size).toBe(links.length)
    expect(entries.filter(({ text }) => text === '')).toEqual([])
  })

  it('the documentation site has each reference that its sidebar names, and its front pages lead to pages that exist', () => {
    const script = readFileSync(join(root, 'scripts/docs-site.mjs'), 'utf8')
    const written = new Set([...script.matchAll(/^ {2}page\(\n {4}'(\w+)'/gm)].map(([, name]) => `/reference/${name}`))
    const named = entries.map(({ link }) => link).filter((link) => link.startsWith('/reference/'))
    expect(named.toSorted((a, b) => a.localeCompare(b))).toEqual([...written].toSorted((a, b) => a.localeCompare(b)))
    const fronts = ['site/index.md', 'site/index.ru.md'].flatMap((file) =>
      [...read(file).matchAll(/^ +link: (\S+)$/gm)].map(([, link = '']) => link),
    )
    const known = new Set([...entries.map(({ link }) => link), '/', '/ru/'])
    expect(fronts.filter((link) => !known.has(link))).toEqual([])
    for (const { link } of entries.filter(({ link }) => link.startsWith('/tutorials/'))) expect(fronts).toContain(link)
  })

  it('the documentation site has the guides in both languages', () => {
    for (const language of ['en', 'ru'])
      expect([...GUIDES].toSorted()).toEqual(
        readdirSync(join(root, 'docs/help', language))
          .map((name) => name.replace('.md', ''))
          .toSorted(),
      )
  })

  it('gives headings the anchors that links of the pages use', () => {
    for (const page of PAGES) {
      const anchors = anchorsOf(read(page))
      expect(headingsOf(read(page)).filter((heading) => !anchors.has(anchorOf(heading)))).toEqual([])
    }
  })

  it('gives the headings of guides the same ids in both languages', () => {
    const ids = (language: string, name: string) =>
      headingsOf(read(`help/${language}/${name}.md`)).map((heading) => ownId(heading)?.id)
    for (const name of GUIDES) expect([name, ids('ru', name)]).toEqual([name, ids('en', name)])
    expect(ownId('Second factor {#second-factor}')).toEqual({ text: 'Second factor', id: 'second-factor' })
    expect(ownId('The folder {id}')).toBeNull()
  })

  it('follows links to its pages, and shows links to sources and to the application as text', () => {
    for (const [page, href, address] of [
      ['operating.md', 'spec/fine-print.md#a', 'spec/fine-print.md#a'],
      ['spec/access.md', '../operating.md', '../operating.md'],
      ['spec/access.md', '#rights', '#rights'],
      ['operating.md', '../README.md', null],
      ['spec/access.md', '../../domain/kit/access.ts', null],
      ['operating.md', 'https://age-encryption.org', 'https://age-encryption.org'],
      ['help/en/creatives.md', '/help/statuses#draft', '/help/en/statuses#draft'],
      ['ru/creatives.md', '/help/statuses', '/ru/statuses'],
      ['ru/creatives.md', '/reports', null],
    ] as const)
      expect([page, href, addressOn(page, href)]).toEqual([page, href, address])
  })

  it('moves inline scripts into files, runs them in their order, and leaves the others', () => {
    const html =
      '<script id="first">order.push(1)</script><script type="module" src="/help/docs/assets/app.js"></script>' +
      '<script>order.push("</p>")</script><script type="module" src="/x.js"></script>'
    const { page, files } = withoutInlineScripts(html, '/help/docs/')
    const sources = [...page.matchAll(/<script([^>]*) src="([^"]+)"><\/script>/g)].map(([, attributes = '', source = '']) => ({
      attributes,
      source,
    }))
    expect(sources).toHaveLength(4)
    expect(page.replaceAll(/<script[^>]*><\/script>/g, '')).toBe('')
    expect(sources[0]?.attributes).toBe(' id="first"')
    const order: unknown[] = []
    for (const { source } of sources) {
      const code = files.get(source.replace('/help/docs/', ''))
      if (code !== undefined) runInNewContext(code, { order })
    }
    expect(order).toEqual([1, '</p>'])
    expect([...files.keys()].filter((path) => !/^assets\/inline\.\w+\.js$/.test(path))).toEqual([])
  })
})

describe('the tutorials', () => {
  const texts = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  const locales = join(root, 'web/i18n/locales/en')
  for (const name of readdirSync(locales)) collect(JSON.parse(readFileSync(join(locales, name), 'utf8')))

  it('each role has one tutorial', () => {
    expect(TUTORIALS.map((page) => page.slice('tutorials/'.length, -'.md'.length)).toSorted()).toEqual(
      ['accountant', 'administrator', 'advertiser', 'auditor', 'moderator', 'operator'].toSorted(),
    )
  })

  it.each(TUTORIALS)('%s calls buttons and pages as the application does', (page) => {
    const bold = [...read(page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) => text)
    expect(bold.filter((text) => !texts.has(text))).toEqual([])
    expect(bold.length).toBeGreaterThanOrEqual(5)
  })

  it.each(TUTORIALS)('%s shows pictures that exist in both themes, and says what they show', (page) => {
    const pictures = [...read(page).matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)]
    expect(pictures.length).toBeGreaterThan(1)
    for (const [, alternative, source = ''] of pictures) {
      expect(alternative).not.toBe('')
      const dark = darkPicture(source)
      expect([source, dark !== null]).toEqual([source, true])
      for (const file of [source, dark ?? ''])
        expect([file, existsSync(join(root, 'docs', dirname(page), file))]).toEqual([file, true])
    }
  })

  it.each(TUTORIALS)('%s signs in with people of the demo', (page) => {
    const people = readFileSync(join(root, 'api/demo/people.ts'), 'utf8')
    const named = [...read(page).matchAll(/`(\w+@\w+\.example)`/g)].map(([, address = '']) => address)
    expect(named.filter((address) => !people.includes(address))).toEqual([])
    expect(named).not.toEqual([])
  })
})
