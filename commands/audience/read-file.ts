import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReceivedSoFar, RejectedRow, Bucketed } from './audience-port.ts'
import { createHashes } from './hashes.ts'
import { createIdentifierHash } from './identifier-hash.ts'
import { meaningOf, type DeviceType } from '#domain/audience/column-names'
import { recognise, SAMPLE_ROWS } from '#domain/audience/columns'
import { hashedText, readIdentifier, type ColumnKind, type RowRejection } from '#domain/audience/identifiers'
import type { Normalisation } from '#domain/audience/normalisations'
import type { PhoneReading } from '#domain/audience/phone'
import { numbering } from '#commands/formats/phone/numbering'
import { createTableReader, type TableFault } from '#commands/formats/table/reader'
import { createExamples, type Example } from './examples.ts'

/** Hashes that are stored in one page. */
const PAGE = 65_536
/** Rejected rows that are kept with their numbers; all of them are counted. */
const REJECTED_KEPT = 100_000

/** How the cells of a file are read. */
export type FileReading = {
  /** Name of the column, or its position from 0; null to recognise it. */
  readonly column: string | null
  readonly kind: ColumnKind | null
  /** ISO 3166-1 alpha-2 in upper case, of numbers in the national form; null for none. */
  readonly country: string | null
  /** Whether phone numbers with +, 00 or in the national form count too. */
  readonly anyForm: boolean
}

export type FileSettings = FileReading & {
  readonly key: Buffer
  /** Stores a page of members before more is read: at most one page is in memory. */
  readonly store: (
    page: { readonly members: readonly Bucketed[]; readonly rejected: readonly RejectedRow[] },
    soFar: ReceivedSoFar,
  ) => Promise<void>
}

/** The column that was read, and what its cells were read as. */
export type ReadColumn = {
  /** Its name, or its position from 0 without its own name; null for a file without cells. */
  readonly column: string | null
  /** False when no column qualified: this one comes closest, and nothing of it counts. */
  readonly qualified: boolean
  /** Other columns that were as likely. */
  readonly as_likely: readonly string[]
  readonly kind: ColumnKind
  readonly device: DeviceType | null
  readonly normalised: { readonly [Change in Normalisation]?: number }
  readonly examples: readonly Example[]
}

export type ReadFile = ReceivedSoFar &
  ReadColumn & {
    readonly bytes: number
    /** Hash of the content. */
    readonly sha256: Buffer
    /** Why nothing was read: the content is no table, or does not have the column. */
    readonly fault: TableFault | 'noColumn' | null
  }

/** After so long other calls have their turn, milliseconds: a file may have 25 million rows. */
const TURN_MS = 10

/** Reads a table as it arrives. Nothing of it is kept but hashes, numbers of rejected rows, and a few examples for the answer. */
export async function readAudienceFile(chunks: AsyncIterable<Buffer>, settings: FileSettings): Promise<ReadFile> {
  const rows = createRows(settings)
  const digest = createHash('sha256')
  let bytes = 0
  const table = createTableReader((record) => rows.add(record))
  let turnEnds = performance.now() + TURN_MS
  for await (const chunk of chunks) {
    if (performance.now() >= turnEnds) {
      await nextTurn()
      turnEnds = performance.now() + TURN_MS
    }
    bytes += chunk.length
    digest.update(chunk)
    if (table.fault() !== null || rows.failed()) continue
    table.write(chunk)
    await rows.full()
  }
  table.end()
  await rows.end()
  const fault = table.fault() ?? (rows.failed() ? 'noColumn' : null)
  return { ...rows.soFar(), ...rows.column(), bytes, sha256: digest.digest(), fault }
}

type Chosen = { readonly at: number; readonly as: ColumnKind; readonly qualified: boolean }

