import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReceivedSoFar, RejectedRow, Bucketed } from './audience-port.ts'
import { createHashes } from './hashes.ts'
import { createIdentifierHash } from './identifier-hash.ts'
import { recognise, SAMPLE_ROWS } from '#domain/audience/columns'
import { hashedText, readIdentifier, type ColumnKind, type RowRejection } from '#domain/audience/identifiers'
import { createRecords } from './csv-records.ts'

/** Hashes that are stored in one page. */
const PAGE = 65_536
/** Rejected rows that are kept with their numbers; all of them are counted. */
const REJECTED_KEPT = 100_000
export type FileSettings = {
  readonly key: Buffer
  /** Name of the column, or its position from 0; null to recognise it. */
  readonly column: string | null
  readonly kind: ColumnKind | null
  /** Stores a page of members before more is read: at most one page is in memory. */
  readonly store: (
    page: { readonly members: readonly Bucketed[]; readonly rejected: readonly RejectedRow[] },
    soFar: ReceivedSoFar,
  ) => Promise<void>
}

export type ReadFile = ReceivedSoFar & {
  readonly bytes: number
  /** Of the content. */
  readonly sha256: Buffer
  /** False when the content is not CSV, or its column does not exist. */
  readonly readable: boolean
}

/** After so long other calls have their turn, milliseconds: a file may have 25 million rows. */
const TURN_MS = 10

/** Reads a CSV file as it arrives. Nothing of it is kept but hashes, and numbers of rejected rows. */
export async function readAudienceFile(chunks: AsyncIterable<Buffer>, settings: FileSettings): Promise<ReadFile> {
  const rows = createRows(settings)
  const digest = createHash('sha256')
  let bytes = 0
  const records = createRecords((record) => rows.add(record))
  let turnEnds = performance.now() + TURN_MS
  for await (const chunk of chunks) {
    if (performance.now() >= turnEnds) {
      await nextTurn()
      turnEnds = performance.now() + TURN_MS
    }
    bytes += chunk.length
    digest.update(chunk)
    if (records.failed() || rows.failed()) continue
    records.write(chunk)
    await rows.full()
  }
  records.end()
  await rows.end()
  return { ...rows.soFar(), bytes, sha256: digest.digest(), readable: !records.failed() && !rows.failed() }
}

function createRows({ key, column, kind, store }: FileSettings) {
  const hashes = createHashes()
  const hashOf = createIdentifierHash(key)
  const reasons: { [Reason in RowRejection]?: number } = {}
  let sample: (readonly string[])[] | null = []
  let at: { readonly column: number; readonly kind: ColumnKind } | null = null
  let rejected: RejectedRow[] = []
  let kept = 0
  /** Records of the file, its header included. */
  let records = 0
  let rows = 0
  let refused = 0
  let failed = false

  function take(cell: string, as: ColumnKind, number: number): void {
    rows += 1
    const read = readIdentifier(cell, as)
    if (read.kind !== 'rejected') return hashes.add(hashOf(hashedText(read.kind, read.value)))
    refused += 1
    reasons[read.reason] = (reasons[read.reason] ?? 0) + 1
    if (kept >= REJECTED_KEPT) return
    kept += 1
    rejected.push([number, read.reason])
  }

  /** Finds the column in the first rows, and reads them. */
  function begin(): void {
    const first = sample ?? []
    sample = null
    const found = recognise(first)
    // Without a column of identifiers, the first one shows what its rows are rejected for.
    const chosen = column === null ? (found.column ?? 0) : columnOf(column, first[0] ?? [])
    if (chosen === -1) {
      failed = true
      return
    }
    // A kind that is recognised in the first rows must not reject the other kind further down.
    at = { column: chosen, kind: kind ?? 'any' }
    const skipped = found.header ? 1 : 0
    for (const [n, row] of first.slice(skipped).entries()) take(row[chosen] ?? '', at.kind, n + 1 + skipped)
  }

  return {
    add(record: readonly string[]): void {
      records += 1
      if (sample !== null) {
        sample.push(record)
        if (sample.length > SAMPLE_ROWS) begin()
      } else if (at !== null) take(record[at.column] ?? '', at.kind, records)
    },
    /** True when the file does not have the column. */
    failed: () => failed,
    soFar: (): ReceivedSoFar => ({ rows, rejected: refused, reasons }),
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

/** The position of a column by its name or number; -1 for one that the file does not have. */
function columnOf(asked: string, first: readonly string[]): number {
  const byName = first.findIndex((cell) => cell.trim().toLowerCase() === asked.trim().toLowerCase())
  if (byName !== -1) return byName
  return /^\d{1,4}$/.test(asked) && Number(asked) < first.length ? Number(asked) : -1
}
