import { concat, fromBase64, fromHex, isSame, sha256, toBase64, type Bytes } from './bytes.ts'
import { completenessOf } from './completeness.ts'
import { isFirst, isHash, hashesOf } from './event-hash.ts'
import {
  endText,
  type Completeness,
  type ExportEnd,
  type ExportedEvent,
  type ExportFilters,
  type ExportManifest,
} from './export-format.ts'
import { createBlockHashes, linesOf } from './export-lines.ts'
import { createGrowingTree, leafHash, levelsBetween } from './growing-tree.ts'
import { NotSigned, readCheckpoint, readKey, readNote, type Checkpoint, type NoteKey, type Signer } from './notes.ts'
import { isEndLine, readLine } from './read-line.ts'

/** Findings in an export. `root`s are in base64. */
export type VerifiedExport = {
  /** No fault: every event is in the signed head as it stands here, and the file is what the log signed. */
  readonly valid: boolean
  /** Null while the manifest could not be read. */
  readonly origin: string | null
  /** The signed head; null when no given key signed it. */
  readonly head: { readonly size: number; readonly root: string } | null
  readonly signers: readonly Signer[]
  readonly created_at: string | null
  readonly events: number
  readonly first_position: string | null
  readonly last_position: string | null
  /** The range of leaves that was read: `from` up to, and without, `to`. */
  readonly leaves: { readonly from: number; readonly to: number } | null
  /** The tree just before the range, and at its end: equal to an earlier head of that size, the log has continued it. */
  readonly before: { readonly size: number; readonly root: string } | null
  readonly after: { readonly size: number; readonly root: string } | null
  readonly filters: ExportFilters | null
  readonly completeness: Completeness | null
  readonly personal: boolean
  /** The position after which the next export goes on; null when this one reaches its head, or has no signed end. */
  readonly next: string | null
  /** One sentence each: the first hundred. */
  readonly faults: readonly string[]
  /** Number of all faults. */
  readonly fault_count: number
}

const MOST_FAULTS = 100
/** Events whose hashes are computed at once. */
const PAGE = 512

/**
 * Verifies an export with public keys alone, in memory that grows with the number of streams, not of events. `keys`: verifier keys of the
 * log and of witnesses, `name+id+key`. `progress` gets the bytes that were read so far. Rejects only when the source cannot be read; whatever is wrong with the file is a fault.
 */
export async function verifyExport(
  source: ReadableStream<Uint8Array>,
  keys: readonly string[],
  progress: (read: number) => void = () => undefined,
): Promise<VerifiedExport> {
  const check = createCheck()
  let known: readonly NoteKey[] = []
  try {
    known = await Promise.all(keys.map(readKey))
  } catch (error) {
    check.fault(error instanceof NotSigned ? error.message : String(error))
  }
  try {
    for await (const { bytes, isCut } of linesOf(source, progress)) await check.line(bytes, isCut, known)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    check.fault(error.message)
  }
  return check.finish(known)
}

type Place = { readonly line: number; readonly event: ExportedEvent }

