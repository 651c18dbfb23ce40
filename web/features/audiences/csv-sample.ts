import { recognise, separatorOf, type Recognised } from '#domain/audience/columns'

/** Bytes of a file that show its columns. */
const SAMPLE_BYTES = 64 * 1024
const SAMPLE_ROWS = 50

export type Sample = Recognised & {
  /** Rows behind the header. */
  readonly rows: readonly (readonly string[])[]
  /** Names of the columns; empty texts without a header. */
  readonly columns: readonly string[]
}

/** The first rows of a CSV file, as the server will read them. */
export async function readSample(file: Blob): Promise<Sample> {
  const text = (await file.slice(0, SAMPLE_BYTES).text()).replace(/^\uFEFF/, '')
  const lines = text.split(/\r\n|\n|\r/)
  const separator = separatorOf(lines[0] ?? '')
  // The last line may be cut.
  const whole = file.size > SAMPLE_BYTES ? lines.slice(0, -1) : lines
  const rows = whole
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLE_ROWS)
    .map((line) => cellsOf(line, separator))
  const recognised = recognise(rows)
  const width = Math.max(0, ...rows.map((row) => row.length))
  const header = recognised.header ? (rows[0] ?? []) : []
  return {
    ...recognised,
    rows: recognised.header ? rows.slice(1) : rows,
    columns: Array.from({ length: width }, (_, at) => header[at] ?? ''),
  }
}

/** Cells of one line; quotes keep separators. */
function cellsOf(line: string, separator: string): readonly string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? ''
    if (letter === '"' && isQuoted && line[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (letter === '"') isQuoted = !isQuoted
    else if (letter === separator && !isQuoted) {
      cells.push(cell.trim())
      cell = ''
    } else cell += letter
  }
  return [...cells, cell.trim()]
}
