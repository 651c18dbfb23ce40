import { setTimeout as delay } from 'node:timers/promises'
import type { EventStore, Position, StoredEvent } from '#eventstore/event-store'
import { eventHash, previousHashOf } from '#proof/event-hash'
import { GENESIS, unsealed } from '#proof/hash-chain'
import { HASH_BYTES, leafHash } from '#proof/log/merkle'
import { edgesOf, rootOfTile, TILE_WIDTH } from '#proof/log/tiles'
import type { LogTreeStore, TreeState } from './log-port.ts'

/** Fault of the log, its tree or its heads. */
export type LogFault = {
  readonly check: 'chain' | 'tree' | 'heads'
  readonly message: string
  readonly stream?: string
  readonly version?: number
  readonly position?: string
  readonly event_id?: string
  readonly leaf?: number
}

/** How far a verification has come: the position after which it goes on. */
export type LogProgress = { readonly position: Position; readonly events: number }

export type VerifyLogDeps = {
  readonly store: Pick<EventStore, 'head' | 'readAll' | 'readStream' | 'scan'>
  readonly tree: Pick<LogTreeStore, 'eventsAt' | 'indexesOf' | 'state' | 'tiles'>
  /** Called after each page, whose faults were yielded. */
  readonly onPage?: (progress: LogProgress) => Promise<void>
}

/** Streams whose last hashes are remembered: the event before one of another stream is read. */
const REMEMBERED = 200_000
/** Most leaves without an event that wait for it to appear later in the log. */
const MOST_MISSING = 100_000
/** Pause while an open transaction may still fill a hole, milliseconds. */
const HOLE_MS = 20

/**
 * Verifies every event after a position against the event before it in its stream and against its leaf of the tree, in memory that does not
 * grow with the log. What the tree does not have yet is verified by its chain alone.
 */
export async function* verifyLog({ store, tree, onPage }: VerifyLogDeps, after: Position): AsyncGenerator<LogFault> {
  const state = await tree.state()
  const head = await store.head()
  const chain = createChain(store)
  const leaves = createLeaves(tree, state, await leafAfter(store, tree, after, state.size))
  let [position, events] = [after, 0]
  while (position < head) {
    for await (const page of store.scan(position)) {
      const hashed = page.events.map((event): Hashed => ({ event, hash: eventHash(event) }))
      const found = await Promise.all([chain.faultsOf(hashed), leaves.faultsOf(hashed)])
      yield* found.flat()
      events += page.events.length
      position = page.upTo
      await onPage?.({ position, events })
      if (position >= head) break
    }
    // A hole that a transaction may still fill ends the scan before the head.
    if (position < head) await delay(HOLE_MS)
    if (position < head && (await store.head()) < head) break
  }
  yield* await leaves.rest()
}

async function leafAfter(
  store: VerifyLogDeps['store'],
  tree: VerifyLogDeps['tree'],
  after: Position,
  size: number,
): Promise<number> {
  if (after === 0n) return 0
  const { events } = await store.readAll(after, 1)
  const [index] = await tree.indexesOf(events.map(({ id }) => id))
  return index ?? size
}

/** An event with the hash of its stored bytes. */
type Hashed = { readonly event: StoredEvent; readonly hash: string }

const placeOf = ({ stream, version, position, id }: StoredEvent) => ({
  stream,
  version,
  position: String(position),
  event_id: id,
})
const nameOf = ({ stream, version }: StoredEvent): string => `${stream} version ${version}`

/** Each event against the one before it in its stream (fine print 23). */
function createChain(store: Pick<EventStore, 'readStream'>) {
  const last = new Map<string, { readonly version: number; readonly hash: string }>()

  /** Reads the events before those whose stream is not remembered, at once. */
  async function remember(events: readonly StoredEvent[]): Promise<void> {
    if (last.size > REMEMBERED) last.clear()
    const first = new Map<string, StoredEvent>()
    for (const event of events) if (!last.has(event.stream) && !first.has(event.stream)) first.set(event.stream, event)
    await Promise.all(
      [...first.values()].map(async ({ stream, version }) => {
        const [before] = version > 1 ? await store.readStream(stream, version - 2, 1) : []
        if (before !== undefined && before.version < version)
          last.set(stream, { version: before.version, hash: unsealed(before.metadata)?.hash ?? eventHash(before) })
      }),
    )
  }

  return {
    async faultsOf(events: readonly Hashed[]): Promise<readonly LogFault[]> {
      await remember(events.map(({ event }) => event))
      const faults: LogFault[] = []
      for (const { event, hash } of events) {
        const report = (message: string) =>
          faults.push({ check: 'chain', message: `${nameOf(event)} ${message}`, ...placeOf(event) })
        const before = last.get(event.stream) ?? { version: 0, hash: GENESIS }
        const sealed = unsealed(event.metadata)
        last.set(event.stream, { version: event.version, hash: sealed?.hash ?? hash })
        if (event.version <= before.version) report(`comes after version ${before.version} of its stream`)
        else if (event.version > before.version + 1)
          report(`: ${missing(before.version + 1, event.version - 1)} missing before it`)
        else if (previousHashOf(event.metadata) !== before.hash) report('does not follow the event before it')
        if (sealed === null) report('carries no hash')
        else if (hash !== sealed.hash) report('is not what was written')
      }
      return faults
    },
  }
}

const missing = (from: number, to: number): string => (from === to ? `version ${from} is` : `versions ${from} to ${to} are`)

