import { readMetadata } from '#domain/kit/event-metadata'
import type { EventStore, Position, StoredEvent } from '#eventstore/event-store'
import type { PersonalData } from '#commands/identity/personal-data'
import { eventHash } from '#proof/event-hash'
import { leafHash, subtreesBetween, type Subtree } from '#proof/log/merkle'
import { TreeFault } from '#proof/log/tiles'
import { completenessOf } from '#proof/offline/completeness'
import {
  EXPORT_VERSION,
  type ExportedEvent,
  type ExportFault,
  type ExportFilters,
  type ExportManifest,
  type SkippedLeaves,
} from '#proof/offline/export-format'
import { createEventPlaces, type StreamPlace } from './event-places.ts'
import { createExportText } from './export-text.ts'
import { published } from './log-heads.ts'
import type { CosignedHead, LogHeadStore, LogTreeStore } from './log-port.ts'
import type { LogTree } from './log-tree.ts'

export type ExportDeps = {
  readonly store: Pick<EventStore, 'readAll' | 'readStream' | 'scan'>
  readonly tree: Pick<LogTreeStore, 'indexOf' | 'state'>
  readonly log: Pick<LogTree, 'subtrees'>
  /** Signs a head that has every event committed by now. */
  readonly signNow: () => Promise<CosignedHead>
  readonly heads: Pick<LogHeadStore, 'keys' | 'signers'>
  readonly reveal: PersonalData['reveal']
  readonly now: () => string
}

export type ExportRequest = {
  /** Positions: events after `after`, up to and including `upTo`; null for the end of the log. */
  readonly after: Position
  readonly upTo: Position | null
  /** Most events that are read, whatever the filters keep of them; null for all. */
  readonly limit: number | null
  readonly filters: ExportFilters
  /** Adds personal values in plain text. */
  readonly personal: boolean
}

/** The range of leaves that is read. */
type Range = { readonly from: number; readonly to: number }

/** Events that are printed at once: hashing and printing more would keep the process from answering others. */
const AT_ONCE = 250

/**
 * The signed export of a range of the log (docs/proof.md), page by page: nothing of a page is kept but the hashes of what was printed. A log
 * that is not what its head says ends the export with that fault and without a signature.
 */
export const createExporter =
  (deps: ExportDeps) =>
  (request: ExportRequest): AsyncGenerator<Buffer> =>
    exportLog(deps, request)

async function* exportLog(deps: ExportDeps, request: ExportRequest): AsyncGenerator<Buffer> {
  const head = await deps.signNow()
  const { origin } = await deps.tree.state()
  const range = await rangeOf(deps, request, head.size).catch(orFault)
  const { from, to } = range instanceof TreeFault ? { from: head.size, to: head.size } : range
  const text = createExportText()
  const manifest: ExportManifest = {
    placard_export: EXPORT_VERSION,
    created_at: deps.now(),
    checkpoint: published(head),
    keys: (await deps.heads.keys()).map(({ verifier_key }) => verifier_key),
    leaves: { from, to },
    filters: request.filters,
    completeness: completenessOf(request.filters),
    personal: request.personal,
  }
  let events = 0
  let last = request.after
  try {
    if (range instanceof TreeFault) throw range
    yield text.print([manifest, ...(await skippedLines(deps, 0, from))])
    for await (const page of pagesOf(deps, request, range)) {
      events += page.events
      last = page.position
      if (page.lines.length > 0) yield text.print(page.lines)
    }
    if (to < head.size) yield text.print(await skippedLines(deps, to, head.size))
  } catch (error) {
    const fault: ExportFault = { fault: orFault(error).message }
    return yield text.print(range instanceof TreeFault ? [manifest, fault] : [fault])
  }
  const { size, root } = head
  const next = to < size ? String(last) : null
  const signers = await deps.heads.signers(origin)
  return yield text.end({ origin, size, root: root.toString('base64'), events, next, filters: request.filters }, signers)
}

/** Only what the tree and the log say of each other is a fault of the log. */
function orFault(error: unknown): TreeFault {
  if (error instanceof TreeFault) return error
  throw error
}

async function rangeOf(deps: ExportDeps, { after, upTo, limit }: ExportRequest, size: number): Promise<Range> {
  const from = after === 0n ? 0 : await leafAfter(deps, after, size)
  const end = upTo === null ? size : await leafAfter(deps, upTo, size)
  const to = limit === null ? end : Math.min(end, from + limit)
  return { from, to: Math.max(from, to) }
}

/** The leaf of the first event after a position; the size of the head when that has none. */
async function leafAfter({ store, tree }: ExportDeps, after: Position, size: number): Promise<number> {
  const { position } = await tree.state()
  for (let at = after; ;) {
    const { events, upTo } = await store.readAll(at, 1)
    const [first] = events
    if (first !== undefined) {
      const leaf = await tree.indexOf(first.id)
      if (leaf === null && first.position <= position)
        throw new TreeFault(`event ${first.id} (${first.stream} version ${first.version}) is not in the tree`)
      return Math.min(leaf ?? size, size)
    }
    if (upTo <= at) return size
    at = upTo
  }
}

