import { isUtf8 } from 'node:buffer'

/** Pages of HTML banners: their text, and the place of a script that runs before theirs. Linear for any content: pages may be hostile. */

/** Bytes in which a page has to name its encoding. */
const DECLARED_WITHIN = 1024
/** UTF-16 cannot be named in text of single bytes. */
const DECLARED = /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}(?!utf-?16)([\w.:-]{1,40})/i

/** The text of a page, decoded as browsers do: by its byte order mark, as UTF-8, or by the encoding that it names. Never throws. */
export function pageText(bytes: Buffer): string {
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    // It names an encoding that does not exist.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function encodingOf(bytes: Buffer): string {
  const [first, second, third, fourth] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // UTF-16 without a mark: markup begins with two characters of one byte each.
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le'
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be'
  if (isUtf8(bytes)) return 'utf-8'
  return DECLARED.exec(bytes.toString('latin1', 0, DECLARED_WITHIN))?.[1] ?? 'windows-1252'
}

/** Text that may stand in front of the first element of a head. */
const OPENING = /\s+|<!doctype[^>]*>|<\?xml[^>]*>|<!--|<(?:html|head)(?=[\s/>])/iy

/** The page with this markup in front of the first element of its head, so that its document type stays the first. */
export function withFirst(markup: string, page: string): string {
  const opening = new RegExp(OPENING)
  let at = 0
  for (let found = opening.exec(page); found !== null; found = opening.exec(page)) {
    const end = endOfOpening(page, found[0], opening.lastIndex)
    if (end === null) break
    at = end
    opening.lastIndex = at
  }
  return page.slice(0, at) + markup + page.slice(at)
}

function endOfOpening(page: string, found: string, from: number): number | null {
  if (found === '<!--') return endOfComment(page, from)
  if (!/^<h/i.test(found)) return from
  const end = endOfTag(page, from)
  return end === null ? null : end + 1
}

/** The place behind a comment that begins here; `<!-->` and `<!--->` are whole ones. */
export function endOfComment(page: string, from: number): number | null {
  const [short] = /^-?>/.exec(page.slice(from, from + 2)) ?? []
  if (short !== undefined) return from + short.length
  const ending = /--!?>/g
  ending.lastIndex = from
  return ending.test(page) ? ending.lastIndex : null
}

/** The first `>` that no quotes are around: they are quotes at the start of a value, and characters like others elsewhere. */
export function endOfTag(page: string, from: number): number | null {
  let quote = ''
  let before = ''
  for (let at = from; at < page.length; at += 1) {
    const char = page.charAt(at)
    if (quote !== '') quote = char === quote ? '' : quote
    else if (before === '=' && (char === '"' || char === "'")) quote = char
    else if (char === '>') return at
    if (!/\s/.test(char)) before = char
  }
  return null
}
