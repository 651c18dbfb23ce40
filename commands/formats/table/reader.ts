import { createDecoding } from './encoding.ts'
import { foreignFile, type ForeignFile } from './foreign.ts'
import { declaredSeparator, separatorOf } from './separator.ts'

/** Bounds of a record, against files that are none of a table. */
export type RecordBounds = {
  readonly cells: number
  readonly characters: number
}
export const RECORD_BOUNDS: RecordBounds = { cells: 1000, characters: 256 * 1024 }

/** Why a file is no table: a record beyond the bounds, a quote that never closes, or something else than text. */
export type TableFault = 'cells' | 'record' | 'quote' | ForeignFile

/** Characters in which the first lines, which show the separator, stand. */
const FIRST_LINES = 16 * 1024
const BOM = '\u{feff}'
const QUOTE = '"'
const LINE_FEED = 10
/** Bytes that show what a file is. */
const SIGNATURE = 8

type Found = { readonly cells: readonly string[]; readonly next: number; readonly lines: number }

/**
 * Records of a table that arrives in chunks of bytes: CSV in each encoding of `createDecoding`, with commas, semicolons, tabs or vertical
 * bars, and lines that end with LF, CR LF or CR. A first line `sep=;` says the separator and is no record. Empty lines are no records,
 * cells are trimmed, and line breaks in quotes are line feeds. Quotes count at the start of a cell; elsewhere they are characters like
 * others. `take` gets the line, from 1, in which the record begins.
 */
export function createTableReader(
  take: (record: readonly string[], line: number) => void,
  { cells: mostCells, characters: mostCharacters }: RecordBounds = RECORD_BOUNDS,
) {
  const decoding = createDecoding()
  let signature: Uint8Array | null = new Uint8Array(0)
  let separator: string | null = null
  let rest = ''
  let endsWithReturn = false
  let line = 1
  let fault: TableFault | null = null

  /** The record at a position: null when it goes on behind the text. */
  function record(text: string, from: number, mark: string, isLast: boolean): Found | null {
    const lineEnd = text.indexOf('\n', from)
    if (lineEnd === -1 && !isLast) return null
    const end = lineEnd === -1 ? text.length : lineEnd
    const row = text.slice(from, end)
    // Most lines have no quotes, and splitting is much faster.
    if (row.includes(QUOTE)) return quotedRecord(text, from, mark, isLast)
    const cells = row.trim() === '' ? [] : row.split(mark, mostCells + 1).map((cell) => cell.trim())
    return { cells, next: end + 1, lines: 1 }
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
    for (let at = from; cells.length <= mostCells;) {
      const start = startOfCell(text, at, mark)
      const quoted = text.charAt(start) === QUOTE ? quotedCell(text, start) : null
      if (quoted === 'open') {
        if (isLast) fault = 'quote'
        return null
      }
      const end = endOfCell(quoted?.end ?? start)
      if (end === text.length && !isLast) return null
      const isAlone = quoted !== null && text.slice(quoted.end, end).trim() === ''
      cells.push(isAlone ? quoted.value.trim() : text.slice(start, end).trim())
      at = end + 1
      if (text.charCodeAt(end) !== markCode) return { cells, next: at, lines: lineFeeds(text, from, at) }
    }
    return { cells, next: text.length, lines: 0 }
  }

  /** Turns the line ends of Excel and old Macs into line feeds. */
  function withLineFeeds(text: string): string {
    const whole = endsWithReturn && text.startsWith('\n') ? text.slice(1) : text
    endsWithReturn = text === '' ? endsWithReturn : text.endsWith('\r')
    return whole.includes('\r') ? whole.replaceAll(/\r\n?/g, '\n') : whole
  }

  /** Finds the separator in the first lines; false while more of them must come. */
  function begin(isLast: boolean): boolean {
    if (!isLast && rest.length < FIRST_LINES) return false
    if (rest.startsWith(BOM)) rest = rest.slice(1)
    const first = rest.slice(0, FIRST_LINES)
    const firstLine = first.split('\n', 1)[0] ?? ''
    const declared = declaredSeparator(firstLine)
    separator = declared ?? separatorOf(first)
    if (declared !== null) {
      rest = rest.slice(firstLine.length + 1)
      line += 1
    }
    return true
  }

  function read(isLast: boolean): void {
    if (separator === null && !begin(isLast)) return
    const mark = separator ?? ','
    let at = 0
    while (fault === null && at < rest.length) {
      const found = record(rest, at, mark, isLast)
      if (found === null) break
      const { cells, next, lines } = found
      if (cells.length > mostCells) fault = 'cells'
      else if (cells.length > 0) take(cells, line)
      line += lines
      at = next
    }
    rest = rest.slice(at)
    if (rest.length > mostCharacters) fault ??= 'record'
  }

  /** True when the first bytes are those of a table, or too few are here. */
  function isText(chunk: Uint8Array, isLast: boolean): boolean {
    if (signature === null) return fault === null
    signature = Uint8Array.from([...signature, ...chunk.subarray(0, SIGNATURE)])
    if (signature.length < SIGNATURE && !isLast) return true
    fault = foreignFile(signature)
    signature = null
    return fault === null
  }

  function add(chunk: Uint8Array, isLast: boolean): void {
    if (!isText(chunk, isLast) || fault !== null) return
    rest += withLineFeeds(isLast ? decoding.end() : decoding.write(chunk))
    read(isLast)
  }

  return {
    write: (chunk: Uint8Array): void => add(chunk, false),
    end: (): void => add(new Uint8Array(0), true),
    /** Why the content is no table; null while it is one. */
    fault: () => fault,
    /** The line that is read next. */
    line: () => line,
  }
}

function lineFeeds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
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