type PrintedPage = {
  readonly lines: readonly (ExportedEvent | SkippedLeaves)[]
  readonly events: number
  readonly position: Position
}

/** The lines of the range. Throws TreeFault where the log is not what the tree has. */
async function* pagesOf(deps: ExportDeps, request: ExportRequest, { from, to }: Range): AsyncGenerator<PrintedPage> {
  const places = createEventPlaces(deps.store)
  const byPlace = request.filters.white_label !== null || request.filters.space !== null
  let [leaf, printed] = [from, from]
  if (leaf === to) return
  for await (const page of deps.store.scan(request.after)) {
    const all = page.events.slice(0, to - leaf)
    for (let start = 0; start < all.length; start += AT_ONCE) {
      const events = all.slice(start, start + AT_ONCE)
      const known = byPlace ? await places(events) : null
      const kept: Kept[] = []
      const gaps: Gap[] = []
      for (const event of events) {
        if (isKept(event, known?.get(event.stream), request.filters)) {
          kept.push({ event, leaf })
          gaps.push([printed, leaf])
          printed = leaf + 1
        }
        leaf += 1
      }
      if (leaf === to) gaps.push([printed, to])
      yield {
        lines: await linesOf(deps, kept, gaps, request.personal),
        events: kept.length,
        position: events.at(-1)?.position ?? page.upTo,
      }
    }
    if (leaf === to) return
  }
  throw new TreeFault(`the log ends after ${leaf} events, and the tree has ${to}`)
}

/** Leaves without a line: from the first up to, and without, the second. */
type Gap = readonly [from: number, to: number]
type Kept = { readonly event: StoredEvent; readonly leaf: number }

/** Lines of events, each after the gap before it, and the gap after the last one. */
async function linesOf(
  deps: ExportDeps,
  kept: readonly Kept[],
  gaps: readonly Gap[],
  personal: boolean,
): Promise<readonly (ExportedEvent | SkippedLeaves)[]> {
  const leaves = kept.map(({ leaf }): Subtree => ({ level: 0, index: leaf }))
  const inGaps = gaps.map(([from, to]) => subtreesBetween(from, to))
  // In one read: most of them are in the same few tiles.
  const hashes = await deps.log.subtrees([...leaves, ...inGaps.flat()])
  const stored = personal ? kept.map(({ event }) => parsed(event.data)) : []
  const revealed = await deps.reveal(stored)
  const lines: (ExportedEvent | SkippedLeaves)[] = []
  let next = leaves.length
  for (const [i, gap] of gaps.entries()) {
    const count = inGaps[i]?.length ?? 0
    if (count > 0) lines.push(skipped(gap, hashes.slice(next, next + count)))
    next += count
    const one = kept[i]
    if (one === undefined) continue
    const hash = eventHash(one.event)
    if (hashes[i]?.equals(leafHash(Buffer.from(hash, 'hex'))) !== true)
      throw new TreeFault(
        `leaf ${one.leaf} is not event ${one.event.id} (${one.event.stream} version ${one.event.version}) as it is stored now`,
      )
    // The same value where nothing was revealed.
    lines.push(eventLine(one, hash, revealed[i] === stored[i] ? undefined : revealed[i]))
  }
  return lines
}

async function skippedLines({ log }: ExportDeps, from: number, to: number): Promise<readonly SkippedLeaves[]> {
  return from < to ? [skipped([from, to], await log.subtrees(subtreesBetween(from, to)))] : []
}

const skipped = ([from, to]: Gap, hashes: readonly Buffer[]): SkippedLeaves => ({
  skipped: { from, to, hashes: hashes.map((hash) => hash.toString('base64')) },
})

function eventLine({ event, leaf }: Kept, hash: string, revealed: unknown): ExportedEvent {
  const { position, stream, version, id, type, schemaVersion, data, metadata } = event
  const stored = { stream, version, event_id: id, type, schema_version: schemaVersion, data, metadata, hash }
  return { leaf, position: String(position), ...stored, ...(revealed === undefined ? {} : { revealed }) }
}

const parsed = (data: string): unknown => JSON.parse(data)

function isKept(event: StoredEvent, place: StreamPlace | undefined, filters: ExportFilters): boolean {
  const { white_label, space, actor, types, from, to } = filters
  if (white_label !== null && place?.whiteLabel !== white_label) return false
  if (space !== null && place?.space !== space) return false
  if (types !== null && !types.includes(event.type)) return false
  if (actor === null && from === null && to === null) return true
  const meta = readMetadata(event.metadata)
  return (actor === null || meta.actor === actor) && (from === null || meta.at >= from) && (to === null || meta.at < to)
}
