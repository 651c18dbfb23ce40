import { StringDecoder } from 'node:string_decoder'
import { MOST_COLUMNS, separatorOf } from '#domain/audience/columns'

/** Characters. */
const LONGEST_RECORD = 256 * 1024
/** Characters in which the first line, which shows the separator, must end. */
const FIRST_LINE = 64 * 1024
const BOM = '\u{feff}'
const QUOTE = '"'
const LINE_FEED = 10

type Found = { readonly cells: readonly string[]; readonly next: number }

/**
 * Records of CSV that arrives in chunks. Empty lines are no records, and cells are trimmed. Quotes count at the start of a cell;
 * elsewhere they are characters like others. A record with too many cells or characters, or without its closing quote, ends the
 * reading.
 */
export function createRecords(take: (record: readonly string[]) => void) {
  const decoder = new StringDecoder('utf8')
  let separator: string | null = null
  let rest = ''
  let failed = false

  /** The record at a position: null when it goes on behind the text. */
  function record(text: string, from: number, mark: string, isLast: boolean): Found | null {
    const lineEnd = text.indexOf('\n', from)
    if (lineEnd === -1 && !isLast) return null
    const end = lineEnd === -1 ? text.length : lineEnd
    const line = text.slice(from, end)
    // Most lines have no quotes, and splitting is much faster.
    if (line.includes(QUOTE)) return quotedRecord(text, from, mark, isLast)
    const cells = line.trim() === '' ? [] : line.split(mark, MOST_COLUMNS + 1).map((cell) => cell.trim())
    return { cells, next: end + 1 }
  }

  function quotedRecord(text: string, from: number, mark: string, isLast: boolean): Found | null {
    const markCode = mark.charCodeAt(0)
    const endOfCell = (at: number): number => {
      for (let end = at; end < text.length; end += 1) {
        const code = text.charCodeAt(end)
        if (code === markCode || code === LINE_FEED) return end
      }
      return text.length
    }
    const cells: string[] = []
    for (let at = from; cells.length <= MOST_COLUMNS;) {
      const start = startOfCell(text, at, mark)
      const quoted = text.charAt(start) === QUOTE ? quotedCell(text, start) : null
      if (quoted === 'open') {
        failed ||= isLast
        return null
      }
      const end = endOfCell(quoted?.end ?? start)
      if (end === text.length && !isLast) return null
      const isAlone = quoted !== null && text.slice(quoted.end, end).trim() === ''
      cells.push(isAlone ? quoted.value.trim() : text.slice(start, end).trim())
      at = end + 1
      if (text.charCodeAt(end) !== markCode) return { cells, next: at }
    }
    return { cells, next: text.length }
  }

  function read(isLast: boolean): void {
    if (separator === null) {
      if (!isLast && !rest.includes('\n') && rest.length < FIRST_LINE) return
      if (rest.startsWith(BOM)) rest = rest.slice(1)
      separator = separatorOf(rest.slice(0, FIRST_LINE).split('\n', 1)[0] ?? '')
    }
    let at = 0
    while (!failed && at < rest.length) {
      const found = record(rest, at, separator, isLast)
      if (found === null) break
      const { cells, next } = found
      at = next
      if (cells.length > MOST_COLUMNS) failed = true
      else if (cells.length > 0) take(cells)
    }
    rest = rest.slice(at)
    if (rest.length > LONGEST_RECORD) failed = true
  }

  return {
    write(chunk: Buffer): void {
      if (failed) return
      rest += decoder.write(chunk)
      read(false)
    },
    end(): void {
      rest += decoder.end()
      read(true)
    },
    /** True when the content is not CSV. */
    failed: () => failed,
  }
}

/** The first character of a cell that is no space; a tab may be the separator. */
function startOfCell(text: string, from: number, separator: string): number {
  let at = from
  while (text.charAt(at) === ' ' || (separator !== '\t' && text.charAt(at) === '\t')) at += 1
  return at
}

/** The value of a cell in quotes, in which two of them are one; open when the closing one is not in the text. */
function quotedCell(text: string, start: number): { readonly value: string; readonly end: number } | 'open' {
  let value = ''
  for (let at = start + 1; ;) {
    const close = text.indexOf(QUOTE, at)
    if (close === -1) return 'open'
    value += text.slice(at, close)
    if (text.charAt(close + 1) !== QUOTE) return { value, end: close + 1 }
    value += QUOTE
    at = close + 2
  }
}
