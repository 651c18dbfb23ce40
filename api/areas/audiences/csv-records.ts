import { parse, type Parser } from 'csv-parse'
import { MOST_COLUMNS, separatorOf } from '../../../domain/audience/columns.ts'

const LONGEST_RECORD = 1024 * 1024
/** Bytes in which the first line, which shows the separator, must end. */
const FIRST_LINE = 64 * 1024
const [LINE_FEED, QUOTE] = [10, 34]
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Records of CSV that arrives in chunks. Before the first quote a line is a record, which is read much faster than the parser does; from then on
 * the parser reads. Empty lines are no records, and cells are trimmed. A row with too many cells ends the reading.
 */
export function createRecords(take: (record: readonly string[]) => void) {
  let separator: string | null = null
  let rest: Buffer = Buffer.alloc(0)
  let parser: Parser | null = null
  let failed = false

  function lines(bytes: Buffer): void {
    for (const line of bytes.toString('utf8').split('\n')) {
      const text = line.trim()
      if (text === '' || failed) continue
      const cells = text.split(separator ?? ',', MOST_COLUMNS + 1)
      if (cells.length > MOST_COLUMNS) failed = true
      else take(cells.map((cell) => cell.trim()))
    }
  }

  function parsed(bytes: Buffer): void {
    if (parser === null) {
      parser = parse({
        delimiter: separator ?? ',',
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        trim: true,
        max_record_size: LONGEST_RECORD,
        // The size of a record counts no empty cells.
        cast: (cell, { index }) => {
          if (index >= MOST_COLUMNS) throw new Error('a row has too many cells')
          return cell
        },
        on_record: (record: readonly string[]) => {
          take(record)
          // Nothing is collected in the parser.
          return null
        },
      })
      parser.on('error', () => {
        failed = true
      })
      parser.resume()
    }
    parser.write(bytes)
  }

  /** False while the first line has not ended. */
  function begun(bytes: Buffer, isLast: boolean): boolean {
    if (separator !== null) return true
    if (!isLast && !bytes.includes(LINE_FEED) && bytes.length < FIRST_LINE) return false
    separator = separatorOf(bytes.subarray(0, FIRST_LINE).toString('utf8').split('\n', 1)[0] ?? '')
    return true
  }

  function read(chunk: Buffer, isLast: boolean): void {
    if (parser !== null) return parsed(chunk)
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    rest = bytes
    if (!begun(bytes, isLast)) return
    const text = bytes.subarray(0, 3).equals(BOM) ? bytes.subarray(3) : bytes
    const end = isLast ? text.length : text.lastIndexOf(LINE_FEED) + 1
    if (text.includes(QUOTE) || (end === 0 && text.length >= FIRST_LINE)) {
      rest = Buffer.alloc(0)
      return parsed(text)
    }
    lines(text.subarray(0, end))
    rest = Buffer.from(text.subarray(end))
  }

  return {
    write: (chunk: Buffer) => read(chunk, false),
    async end(): Promise<void> {
      if (parser === null) read(Buffer.alloc(0), true)
      const open = parser
      if (open === null || failed) return
      await new Promise<void>((resolve) => {
        open.on('close', resolve)
        open.end()
      })
    },
    /** True when the content is not CSV. */
    failed: () => failed,
  }
}
