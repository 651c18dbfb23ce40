import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { citationsOf, isOn, pageOf, strayCitationsOf } from './support/citations.ts'
import { root } from './support/product-process.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Folders without sources, generated code, and entries of published releases. */
const EXCEPT = new Set(['node_modules', 'dist', 'coverage', 'CHANGELOG.md', 'bench/results', 'web/routeTree.gen.ts'])
/** These two write citations as examples. */
const EXAMPLES = new Set(['test/citations.spec.ts', 'test/support/citations.ts', 'docs/spec/README.md'])

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (EXCEPT.has(path) || entry.name.startsWith('.')) return []
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

const FILES = filesIn('')
const TEXTS = FILES.filter((file) => /\.(tsx?|mjs|js|sql|css|md|tsv)$/.test(file) && !EXAMPLES.has(file))
const PAGES = new Map(
  FILES.filter((file) => /^docs\/spec\/[a-z-]+\.md$/.test(file)).map((file) => [
    file.replace('docs/spec/', ''),
    pageOf(read(file)),
  ]),
)

describe('citations of the rules', () => {
  it('each citation names a heading in docs/spec', () => {
    const lost = TEXTS.flatMap((file) =>
      citationsOf(read(file)).flatMap(({ page, part, line }) => {
        const cited = PAGES.get(page)
        return cited !== undefined && isOn(cited, part) ? [] : [`${file}:${line}: ${page} ${part ?? ''}`]
      }),
    )
    expect(lost).toEqual([])
  })

  it('each decision that the rules mention has a heading', () => {
    const known = PAGES.get('decisions.md')?.numbers ?? new Set()
    const mentioned = TEXTS.filter((file) => file.startsWith('docs/spec/')).flatMap(
      (file) => read(file).match(/\bG-\d{3}\b(?!-)/g) ?? [],
    )
    expect(mentioned.filter((number) => !known.has(number))).toEqual([])
  })

  it('sources cite in one spelling', () => {
    const stray = TEXTS.filter((file) => !file.startsWith('docs/spec/')).flatMap((file) =>
      strayCitationsOf(read(file)).map(({ line, found }) => `${file}:${line}: ${found}`),
    )
    expect(stray).toEqual([])
  })

  it('finds the citations of the sources, on every page', () => {
    const found = TEXTS.filter((file) => !file.startsWith('docs/')).flatMap((file) => citationsOf(read(file)))
    expect(found.length).toBeGreaterThan(350)
    const cited = new Set(found.map(({ page }) => page))
    expect([...cited].sort()).toEqual([
      'access.md',
      'campaigns.md',
      'decisions.md',
      'fine-print.md',
      'lifecycle.md',
      'platform.md',
      'running.md',
    ])
  })

  it('every number of the fine print and of the decisions is there once, in order', () => {
    const numbers = (page: string, form: RegExp) =>
      [...read(`docs/spec/${page}`).matchAll(form)].map(([, number]) => Number(number))
    const counted = (last: number) => Array.from({ length: last }, (_, n) => n + 1)
    const fine = numbers('fine-print.md', /^### (\d+)\. /gm)
    expect(fine).toEqual(counted(fine.length))
    const decisions = numbers('decisions.md', /^### G-(\d{3}) /gm)
    expect(decisions).toEqual(counted(decisions.length))
  })
})

describe('the parser of citations', () => {
  const found = (text: string) => citationsOf(text).map(({ page, part }) => `${page} ${part ?? ''}`.trim())

  it.each([
    ['// why (fine print 17).', ['fine-print.md 17']],
    ['(fine print 31 and 40)', ['fine-print.md 31', 'fine-print.md 40']],
    ['(decisions G-223 to G-226)', ['decisions.md G-223', 'decisions.md G-224', 'decisions.md G-225', 'decisions.md G-226']],
    ['(decisions §0, fine print 26, 49)', ['decisions.md §0', 'fine-print.md 26', 'fine-print.md 49']],
    [' * rules (decisions\n * G-154, G-218)', ['decisions.md G-154', 'decisions.md G-218']],
    ['(campaigns.md §3 and §5)', ['campaigns.md §3', 'campaigns.md §5']],
    ['(campaigns.md §2, "Left\n   * navigation")', ['campaigns.md §2', 'campaigns.md Left navigation']],
    ['(running.md "The wire", access.md)', ['running.md The wire', 'access.md']],
    ['Some decisions are made, in fine print.', []],
  ])('reads %j', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  it('reports the line of a citation', () => {
    expect(citationsOf('a\n// b (fine\n// print 3)\n').map(({ line }) => line)).toEqual([2])
  })

  it.each(['(G-012)', '(spec §4)', '(campaign.md)', '(lifecycle "Commands")', '(fine-print 3)'])(
    'rejects the spelling %s',
    (text) => {
      expect(strayCitationsOf(text)).toHaveLength(1)
    },
  )

  it.each(['(decisions G-012, G-014)', '(RFC 9110 §13.1.2)', '(platform.md §4, §9)', 'invoice NG-2026-000123'])(
    'accepts %s',
    (text) => {
      expect(strayCitationsOf(text)).toEqual([])
    },
  )

  it('finds no part that the page lacks', () => {
    const page = pageOf('# Rules\n\n## 3. Entities\n\n### Left navigation\n\n### G-012 Keys\n')
    expect(['§3', 'left navigation', 'G-012', '§4', 'Right navigation', 'G-013'].map((part) => isOn(page, part))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