function createCheck() {
  const faults: string[] = []
  let faultCount = 0
  const fault = (text: string): void => {
    faultCount += 1
    if (faults.length < MOST_FAULTS) faults.push(text)
  }

  const blocks = createBlockHashes()
  const tree = createGrowingTree()
  const streams = createStreams(fault)
  let lines = 0
  let manifest: ExportManifest | null = null
  let head: Checkpoint | null = null
  let end: ExportEnd['end'] | null = null
  let endedBy: string | null = null
  let [events, expected] = [0, 0]
  let firstPosition: string | null = null
  let lastPosition: string | null = null
  /** The order of leaves is broken: the root would say nothing more. */
  let isBroken = false
  let before: VerifiedExport['before'] = null
  let after: VerifiedExport['after'] = null
  let waiting: Place[] = []

  async function line(bytes: Bytes, isCut: boolean, keys: readonly NoteKey[]): Promise<void> {
    if (end !== null) return fault(`line ${lines + 2} stands after the signed end`)
    if (endedBy !== null) return
    lines += 1
    if (isCut) return fault(`line ${lines} is cut off`)
    if (isEndLine(bytes)) {
      const read = readLine(bytes)
      if (read?.kind === 'end') end = read.end
      else fault(`line ${lines} is no line of an export`)
      lines -= 1
      return
    }
    await blocks.add(bytes, lines)
    const read = readLine(bytes)
    if (read === null || read.kind === 'end') return fault(`line ${lines} is no line of an export`)
    if (read.kind === 'manifest') return begin(read.manifest, keys)
    if (manifest === null) {
      if (lines === 1) fault('the first line is no manifest of an export')
      return
    }
    if (read.kind === 'fault') {
      endedBy = read.fault
      return fault(`the export was ended by the log itself: ${read.fault}`)
    }
    if (read.kind === 'skipped') await skip(read, manifest)
    else await add({ line: lines, event: read.event }, manifest)
  }

  async function begin(found: ExportManifest, keys: readonly NoteKey[]): Promise<void> {
    if (lines !== 1) return fault(`line ${lines} is a second manifest`)
    manifest = found
    streams.begin(found)
    try {
      head = await readCheckpoint(found.checkpoint, keys)
      if (head.size < found.leaves.to) fault(`the range ends at leaf ${found.leaves.to}, but the head has ${head.size} leaves`)
    } catch (error) {
      if (!(error instanceof NotSigned)) throw error
      fault(`the head of the manifest: ${error.message}`)
    }
    if (found.completeness !== completenessOf(found.filters))
      fault(`the manifest promises the completeness "${found.completeness}", which its filters do not have`)
    await mark()
  }

  async function add(place: Place, { leaves, completeness }: ExportManifest): Promise<void> {
    const { event } = place
    events += 1
    if (event.leaf !== expected) {
      isBroken = true
      fault(
        event.leaf > expected
          ? `${missing(expected, event.leaf, completeness)} before line ${place.line}`
          : `line ${place.line} (${nameOf(event)}) has leaf ${event.leaf}, which comes before leaf ${expected}: it is there twice, or out of order`,
      )
    }
    if (event.leaf < leaves.from || event.leaf >= leaves.to) fault(`line ${place.line} (${nameOf(event)}) is out of the range`)
    if (lastPosition !== null && BigInt(event.position) <= BigInt(lastPosition))
      fault(`line ${place.line} (${nameOf(event)}) has a position that does not follow the one before it`)
    firstPosition ??= event.position
    lastPosition = event.position
    expected = event.leaf + 1
    waiting.push(place)
    if (waiting.length >= PAGE || expected === leaves.to) await flush()
    await mark()
  }

  async function skip(
    { from, to, hashes }: { readonly from: number; readonly to: number; readonly hashes: readonly string[] },
    { leaves, completeness }: ExportManifest,
  ): Promise<void> {
    await flush()
    if (from !== expected) {
      isBroken = true
      fault(
        from > expected
          ? `${missing(expected, from, completeness)} before line ${lines}`
          : `line ${lines} skips leaf ${from} again, after leaf ${expected - 1}`,
      )
    }
    if (completeness === 'range' && from < leaves.to && to > leaves.from)
      fault(`${missing(Math.max(from, leaves.from), Math.min(to, leaves.to), completeness)}: line ${lines} leaves them out`)
    const levels = levelsBetween(from, to)
    const read = hashes.map(fromBase64)
    if (levels.length !== read.length || read.some((hash) => hash?.length !== 32)) {
      isBroken = true
      fault(`line ${lines} does not have the hashes of the leaves that it skips`)
    }
    expected = to
    if (isBroken) return
    for (const [i, level] of levels.entries()) {
      await tree.append(level, [read[i] ?? new Uint8Array()])
      await mark()
    }
  }

  /** Computes what waits, page by page. */
  async function flush(): Promise<void> {
    const page = waiting
    waiting = []
    if (page.length === 0) return
    const hashes = await Promise.all(page.map(({ event }) => hashesOf(event)))
    for (const [i, { line: number, event }] of page.entries()) {
      const found = hashes[i]
      if (found === undefined) continue
      if (!isHash(found.computed, event.hash) || (found.carried !== null && found.carried !== event.hash))
        fault(`line ${number} (${nameOf(event)}) is not what was stored: its hash is another`)
      streams.next(number, event, found.previous)
      if (manifest !== null && !matches(event, manifest.filters))
        fault(`line ${number} (${nameOf(event)}) does not match the filters of the manifest`)
    }
    if (isBroken) return
    // From the computed hash: a line cannot claim a leaf that is not its own.
    await tree.append(0, await Promise.all(hashes.map(({ computed }) => leafHash(computed))))
  }

  /** Keeps the roots at the two ends of the range. */
  async function mark(): Promise<void> {
    if (manifest === null || isBroken || waiting.length > 0) return
    const { from, to } = manifest.leaves
    if (before === null && tree.size() === from) before = { size: from, root: toBase64(await tree.root()) }
    if (after === null && tree.size() === to) after = { size: to, root: toBase64(await tree.root()) }
  }

  async function finish(keys: readonly NoteKey[]): Promise<VerifiedExport> {
    await flush()
    await mark()
    if (lines === 0 && end === null) fault('the file is empty')
    else if (manifest !== null && endedBy === null) {
      if (end === null) fault(`the file ends after line ${lines} without its signed end: it is cut off`)
      else await checkEnd(end, manifest, keys)
      await checkRoot()
    }
    return {
      valid: faultCount === 0,
      origin: head?.origin ?? (manifest === null ? null : (manifest.checkpoint.split('\n')[0] ?? null)),
      head: head === null ? null : { size: head.size, root: toBase64(head.root) },
      signers: head?.signers ?? [],
      created_at: manifest?.created_at ?? null,
      events,
      first_position: firstPosition,
      last_position: lastPosition,
      leaves: manifest?.leaves ?? null,
      before,
      after,
      filters: manifest?.filters ?? null,
      completeness: manifest?.completeness ?? null,
      personal: manifest?.personal ?? false,
      next: end?.next ?? null,
      faults,
      fault_count: faultCount,
    }
  }

  async function checkRoot(): Promise<void> {
    if (head === null || isBroken || end === null) return
    if (expected < head.size) fault(`${missing(expected, head.size, 'range')} at the end of the file`)
    else if (expected > head.size) fault(`the file has ${expected} leaves, and its head ${head.size}`)
    else if (!isSame(await tree.root(), head.root))
      fault('the lines do not give the root of the signed head: some event is not the one that the log has there')
  }

  async function checkEnd(found: ExportEnd['end'], { filters }: ExportManifest, keys: readonly NoteKey[]): Promise<void> {
    if (found.lines !== lines) fault(`the file has ${lines} lines before its end, which says ${found.lines}`)
    if (found.events !== events) fault(`the file has ${events} events, and its end says ${found.events}`)
    const { hashes, firstLines } = await blocks.all()
    const signed = found.blocks.map(fromBase64)
    const wrong = hashes.findIndex((hash, i) => !isSame(hash, signed[i] ?? new Uint8Array()))
    if (wrong !== -1 || signed.length !== hashes.length) {
      const [from, next] = [firstLines[wrong === -1 ? hashes.length - 1 : wrong], firstLines[wrong + 1]]
      fault(`lines ${from ?? 1} to ${next ?? lines} are not those that were signed`)
    }
    if (head === null) return
    const sum = toBase64(await sha256(concat(...signed.map((hash) => hash ?? new Uint8Array()))))
    const { origin, size, root } = head
    const text = endText({
      origin,
      size,
      root: toBase64(root),
      lines: found.lines,
      events: found.events,
      next: found.next,
      filters,
      sha256: sum,
    })
    try {
      const note = await readNote(found.note, keys)
      if (!note.signers.some(({ kind, name }) => kind === 'log' && name === origin))
        fault('no given key of this log signed the end of the file')
      else if (note.text !== text) fault('the signed end belongs to another file')
    } catch (error) {
      if (!(error instanceof NotSigned)) throw error
      fault(`the end of the file: ${error.message}`)
    }
  }

  return { fault, line, finish }
}

