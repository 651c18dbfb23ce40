import { createHash } from 'node:crypto'
import { createExporter } from '#commands/audit/export-log'
import type { ExportRequest } from '#commands/audit/export-log'
import { createLogHeads } from '#commands/audit/log-heads'
import type { CosignedHead, LogHeadStore, LogTreeStore, TileAddress, TreeState } from '#commands/audit/log-port'
import { createLogTree } from '#commands/audit/log-tree'
import type { EventStore, NewEvent, StoredEvent } from '#eventstore/event-store'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { GENESIS, hashOf, sealed } from '#proof/hash-chain'
import { noteSigner } from '#proof/log/signed-note'
import type { Tile } from '#proof/log/tiles'

export const NO_FILTERS: ExportRequest['filters'] = {
  white_label: null,
  space: null,
  actor: null,
  types: null,
  from: null,
  to: null,
}
const WHOLE_LOG: ExportRequest = { after: 0n, upTo: null, limit: null, filters: NO_FILTERS, personal: false }

/** A log with its tree and heads in memory, for tests that need many of them. */
export function createMemoryLog(origin = 'ads.example/log') {
  const store = createMemoryEventStore()
  const signer = noteSigner(origin, Buffer.alloc(32, 7))
  const tree = createMemoryTree(origin)
  const log = createLogTree({ store, tree })
  const heads = createMemoryHeads(signer)
  const ends = new Map<string, { readonly version: number; readonly hash: string }>()
  const { signNow } = createLogHeads({ store, tree, log, heads, witnesses: [] })

  /** Appends an event with its hash, as every write does. */
  async function append(stream: string, type: string, data: object, at = '2026-11-01T08:00:00.000Z', actor = 'ada') {
    const { version, hash } = ends.get(stream) ?? { version: 0, hash: GENESIS }
    const id = idOf(`${stream} ${version}`)
    const event: Omit<NewEvent, 'metadata'> = { id, type, schemaVersion: 1, data: JSON.stringify(data) }
    const text = JSON.stringify({ actor, at, revision: version + 1, index: 0, of: 1, previous_hash: hash })
    const next = hashOf(hash, { ...event, stream, version: version + 1 }, text)
    ends.set(stream, { version: version + 1, hash: next })
    await store.append({ stream, expected: version, events: [{ ...event, metadata: sealed(text, next) }] })
  }

  const deps = { tree, log, signNow, heads, now: () => '2026-11-02T00:00:00.000Z' }
  const reveal = async <T>(value: T): Promise<T> => value

  return {
    store,
    tree,
    log,
    heads,
    signer,
    key: signer.verifierKey,
    append,
    signNow,
    /** An export as the lines of its file, of this log or of another one that took its place. */
    async exported(request: Partial<ExportRequest> = {}, of: EventStore = store): Promise<readonly string[]> {
      const parts: Buffer[] = []
      const exporter = createExporter({ ...deps, store: of, reveal })
      for await (const part of exporter({ ...WHOLE_LOG, ...request })) parts.push(part)
      return Buffer.concat(parts).toString().split('\n').slice(0, -1)
    },
  }
}
export type MemoryLog = ReturnType<typeof createMemoryLog>

/** Events of accounts and campaigns of two white-labels, one after the other. */
export async function filledLog(count: number): Promise<MemoryLog> {
  const log = createMemoryLog()
  for (let i = 0; i < count; i++) {
    const place = { whitelabel_id: `w${i % 2}`, space_id: `s${i % 3}` }
    const stream = `campaign-${i % 7}`
    const type = i < 7 ? 'CampaignCreated' : i % 5 === 0 ? 'CampaignSwitchedOff' : 'CampaignSwitchedOn'
    await log.append(stream, type, i < 7 ? place : { note: `ü ${i}` }, instant(i), i % 4 === 0 ? 'bob' : 'ada')
  }
  return log
}

/** The instant of an event of `filledLog`: a minute after the one before it. */
export const instant = (i: number): string => new Date(Date.parse('2026-11-01T00:00:00.000Z') + i * 60_000).toISOString()

/** A file as a stream of bytes, in pieces of this size. */
export function streamOfText(text: string | Buffer, size = 1000): ReadableStream<Uint8Array> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)))
      at += size
    },
  })
}

function createMemoryTree(origin: string): LogTreeStore & { readonly put: (tile: Tile) => void } {
  const tiles = new Map<string, Tile>()
  const leaves = new Map<string, number>()
  const key = ({ level, index }: TileAddress) => `${level}/${index}`
  const read = (addresses: readonly TileAddress[]) => addresses.flatMap((address) => tiles.get(key(address)) ?? [])
  let state: TreeState = { origin, size: 0, position: 0n, checked: { size: 0, position: 0n }, fault: null }
  return {
    put: (tile) => void tiles.set(key(tile), tile),
    state: async () => state,
    append: async ({ from, upTo, eventIds, edges, extend }) => {
      if (state.size !== from.size || state.position !== from.position) return false
      for (const tile of extend(read(edges))) tiles.set(key(tile), tile)
      for (const [i, id] of eventIds.entries()) leaves.set(id, from.size + i)
      state = { ...state, size: from.size + eventIds.length, position: upTo }
      return true
    },
    tiles: async (addresses) => read(addresses),
    indexOf: async (id) => leaves.get(id) ?? null,
    indexesOf: async (ids) => ids.map((id) => leaves.get(id) ?? null),
    eventsAt: async (from, to) => [...leaves].flatMap(([id, leaf]) => (leaf >= from && leaf < to ? [id] : [])),
    checked: async (checked) => void (state = { ...state, checked }),
    faulty: async (fault) => void (state = { ...state, fault }),
    agrees: async () => void (state = { ...state, fault: null, checked: { size: 0, position: 0n } }),
  }
}

function createMemoryHeads(signer: ReturnType<typeof noteSigner>): LogHeadStore {
  const heads: CosignedHead[] = []
  return {
    newest: async () => heads.at(-1) ?? null,
    ofSize: async (size) => heads.find((head) => head.size === size) ?? null,
    listed: async (after, most) => heads.filter(({ size }) => size > after).slice(0, most),
    add: async (head) => {
      if (!heads.some(({ size }) => size === head.size)) heads.push({ ...head, age: 0, cosignatures: [] })
    },
    signers: async () => [signer],
    keys: async () => [
      { verifier_key: signer.verifierKey, created_at: '2026-11-01T00:00:00.000Z', signs_until: null, signs: true },
    ],
  }
}

/** A UUID of a name. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A stored event with its hash and the hash of the one before computed again, as someone who rewrites the log would do. */
export function resealed(event: StoredEvent, previous: string): StoredEvent {
  const metadata = event.metadata.replace(/"previous_hash":"[0-9a-f]{64}"/, `"previous_hash":"${previous}"`)
  const text = metadata.replace(/,"hash":"[0-9a-f]{64}"\}$/, '}')
  return { ...event, metadata: sealed(text, hashOf(previous, event, text)) }
}
