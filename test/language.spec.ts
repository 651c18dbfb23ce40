import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
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

/** Without the name of its file or describe, a title that begins so has no subject. */
const NO_SUBJECT = new RegExp(
  `^(never )?(${[
    'am|is|are|was|were|be|been|has|have|had|can|cannot|may|must|do|did',
    'of|with|without|to|in|into|for|by|from|on|at|as|than|about|against|behind|below|beside|beyond|between|under|within',
    'after|before|when|while|until|unless|since|because|if|though|although|where|whether|how|why|meanwhile',
    'that|what|whatever|which|whichever|who|whoever|whom|whose|it|its',
    'and|but|or|nor|not|also|then',
    'allow|answer|bring|carry|come|contain|count|end|fail|find|follow|get|give|go|hold|include|keep|know|lead|leave|let|make|name',
    'need|offer|open|outlive|refuse|report|say|send|serve|show|start|stay|stop|store|survive|take|tell|throw|wait|work',
  ].join('|')})(?![\\w-])`,
)
/** Only the row of a table would be left. */
const ONLY_ROW = /^"?%[a-z#]"?(: %[a-z#])*$/

/** Calls whose first argument is the title of a test or a group. A table may stand between; its last line ends with `])(`. */
const TITLE = new RegExp(
  String.raw`(?:(?<![\w.'"\`])(?:it|test|describe)(?:\.\w+(?:<.*>)?(?:\(.*?\))?)*|^[ \t]*[\]})].*?\))` +
    String.raw`\(\s*(?<quote>['"\`])(?<title>(?:\\.|(?!\k<quote>)[^\\\n])*)\k<quote>`,
  'gm',
)

/** First words of comments, where a noun or a verb says more. A line comment may go on over several lines. */
const VAGUE =
  /(?:\/\*\*? |\/\*\*\n\s*\* |(?<!^[ \t]*\/\/.*\n[ \t]*)(?<=^|\s)\/\/ |^[ \t]*-- (?:\d+\. )?)(What|Of|Who|Whose|Whom|That)(?![\w'])/gm

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

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length

/** The places of titles without a subject. */
const bareTitles = (text: string): readonly string[] =>
  [...text.matchAll(TITLE)].flatMap(({ index, groups: { title = '' } = {} }) =>
    NO_SUBJECT.test(title) || ONLY_ROW.test(title) ? [`${lineOf(text, index)}: ${title}`] : [],
  )

const vagueComments = (text: string): readonly string[] =>
  [...text.matchAll(VAGUE)].map(({ 0: match, index, 1: word }) => `${lineOf(text, index + match.length)}: ${word}`)

describe('titles and comments', () => {
  const code = sources.filter((file) => /\.(tsx?|mjs|js)$/.test(file) && !EXCEPT.includes(file) && !isData(file))
  const faultsIn = (files: readonly string[], faultsOf: (text: string) => readonly string[]) =>
    files.flatMap((file) => faultsOf(readFileSync(join(root, file), 'utf8')).map((fault) => `${file}:${fault}`))

  it('every title of a test begins with a verb or a subject', () => {
    expect(faultsIn(code, bareTitles)).toEqual([])
  })

  it('comments begin with a noun or a verb', () => {
    expect(faultsIn(code, vagueComments)).toEqual([])
  })

  it.each([
    ["it('is saved', () => {})", ['1: is saved']],
    ["  describe('of an account', () => {", ['1: of an account']],
    ["test.skipIf(NONE === null)('with a server', () => {", ['1: with a server']],
    ["it.each(ROWS)('%s: %s', () => {", ['1: %s: %s']],
    ["it.each<[string, number]>(Object.keys(ROWS))('whose end is over', () => {", ['1: whose end is over']],
    ["it.each([\n  ['is'],\n] as const)('are %s', () => {", ['3: are %s']],
    ["it(\n  'that waits, %s',\n", ['1: that waits, %s']],
    ['it(`keep ${count} rows`, () => {', ['1: keep ${count} rows']],
    ["it('never leave a draft', () => {", ['1: never leave a draft']],
    ["it('a draft is saved', () => {})", []],
    ["it('saves a draft', () => {})", []],
    ["it('names reach both ends', () => {})", []],
    ["it('in-page links work', () => {})", []],
    ["it.each(ROWS)('refuses %s', () => {", []],
    ["expect(screen.getByText('is saved')).toBeVisible()", []],
    ["await edit('is saved')\n  submit('of an account')", []],
  ])('%j has the titles without a subject %j', (text, faults) => {
    expect(bareTitles(text)).toEqual(faults)
  })

  it.each([
    ['/** What a list shows. */', ['1: What']],
    ['/**\n * Of the account: its name.\n */', ['2: Of']],
    ['const one = 1 // Who made it.', ['1: Who']],
    ['// Whose days.', ['1: Whose']],
    ['  -- 2. Of two writers one waits.', ['1: Of']],
    ['// Says it twice:\n// What was said, and again.', []],
    ["'https://What'", []],
    ['/** Columns of a list. What it hides is left out. */', []],
    ["// That's all.", []],
  ])('%j has the vague comments %j', (text, faults) => {
    expect(vagueComments(text)).toEqual(faults)
  })
})
