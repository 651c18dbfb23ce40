import { headingsOf } from './markdown.ts'

/**
 * Citations of the rules in docs/spec: `fine print 17 and 18`, `decisions G-012, G-014`, `decisions G-223 to G-226`, `decisions §0`,
 * `campaigns.md §3 and §5`, `campaigns.md §2, "Left navigation"`, `access.md`.
 */
export type Citation = {
  /** File in docs/spec. */
  readonly page: string
  /** Number (`17`, `G-243`), section (`§3`) or title of a heading; null for the whole page. */
  readonly part: string | null
  readonly line: number
}

/** Parts of a page that can be cited. */
export type Page = { readonly numbers: ReadonlySet<string>; readonly titles: readonly string[] }

const START =
  /\b(campaigns|platform|lifecycle|access|running|fine-print|decisions)\.md\b|\b[Ff]ine print(?= \d)|\b[Dd]ecisions(?= (?:G-\d{3}|§))/g
const JOINT = /^(?: and | to |, )/
const PART = {
  number: /^(\d+)\b/,
  decision: /^(G-\d{3})\b(?!-)/,
  section: /^(§\d+)\b/,
  title: /^"([^"]+)"/,
}

/** Finds every citation. Comments may break lines anywhere; line numbers are those of the text as given. */
export function citationsOf(text: string): readonly Citation[] {
  const { flat, lineAt } = flattened(text)
  return spansOf(flat).flatMap(({ start, page, parts }) => {
    const line = lineAt(start)
    const cited: readonly (string | null)[] = parts.length === 0 ? [null] : parts
    return cited.map((part) => ({ page, part, line }))
  })
}

/** Spellings that `citationsOf` does not follow, so that nothing would check them. */
export function strayCitationsOf(text: string): readonly { readonly line: number; readonly found: string }[] {
  const { flat, lineAt } = flattened(text)
  const spans = spansOf(flat)
  return [...flat.matchAll(STRAY)]
    .filter(({ index }) => !spans.some(({ start, end }) => start <= index && index < end))
    .map(({ 0: found, index }) => ({ line: lineAt(index), found }))
}

/** `§` belongs to the citation of a page or of an RFC. */
const STRAY = /(?<!\bRFC \d+,? )§\d*|\bG-\d{3}\b(?!-)|\bcampaign\.md\b|\bfine-print \d+|\blifecycle "/g

type CitedSpan = { readonly start: number; readonly end: number; readonly page: string; readonly parts: readonly string[] }

function spansOf(flat: string): readonly CitedSpan[] {
  return [...flat.matchAll(START)].map((match) => {
    const [name, file] = match
    const page = file !== undefined ? `${file}.md` : /^d/i.test(name) ? 'decisions.md' : 'fine-print.md'
    const allowed =
      file !== undefined ? [PART.section, PART.title] : page === 'decisions.md' ? [PART.decision, PART.section] : [PART.number]
    const start = match.index
    const { parts, length } = partsOf(flat.slice(start + name.length), allowed)
    return { start, end: start + name.length + length, page, parts }
  })
}

/** The parts that follow the name of a page, each number of a range included, and the length of their text. */
function partsOf(text: string, allowed: readonly RegExp[]): { readonly parts: readonly string[]; readonly length: number } {
  const parts: string[] = []
  let length = 0
  let joint = /^,? /.exec(text)?.[0]
  while (joint !== undefined) {
    const rest = text.slice(length + joint.length)
    const part = allowed.map((form) => form.exec(rest)).find((match) => match !== null)
    if (part === undefined) break
    const [written, name = ''] = part
    const before = parts.at(-1)
    if (joint === ' to ' && before !== undefined) parts.push(...between(before, name))
    parts.push(name)
    length += joint.length + written.length
    joint = JOINT.exec(text.slice(length))?.[0]
  }
  return { parts, length }
}

/** The numbers between two ends, without them: G-224 and G-225 for G-223 and G-226. */
function between(from: string, to: string): readonly string[] {
  const digitsOf = (end: string) => end.replace(/^\D+/, '')
  const first = Number(digitsOf(from)) + 1
  const prefix = to.slice(0, to.length - digitsOf(to).length)
  return Array.from(
    { length: Math.max(0, Number(digitsOf(to)) - first) },
    (_, n) => prefix + String(first + n).padStart(digitsOf(to).length, '0'),
  )
}

/** One line: line breaks with indentation and comment marks become a space. */
function flattened(text: string) {
  const lines = text.split('\n')
  const starts: number[] = []
  let flat = ''
  for (const [n, line] of lines.entries()) {
    starts.push(flat.length)
    flat += n === 0 ? line : ` ${line.replace(/^\s*(?:\*(?!\/)|\/\/|--|#(?!#| ))?\s*/, '')}`
  }
  const lineAt = (index: number) => starts.findLastIndex((start) => start <= index) + 1
  return { flat, lineAt }
}

/** Numbers and titles of the headings of a page: `### 17. Repeats` is `17`, `## 3. Entities` is `3`, `### G-243 Figures` is `G-243`. */
export function pageOf(markdown: string): Page {
  const headings = headingsOf(markdown)
  const numbers = headings
    .map((heading) => /^(G-\d{3}|\d+\.)/.exec(heading)?.[1]?.replace('.', ''))
    .filter((number) => number !== undefined)
  return {
    numbers: new Set(numbers),
    titles: headings.map((heading) => heading.replace(/^(?:G-\d{3}|\d+\.) /, '').toLowerCase()),
  }
}

/** True when the page has the part as a heading. */
export function isOn(page: Page, part: string | null): boolean {
  if (part === null) return true
  return page.numbers.has(part.replace('§', '')) || page.titles.includes(part.toLowerCase())
}
