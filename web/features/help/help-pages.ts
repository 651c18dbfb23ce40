import { queryOptions } from '@tanstack/react-query'
import { plain } from '@/components/picker/best-matches'
import type { Language } from '#domain/kit/languages'

/** Pages of docs/help, in reading order. */
export const HELP_PAGES = [
  'getting-started',
  'statuses',
  'creatives',
  'html-banners',
  'audiences',
  'reports',
  'billing',
  'account',
  'moderation',
] as const
export type HelpName = (typeof HELP_PAGES)[number]

export type HelpSection = {
  /** The same in every language, so that links into a page survive a change of language. */
  readonly id: string
  readonly heading: string
  /** Markdown. */
  readonly body: string
}
export type HelpPage = {
  readonly name: HelpName
  readonly title: string
  readonly lead: string
  readonly sections: readonly HelpSection[]
}

const SOURCES = import.meta.glob<string>('../../../docs/help/*/*.md', { query: '?raw', import: 'default' })

/** Reads a page: `# Title`, an introduction, then sections that begin with `## Heading {#id}`. */
export function parseHelp(name: HelpName, source: string): HelpPage {
  const [opening = '', ...rest] = source.split(/^## /m)
  const [, title = name, lead = ''] = /^# (.+)\n([^]*)$/.exec(opening) ?? []
  const sections = rest.map((section) => {
    const [, heading = '', id = '', body = ''] = /^(.+?) \{#([\w-]+)\}\n([^]*)$/.exec(section) ?? []
    return { id, heading, body: body.trim() }
  })
  return { name, title, lead: lead.trim(), sections }
}

async function load(language: Language, name: HelpName): Promise<HelpPage> {
  const source = SOURCES[`../../../docs/help/${language}/${name}.md`]
  if (source === undefined) throw new Error(`docs/help/${language}/${name}.md does not exist`)
  return parseHelp(name, await source())
}

export const helpQueries = {
  /** Every page in a language. They are part of the build, so they never go stale. */
  all: (language: Language) =>
    queryOptions({
      queryKey: ['help', language],
      queryFn: () => Promise.all(HELP_PAGES.map((name) => load(language, name))),
      staleTime: Number.POSITIVE_INFINITY,
    }),
}

export type HelpHit = { readonly page: HelpPage; readonly section: HelpSection; readonly excerpt: string }

/** Markdown without its marks. */
const text = (markdown: string) =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\|?-{3,}\|?|[*`|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const EXCERPT = 160

/** A part of a text that begins before the first of the words, cut between words. */
function excerptOf(whole: string, words: readonly string[]): string {
  const at = Math.min(...words.map((word) => plain(whole).indexOf(word)).filter((place) => place >= 0), whole.length)
  const start = at < EXCERPT / 2 || at === whole.length ? 0 : whole.indexOf(' ', at - EXCERPT / 2) + 1
  const end = start + EXCERPT >= whole.length ? whole.length : whole.lastIndexOf(' ', start + EXCERPT)
  return `${start > 0 ? '… ' : ''}${whole.slice(start, end)}${end < whole.length ? ' …' : ''}`
}

/** Sections that hold every word of the query, those with all of them in the heading first. Case and accents do not matter. */
export function searchHelp(pages: readonly HelpPage[], query: string): readonly HelpHit[] {
  const words = plain(query)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  const holds = (whole: string) => words.every((word) => whole.includes(word))
  const ranked: readonly HelpHit[][] = [[], []]
  for (const page of pages) {
    for (const section of page.sections) {
      const body = text(section.body)
      if (!holds(plain(`${page.title} ${section.heading} ${body}`))) continue
      ranked[holds(plain(section.heading)) ? 0 : 1]?.push({ page, section, excerpt: excerptOf(body, words) })
    }
  }
  return ranked.flat()
}
