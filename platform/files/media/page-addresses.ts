import { endOfComment, endOfTag } from '#commands/files/banner-page'
import { ABSOLUTE, addressesInStyle, type Addresses } from './addresses.ts'

/** The beginning of a tag or a comment. */
const TAG = /<(?:!--|([a-z][\w:-]{0,40})(?=[\s/>]))/gi
const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g

/** Elements whose text is no markup. */
const RAW = { script: /<\/script/gi, style: /<\/style/gi } as const
const isRaw = (name: string): name is keyof typeof RAW => Object.hasOwn(RAW, name)

/** Attributes that name a part, in any element. `source` is that of Google Web Designer's. */
const LOADS = new Set(['src', 'poster', 'background', 'source', 'data'])
/** Attributes that name where a click leads: `url` is that of `gwd-exit`. */
const LEADS = new Set(['url', 'exit-url', 'click-url', 'data-href', 'data-url', 'data-link', 'action', 'formaction'])
const HREF = new Set(['href', 'xlink:href'])
const LINKS = new Set(['a', 'area'])
/** Elements whose `href` is a part. */
const REFERRING = new Set(['image', 'use', 'script', 'feimage'])
const LOADED_RELATION = /\b(?:stylesheet|icon|preload|modulepreload|manifest)\b/i

/**
 * Finds where a page leads and what it loads in its markup and styles, and returns its scripts. Links to injected addresses
 * (`${clickTag}`) are not its own. Scans the page once, in linear time for any content: it may be hostile.
 */
export function addressesInPage(html: string, found: Addresses): readonly string[] {
  const search = new RegExp(TAG)
  const scripts: string[] = []
  for (let tag = search.exec(html); tag !== null; tag = search.exec(html)) {
    const name = tag[1]?.toLowerCase()
    const start = search.lastIndex
    const end = name === undefined ? endOfComment(html, start) : endOfTag(html, start)
    // An unclosed tag is no element.
    if (end === null) break
    search.lastIndex = end
    if (name === undefined) continue
    if (end > start) addressesInTag(name, html.slice(start, end), scripts, found)
    if (!isRaw(name)) continue
    const close = endOf(html, end, RAW[name])
    const content = html.slice(end + 1, close ?? html.length)
    if (name === 'script') scripts.push(content)
    else addressesInStyle(content, found)
    if (close === null) break
    search.lastIndex = close
  }
  return scripts
}

function endOf(html: string, from: number, closing: RegExp): number | null {
  const search = new RegExp(closing)
  search.lastIndex = from
  return search.exec(html)?.index ?? null
}

function addressesInTag(tag: string, attributes: string, scripts: string[], found: Addresses): void {
  let relation = ''
  let reference = ''
  // One after the other: a tag may have a million attributes.
  for (const [, written = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare
    if (value === undefined) continue
    const name = written.toLowerCase()
    if (name === 'rel') relation = value
    else if (name === 'style') addressesInStyle(asRead(value), found)
    else if (name.startsWith('on')) scripts.push(withCharacters(value))
    else if (name === 'srcset') for (const part of asRead(value).split(/[\s,]+/)) if (ABSOLUTE.test(part)) found.load(part)
    if (HREF.has(name)) reference = asRead(value)
    else if (LOADS.has(name)) loadIfAbsolute(asRead(value), found)
    else if (LEADS.has(name) && ABSOLUTE.test(asRead(value))) found.link()
    // A page that moves on by itself.
    else if (tag === 'meta' && name === 'content' && /^\d+\s*;\s*url\s*=\s*["']?(?:https?:)?\/\//i.test(asRead(value)))
      found.link()
  }
  if (/^javascript:/i.test(reference)) scripts.push(reference)
  else if (LINKS.has(tag) && ABSOLUTE.test(reference)) found.link()
  else if (REFERRING.has(tag) || (tag === 'link' && LOADED_RELATION.test(relation))) loadIfAbsolute(reference, found)
}

function loadIfAbsolute(address: string, found: Addresses): void {
  if (ABSOLUTE.test(address)) found.load(address)
}

/** Text with the characters that it has by number or name. */
const withCharacters = (value: string): string =>
  value
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10_ffff ? String.fromCodePoint(code) : ''
    })
    .replace(/&colon;/g, ':')
    .replace(/&sol;/g, '/')
    .replace(/&(?:quot|apos);/g, '"')

/** An address as browsers read it: also without the line breaks and tabs within. */
const asRead = (value: string): string =>
  withCharacters(value)
    .replace(/[\t\n\r]/g, '')
    .trim()