/** Each event against its leaf, and the leaves against the events. */
function createLeaves(tree: VerifyLogDeps['tree'], { size, position }: TreeState, first: number) {
  let next = first
  /** Leaves before the next one whose events were not found yet, with the event that stands before them; null once that is named. */
  const waiting = new Map<number, { event: StoredEvent | null }>()

  async function missingLeaf(leaf: number): Promise<LogFault> {
    const [event_id] = await tree.eventsAt(leaf, leaf + 1)
    const name = event_id === undefined ? 'the event' : `event ${event_id}`
    return {
      check: 'tree',
      message: `${name} of leaf ${leaf} is missing in the log`,
      leaf,
      ...(event_id === undefined ? {} : { event_id }),
    }
  }

  return {
    async faultsOf(page: readonly Hashed[]): Promise<readonly LogFault[]> {
      const events = page.filter(({ event }) => event.position <= position)
      if (events.length === 0) return []
      const indexes = await tree.indexesOf(events.map(({ event }) => event.id))
      const stored = await leavesOf(tree, indexes, next, events.length)
      const faults: LogFault[] = []
      for (const [i, { event, hash }] of events.entries()) {
        const report = (message: string, leaf?: number, of = event) =>
          faults.push({
            check: 'tree',
            message: `${nameOf(of)} at position ${of.position} ${message}`,
            ...placeOf(of),
            ...(leaf === undefined ? {} : { leaf }),
          })
        const own = leafHash(Buffer.from(hash, 'hex'))
        const index = indexes[i] ?? null
        if (index === null || index >= size) {
          // Its leaf may be there although the index of leaves has lost it.
          if (next < size && stored(next)?.equals(own) === true) {
            report(`has no entry in the index of leaves, and leaf ${next} is its own`, next)
            next += 1
          } else report('is not in the tree: it was added later, or is another than the one that was there')
          continue
        }
        const skippedBy = waiting.get(index)
        if (index >= next) {
          const early: { event: StoredEvent | null } = { event }
          for (let leaf = next; leaf < index; leaf++)
            if (waiting.size < MOST_MISSING) waiting.set(leaf, early)
            else faults.push(await missingLeaf(leaf))
          next = index + 1
        } else if (skippedBy !== undefined) {
          waiting.delete(index)
          report(`is not in its place: its leaf ${index} comes earlier`, index)
          if (skippedBy.event !== null)
            report(`stands before ${nameOf(event)}, whose leaf comes earlier`, undefined, skippedBy.event)
          skippedBy.event = null
        } else report(`is there twice, or its leaf ${index} belongs to another event`, index)
        if (stored(index)?.equals(own) !== true) report(`is not what leaf ${index} has`, index)
      }
      return faults
    },

    /** Leaves whose events never came. */
    async rest(): Promise<readonly LogFault[]> {
      const faults: LogFault[] = []
      for (const leaf of waiting.keys()) faults.push(await missingLeaf(leaf))
      if (next >= size) return faults
      const cut = Math.min(size, next + 100)
      for (let leaf = next; leaf < cut; leaf++) faults.push(await missingLeaf(leaf))
      faults.push({ check: 'tree', message: `the log ends after ${next} events, and the tree has ${size}`, leaf: next })
      return faults
    },
  }
}

/** Stored hashes of these leaves, and of those from `next` on. */
async function leavesOf(
  tree: VerifyLogDeps['tree'],
  indexes: readonly (number | null)[],
  next: number,
  count: number,
): Promise<(leaf: number) => Buffer | undefined> {
  const wanted = new Set([next, next + count].map((leaf) => Math.floor(leaf / TILE_WIDTH)))
  for (const index of indexes) if (index !== null) wanted.add(Math.floor(index / TILE_WIDTH))
  const tiles = await tree.tiles([...wanted].map((index) => ({ level: 0, index })))
  const byIndex = new Map(tiles.map(({ index, hashes }) => [index, hashes]))
  return (leaf) => {
    const at = (leaf % TILE_WIDTH) * HASH_BYTES
    const hash = byIndex.get(Math.floor(leaf / TILE_WIDTH))?.subarray(at, at + HASH_BYTES)
    return hash?.length === HASH_BYTES ? hash : undefined
  }
}

/** Tiles that are read at once. */
const TILES_AT_ONCE = 256

/** Verifies that every tile has the hashes of the tiles below it, and that none is missing or of another size. */
export async function* verifyTiles(tree: Pick<LogTreeStore, 'tiles' | 'state'>): AsyncGenerator<LogFault> {
  const { size } = await tree.state()
  const edges = new Set(edgesOf(size).map(({ level, index }) => `${level}/${index}`))
  for (let level = 0, width = size; width > 0; level++, width = Math.floor(width / TILE_WIDTH)) {
    const count = Math.ceil(width / TILE_WIDTH)
    for (let from = 0; from < count; from += TILES_AT_ONCE) {
      const indexes = Array.from({ length: Math.min(TILES_AT_ONCE, count - from) }, (_, i) => from + i)
      const tiles = new Map(
        (await tree.tiles(indexes.map((index) => ({ level, index })))).map((tile) => [tile.index, tile.hashes]),
      )
      const [above] = await tree.tiles([{ level: level + 1, index: from / TILE_WIDTH }])
      for (const index of indexes) {
        const hashes = tiles.get(index)
        const expected = edges.has(`${level}/${index}`) ? width % TILE_WIDTH : TILE_WIDTH
        const name = `tile ${level}/${index}`
        if (hashes?.length !== expected * HASH_BYTES)
          yield { check: 'tree', message: `${name} has ${(hashes?.length ?? 0) / HASH_BYTES} hashes instead of ${expected}` }
        else if (expected === TILE_WIDTH) {
          const at = (index % TILE_WIDTH) * HASH_BYTES
          if (above?.hashes.subarray(at, at + HASH_BYTES).equals(rootOfTile(hashes)) !== true)
            yield { check: 'tree', message: `${name} does not give the hash that the tile above it has` }
        }
      }
    }
  }
}