function createRows({ key, column, kind, country, anyForm, store }: FileSettings) {
  let reading: PhoneReading = { numbering, country, anyForm }
  const hashes = createHashes()
  const hashOf = createIdentifierHash(key)
  const examples = createExamples()
  const reasons: { [Reason in RowRejection]?: number } = {}
  const normalised: { [Change in Normalisation]?: number } = {}
  const kinds = { device: 0, phone: 0 }
  let sample: (readonly string[])[] | null = []
  let chosen: Chosen | null = null
  let names: Pick<ReadColumn, 'column' | 'as_likely' | 'kind' | 'device'> = {
    column: null,
    as_likely: [],
    kind: kind ?? 'any',
    device: null,
  }
  let rejected: RejectedRow[] = []
  let kept = 0
  /** Records of the file, its header included. */
  let records = 0
  let rows = 0
  let refused = 0
  let failed = false

  function take(cell: string, { as, qualified }: Chosen, number: number): void {
    rows += 1
    const read = readIdentifier(cell, as, reading)
    if (read.kind !== 'rejected') {
      kinds[read.kind] += 1
      if (read.changes.length > 0) for (const change of read.changes) normalised[change] = (normalised[change] ?? 0) + 1
      examples.accepted(number, cell, read.value, read.changes)
      if (qualified) hashes.add(hashOf(hashedText(read.kind, read.value)))
      return
    }
    refused += 1
    reasons[read.reason] = (reasons[read.reason] ?? 0) + 1
    examples.rejected(number, cell, read.reason)
    if (kept >= REJECTED_KEPT) return
    kept += 1
    rejected.push([number, read.reason])
  }

  /** Finds the column in the first rows, and reads them. */
  function begin(): void {
    const first = sample ?? []
    sample = null
    const found = recognise(first, { numbering, country, kind })
    const [header = []] = first
    const at = column === null ? (found.likeliest ?? 0) : columnOf(column, header)
    if (at === -1) {
      failed = true
      return
    }
    const named = found.header || (column !== null && isName(column, header))
    const nameOf = (position: number) => uniqueName(position, named ? header : [])
    names = {
      column: first.length === 0 ? null : nameOf(at),
      as_likely: column === null ? found.asLikely.map(nameOf) : [],
      kind: kind ?? (at === found.likeliest ? found.kind : 'any'),
      device: named ? (meaningOf(header[at] ?? '').device ?? null) : null,
    }
    // A kind that is recognised in the first rows must not reject the other kind further down.
    chosen = { at, as: kind ?? 'any', qualified: column !== null || found.column !== null }
    reading = { ...reading, national: found.national.includes(at) }
    const skipped = named ? 1 : 0
    for (const [n, row] of first.slice(skipped).entries()) take(row[at] ?? '', chosen, n + 1 + skipped)
  }

  return {
    add(record: readonly string[]): void {
      records += 1
      if (sample !== null) {
        sample.push(record)
        if (sample.length > SAMPLE_ROWS) begin()
      } else if (chosen !== null) take(record[chosen.at] ?? '', chosen, records)
    },
    /** True when the file does not have the column. */
    failed: () => failed,
    soFar: (): ReceivedSoFar => ({ rows, rejected: refused, reasons }),
    column: (): ReadColumn => ({
      ...names,
      kind: kinds.device + kinds.phone === 0 ? names.kind : kinds.phone === 0 ? 'device' : kinds.device === 0 ? 'phone' : 'any',
      qualified: chosen?.qualified ?? false,
      normalised,
      examples: examples.all(),
    }),
    /** Stores a full page. */
    async full(): Promise<void> {
      if (hashes.count >= PAGE || rejected.length >= PAGE) await page()
    },
    async end(): Promise<void> {
      if (sample !== null) begin()
      if (!failed) await page()
    },
  }

  async function page(): Promise<void> {
    const members = hashes.take()
    const given = rejected
    rejected = []
    if (members.length > 0 || given.length > 0) await store({ members, rejected: given }, { rows, rejected: refused, reasons })
  }
}

const sameName = (cell: string, asked: string): boolean => cell.trim().toLowerCase() === asked.trim().toLowerCase()
const isName = (asked: string, first: readonly string[]): boolean =>
  !POSITION.test(asked) && first.some((cell) => sameName(cell, asked))

const POSITION = /^\d{1,4}$/

/** The position of a column by its name or number; -1 for one that the file does not have. Digits are a number, also where a cell has them. */
function columnOf(asked: string, first: readonly string[]): number {
  if (POSITION.test(asked)) return Number(asked) < first.length ? Number(asked) : -1
  return first.findIndex((cell) => sameName(cell, asked))
}

/** Characters of a name that is answered. */
const LONGEST_NAME = 200

/** Name by which `columnOf` finds the column. */
function uniqueName(at: number, header: readonly string[]): string {
  const name = header[at] ?? ''
  return name !== '' &&
    !POSITION.test(name) &&
    name.length <= LONGEST_NAME &&
    header.filter((cell) => sameName(cell, name)).length === 1
    ? name
    : String(at)
}
