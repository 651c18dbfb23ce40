import { setTimeout as delay } from 'node:timers/promises'
import { Away } from '#eventstore/away'
import type { EventStore, Position, StoredEvent } from '#eventstore/event-store'
import { eventHash } from '#proof/event-hash'
import { consistencyPlan, HASH_BYTES, inclusionPlan, leafHash, rootRange, type Plan, type Subtree } from '#proof/log/merkle'
import { edgesOf, extended, hashesOf, TILE_WIDTH, TreeFault, tilesOf, type Tile } from '#proof/log/tiles'
import type { LogTreeStore, TreeState } from './log-port.ts'

/** Events that are added, or compared, at once. */
const PAGE = 1000
/** How long a call waits for the tree to include an event that is committed, milliseconds. */
const WITHIN_MS = 8000
/** Pause while an open transaction may still fill a hole before that event. */
const HOLE_MS = 20

export type LogTreeDeps = {
  readonly store: Pick<EventStore, 'readAll' | 'head'>
  readonly tree: LogTreeStore
}
export type LogTree = ReturnType<typeof createLogTree>

/** Where a comparison is after a page. */
type Compared = TreeState['checked'] & { readonly fault: string | null; readonly isOver: boolean }

/** The leaf of an event: the hash of its hash, as bytes. */
const leafOf = (event: StoredEvent): Buffer => leafHash(Buffer.from(eventHash(event), 'hex'))

/**
 * The Merkle tree over every event in the order of positions. Any process may add to it: the stored tree decides who was first. Nothing
 * ever rebuilds it: a tree that contradicts the log is evidence, and is reported.
 */
export function createLogTree({ store, tree }: LogTreeDeps) {
  /** Adds the next page; false when nothing more is certain. */
  async function addPage(): Promise<boolean> {
    const from = await tree.state()
    const { events, upTo } = await store.readAll(from.position, PAGE)
    if (upTo <= from.position) return false
    const leaves = events.map(leafOf)
    const [eventIds, edges] = [events.map(({ id }) => id), edgesOf(from.size)]
    const extend = (tiles: readonly Tile[]) => extended(from.size, tiles, leaves)
    try {
      await tree.append({ from, upTo, eventIds, edges, extend })
    } catch (error) {
      if (!(error instanceof TreeFault)) throw error
      // Stays as it is: it is evidence.
      await tree.faulty(error.message)
      return false
    }
    return true
  }

  async function hashes(plan: Plan): Promise<readonly Buffer[]> {
    return hashesOf(plan, await tree.tiles(tilesOf(plan)))
  }

  return {
    /** Adds what is certain in the log, at most so many pages. */
    async follow(pages: number): Promise<void> {
      for (let added = 0; added < pages; added++) if (!(await addPage())) return
    },

    /** Resolves once the tree has every event up to a position. Throws Away when that takes too long. */
    async reach(position: Position): Promise<void> {
      const deadline = performance.now() + WITHIN_MS
      while ((await tree.state()).position < position) {
        if (await addPage()) continue
        if (performance.now() > deadline) throw new Away('the transparency log')
        await delay(HOLE_MS)
      }
    },

    /** Root of the tree when it had this size. */
    async root(size: number): Promise<Buffer> {
      const [root = Buffer.alloc(0)] = await hashes([rootRange(size)])
      return root
    },

    /** Hashes of complete subtrees of the tree. */
    subtrees: (wanted: readonly Subtree[]): Promise<readonly Buffer[]> => hashes(wanted.map((subtree) => [subtree])),

    inclusion: (index: number, size: number): Promise<readonly Buffer[]> => hashes(inclusionPlan(index, size)),
    consistency: (first: number, second: number): Promise<readonly Buffer[]> => hashes(consistencyPlan(first, second)),

    /**
     * Compares the next page of events with the leaves that they had, and starts again at the end: an event that was altered, removed or
     * inserted later is found within one round. Returns the fault, or null.
     */
    async compareNext(): Promise<string | null> {
      const state = await tree.state()
      const { fault, isOver, ...to } = await comparePage(state, state.checked)
      if (fault !== null) await tree.faulty(fault)
      else if (isOver) await tree.agrees()
      else await tree.checked(to)
      return fault
    },

    /** Compares the whole tree, as it is now, with the log, and stores nothing. Returns the first fault, or null. */
    async compareAll(): Promise<string | null> {
      const state = await tree.state()
      let at: Compared = { size: 0, position: 0n, fault: null, isOver: false }
      while (at.fault === null && !at.isOver) {
        const next = await comparePage(state, at)
        if (next.position === at.position) await delay(HOLE_MS)
        at = next
      }
      return at.fault
    },
  }

  async function comparePage(
    { size, position }: Pick<TreeState, 'size' | 'position'>,
    from: TreeState['checked'],
  ): Promise<Compared> {
    const page = await store.readAll(from.position, PAGE)
    const events = page.events.filter((event) => event.position <= position)
    const stored = await leavesFrom(from.size, Math.min(events.length, size - from.size))
    const wrong = events.findIndex((event, i) => stored[i] === undefined || !leafOf(event).equals(stored[i]))
    const event = events[wrong]
    const to = { size: from.size + events.length, position: page.upTo }
    // A reader that has just started waits at each hole in the log: only the head says that nothing follows.
    const isWaiting = page.upTo <= from.position && page.upTo < position
    const isCut = isWaiting && (await store.head()) < position
    const isOver = page.upTo >= position || isCut
    if (event !== undefined) {
      const fault = `leaf ${from.size + wrong} is not event ${event.id} at position ${event.position} as it is stored now`
      return { ...to, isOver, fault }
    }
    const fault = isOver && to.size < size ? `the log ends after ${to.size} events, and the tree has ${size}` : null
    return { ...to, isOver, fault }
  }

  async function leavesFrom(first: number, count: number): Promise<readonly Buffer[]> {
    if (count <= 0) return []
    const firstTile = Math.floor(first / TILE_WIDTH)
    const lastTile = Math.floor((first + count - 1) / TILE_WIDTH)
    const addresses = Array.from({ length: lastTile - firstTile + 1 }, (_, i) => ({ level: 0, index: firstTile + i }))
    const tiles = new Map((await tree.tiles(addresses)).map(({ index, hashes }) => [index, hashes]))
    return Array.from({ length: count }, (_, i) => {
      const [index, at] = [Math.floor((first + i) / TILE_WIDTH), ((first + i) % TILE_WIDTH) * HASH_BYTES]
      return tiles.get(index)?.subarray(at, at + HASH_BYTES) ?? Buffer.alloc(0)
    })
  }
}
