import type { Kysely, RawBuilder } from 'kysely'
import type { StoredEvent } from '../../eventstore/event-store.ts'

/** Physical table of this generation, by its base name. */
export type Tables = Readonly<Record<string, string>>

/**
 * What a worker remembers of the rows it wrote, so that it need not read them back. Its own as long as its commits go through: the
 * projector hands over an empty one after anything else happened. Bounding it is the read model's affair.
 */
export type Memory = Map<string, unknown>

/** A statement that brings rows up to date where the condition holds. It must not see what another of the same batch writes. */
export type Write = (where: RawBuilder<unknown>) => RawBuilder<unknown>

/** Events in log order, page by page. To be read to its end. */
export type Run = AsyncIterable<readonly StoredEvent[]> | Iterable<readonly StoredEvent[]>

/** A read model: what it is called, where it keeps its rows, and how events change them. */
export type ReadModel = {
  readonly name: string
  /** Raised when the rows would come out differently: a new generation is then built beside the live one. */
  readonly version: number
  /** Base names; queries read the views `rm_<base>`. Every table has a primary key. */
  readonly tables: readonly string[]
  /**
   * What an event that cannot be applied stops: the whole read model, where a gap would mislead (the default), or its stream, which is
   * then set aside while all others go on.
   */
  readonly onFailure?: 'stop' | 'park'
  /** Whether an event may change rows. A page without one moves the checkpoint and is not applied. Must say yes to what it does not know. */
  readonly concerns: (event: StoredEvent) => boolean
  readonly create: (db: Kysely<never>, tables: Tables) => Promise<void>
  /** Indexes beside the primary keys. A generation that is built gets them when its rows are there: that is cheaper than row by row. */
  readonly index?: (db: Kysely<never>, tables: Tables) => Promise<void>
  /** Applies a batch in log order, inside the transaction that also moves the checkpoint. Must not look outside its tables. */
  readonly apply: (db: Kysely<never>, tables: Tables, events: readonly StoredEvent[], memory: Memory) => Promise<void>
  /**
   * The same for a few events, as statements that can travel together with the checkpoint: under load every round trip is waited for
   * longer than what it does. Reads what it needs beforehand; may be absent.
   */
  readonly writes?: (
    db: Kysely<never>,
    tables: Tables,
    events: readonly StoredEvent[],
    memory: Memory,
  ) => Promise<readonly Write[]>
  /** The same for many events, a page at a time: a rebuild then need not hold them all at once. Where it is absent `apply` gets them all. */
  readonly applyRun?: (db: Kysely<never>, tables: Tables, run: Run, memory: Memory) => Promise<void>
}

/** One generation of a read model, as its rows in es.subscriptions have it. */
export type Generation = {
  readonly name: string
  readonly generation: number
  readonly version: number
  readonly status: 'building' | 'live' | 'retired'
  /** By shard; every stream belongs to one of them. */
  readonly positions: readonly bigint[]
  /** Shards of which some stream is set aside. */
  readonly parked: readonly number[]
}

/** One shard of a generation, and how far it is. */
export type Place = {
  readonly name: string
  readonly generation: number
  readonly shard: number
  readonly shards: number
  readonly position: bigint
  /** Some stream of it is set aside. */
  readonly parked: boolean
}

export const placesOf = ({ name, generation, positions, parked }: Generation): readonly Place[] =>
  positions.map((position, shard) => ({
    name,
    generation,
    shard,
    shards: positions.length,
    position,
    parked: parked.includes(shard),
  }))

/** Where the shard is that is least far. */
export const oldest = ({ positions }: Generation): bigint =>
  positions.reduce((least, position) => (position < least ? position : least))

/** Where the shard is that is farthest. */
export const newest = ({ positions }: Generation): bigint =>
  positions.reduce((most, position) => (position > most ? position : most))

export const tablesOf = (model: ReadModel, generation: number): Tables =>
  Object.fromEntries(model.tables.map((base) => [base, `rm_${base}__g${generation}`]))

/** FNV-1a over the stream's name: the same shard in every process, for ever. */
export function shardOf(stream: string, shards: number): number {
  if (shards === 1) return 0
  let hash = 0x811c9dc5
  for (let i = 0; i < stream.length; i++) hash = Math.imul(hash ^ stream.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % shards
}