/** Versions of each stream, one after the other, each with the hash of the one before it. */
function createStreams(fault: (text: string) => void) {
  const last = new Map<string, { readonly version: number; readonly hash: Bytes }>()
  let [isWhole, isGapless] = [false, false]
  return {
    begin({ leaves, completeness }: ExportManifest): void {
      isWhole = completeness !== 'none' && leaves.from === 0
      isGapless = completeness !== 'none'
    },
    next(line: number, event: ExportedEvent, previous: string): void {
      const { stream, version } = event
      const found = last.get(stream)
      last.set(stream, { version, hash: fromHex(event.hash) })
      const name = `line ${line} (${nameOf(event)})`
      const follows = (found?.version ?? 0) + 1
      if (found !== undefined && version < follows) fault(`${name} comes after version ${found.version} of the same stream`)
      else if (version > follows && (found !== undefined ? isGapless : isWhole))
        fault(
          `${name}: ${version - follows === 1 ? `version ${follows} is` : `versions ${follows} to ${version - 1} are`} missing before it`,
        )
      else if (version === follows && !(found === undefined ? isFirst(previous) : isHash(found.hash, previous)))
        fault(`${name} does not follow the event before it in its stream`)
    },
  }
}

/** Whether an event is one that was asked for, as far as its own bytes say. */
function matches({ type, metadata }: ExportedEvent, { actor, types, from, to }: ExportFilters): boolean {
  if (types !== null && !types.includes(type)) return false
  if (actor === null && from === null && to === null) return true
  let meta: { readonly actor?: unknown; readonly at?: unknown }
  try {
    meta = JSON.parse(metadata)
  } catch {
    return false
  }
  const at = typeof meta.at === 'string' ? meta.at : ''
  return (actor === null || meta.actor === actor) && (from === null || at >= from) && (to === null || at < to)
}

const nameOf = ({ stream, version }: ExportedEvent): string => `${stream} version ${version}`

const missing = (from: number, to: number, completeness: Completeness): string => {
  const leaves = to - from === 1 ? `leaf ${from} is` : `leaves ${from} to ${to - 1} are`
  return completeness === 'range' && to - from === 1 ? `the event of leaf ${from} is missing` : `${leaves} missing`
}
