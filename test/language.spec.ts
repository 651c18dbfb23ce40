import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { ROOMS } from './support/rooms.ts'
import { root } from './support/product-process.ts'

/** Terms that have a standard word, and that word. Only terms without a second, correct meaning. */
const TERMS: readonly (readonly [term: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\b(sets?|setting) (a stream |streams |it |them )?aside\b/i, 'park, parked'],
  [/\bdead letters?\b/i, 'parked streams'],
  [/\bunhurried/i, 'low priority'],
  [/\b(im)?patience\b|_PATIENCE\b/i, 'timeout, backoff'],
  [/\b(is|are|was|were|be|been|being|unless|none) told\b/i, 'is notified, reports'],
  [/\b(hears?|heard|hearing) of\b/i, 'is notified of'],
  [/\btells? of\b/i, 'reports'],
  [/\b(asks|begins|begin|began) again\b/i, 'retries, refetches, restarts'],
  [/\bwhat is live\b/i, 'the live generation'],
  [/\bin vain\b/i, 'without a result, after a timeout'],
  [/\b(the|of|for) news of\b/i, 'the change notification'],
  [/\b(a|each|every|next|last|first|single|one|older) look\b/, 'scan, poll, attempt'],
  [/\bdoors?\b/i, 'the role: authorize, guard'],
  [/<Thing\b|\b(Told|Ways)\b/, 'the role, such as Notice or FacetOptions'],
  [/\b(heirOf|askedEarly|toldOf|tellOf)\b/, 'the role: successorOf, earlyRequests, notify'],
]

/** Entries of published releases, this file, which lists the terms, and generated code. */
const EXCEPT = ['CHANGELOG.md', 'test/language.spec.ts', 'web/routeTree.gen.ts']
const FOLDERS = [...ROOMS, 'docs', 'scripts']
/** Dictionaries of public bodies, under their own names. */
const isData = (file: string): boolean => file.startsWith('platform/reference/data-')

const pages = readdirSync(root).filter((name) => name.endsWith('.md'))
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs|js|md)$|locales.*\.json$/.test(join(entry.parentPath, entry.name)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
)

it('sources, texts and pages use standard terms', () => {
  const found = [...pages, ...sources]
    .filter((file) => !EXCEPT.includes(file) && !isData(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, n) =>
          TERMS.flatMap(([term, instead]) => {
            const match = term.exec(line)
            return match === null ? [] : [`${file}:${n + 1}: "${match[0]}", write: ${instead}`]
          }),
        ),
    )
  expect(found).toEqual([])
})
