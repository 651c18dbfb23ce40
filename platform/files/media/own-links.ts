const OPENS_ADDRESS = /\bwindow\s*\.\s*open\s*\(\s*["'`]\s*https?:/i
/** Browsers read a backslash as a slash. */
const ADDRESS = /^(https?:|[/\\]{2})/i
/** Links, and text that resembles markup. */
const TAG = /<(?:a(?=[\s/])|!--|script(?=[\s/>]))/gi
const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g

/**
 * Whether a page leads to a fixed address: by a link written out with one (`http:`, `https:` or `//`), or by a `window.open` of
 * one. Links to injected addresses (`${clickTag}`, `javascript:...`) are not its own.
 */
export const hasOwnLinks = (html: string): boolean => OPENS_ADDRESS.test(html) || hasLink(html)

/** Scans the page once, in linear time for any content: the page may be hostile. */
function hasLink(html: string): boolean {
  const search = new RegExp(TAG)
  for (let found = search.exec(html); found !== null; found = search.exec(html)) {
    const name = found[0].toLowerCase()
    const start = search.lastIndex
    const end = name === '<a' ? endOfTag(html, start) : endOf(html, start, name === '<!--' ? /-->/g : /<\/script/gi)
    // An unclosed tag is no element.
    if (end === null) break
    if (name === '<a' && leadsToAddress(html.slice(start, end))) return true
    search.lastIndex = end
  }
  return false
}

function endOf(html: string, from: number, closing: RegExp): number | null {
  closing.lastIndex = from
  return closing.exec(html)?.index ?? null
}

/** The first `>` that no quotes are around. */
function endOfTag(html: string, from: number): number | null {
  let quote = ''
  for (let at = from; at < html.length; at += 1) {
    const char = html.charAt(at)
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') return at
  }
  return null
}

function leadsToAddress(tag: string): boolean {
  // One after the other: a tag may have a million attributes.
  for (const [, name = '', double, single, bare] of tag.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare ?? ''
    if (['href', 'xlink:href'].includes(name.toLowerCase()) && ADDRESS.test(asRead(value))) return true
  }
  return false
}

/** An address as browsers read it: characters by number or name, and without the line breaks and tabs within. */
const asRead = (value: string): string =>
  value
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10_ffff ? String.fromCodePoint(code) : ''
    })
    .replace(/&colon;/g, ':')
    .replace(/&sol;/g, '/')
    .replace(/[\t\n\r]/g, '')
    .trim()
