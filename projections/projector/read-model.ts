import type { Kysely } from 'kysely'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { createTable, indexTable, physical, type Physical, type PhysicalSet, type TableSet } from './table.ts'

/** Physical table of this generation, by its base name. */
export type Tables = Readonly<Record<string, string>>

/**
 * Cache of rows that a worker wrote, so that it need not read them back. The projector passes an empty one after any failure, so
 * an entry never differs from its row. The read model bounds its size.
 */
export type Memory = Map<string, unknown>

/** A read model: its name, its tables, and how events change their rows. */
export type ReadModel = {
  readonly name: string
  /** Raise it when the rows would come out differently: a new generation is then built beside the live one. */
  readonly version: number
  /** Base names; queries read the views `rm_<base>`. Every table has a primary key. */
  readonly tables: readonly string[]
  /**
   * Scope of an event that cannot be applied: it stops the whole read model, where a gap would mislead (the default), or its stream
   * alone, which is then parked while all others go on.
   */
  readonly onFailure?: 'stop' | 'park'
  /** Whether an event may change rows. A page without one moves the checkpoint only. Must return true for unknown event types. */
  readonly concerns: (event: StoredEvent) => boolean
  readonly create: (db: Kysely<Db>, tables: Tables) => Promise<void>
  /**
   * Indexes, and the primary keys of tables that `load` only adds to. A rebuild creates them after its rows, which is cheaper than
   * row by row.
   */
  readonly index?: (db: Kysely<Db>, tables: Tables) => Promise<void>
  /** Applies a batch in log order, inside the transaction that also moves the checkpoint. Must not read or write other tables. */
  readonly apply: (db: Kysely<Db>, tables: Tables, events: readonly StoredEvent[], memory: Memory) => Promise<void>
  /**
   * Fills the empty tables of a new generation with the rows that `apply` makes of the log, by statements that only a table without
   * readers and indexes allows. Without it a rebuild applies the log in large pages.
   */
  readonly load?: (tables: Tables, stored: ReadStored) => Loader
}

/** A read model by its tables: what creates them comes from their columns. */
export type Declared<S extends TableSet> = Omit<ReadModel, 'tables' | 'create' | 'index' | 'apply' | 'load'> & {
  readonly tables: S
  readonly apply: (db: Kysely<Db>, tables: PhysicalSet<S>, events: readonly StoredEvent[], memory: Memory) => Promise<void>
  readonly load?: (tables: PhysicalSet<S>, stored: ReadStored) => Loader
}

export function readModel<const S extends TableSet>({ tables, apply, load, ...model }: Declared<S>): ReadModel {
  const of = (generation: Tables) => physicalSet(tables, generation)
  const each = async (generation: Tables, work: (table: Physical) => Promise<void>) => {
    for (const table of Object.values(of(generation))) await work(table)
  }
  return {
    ...model,
    tables: Object.keys(tables),
    create: (db, generation) => each(generation, (table) => createTable(db, table)),
    index: (db, generation) => each(generation, (table) => indexTable(db, table)),
    apply: (db, generation, events, memory) => apply(db, of(generation), events, memory),
    ...(load !== undefined && { load: (generation: Tables, stored: ReadStored) => load(of(generation), stored) }),
  }
}

/** The tables of a generation. Throws when one is missing there. */
export const physicalSet = <S extends TableSet>(tables: S, generation: Tables): PhysicalSet<S> =>
  Object.fromEntries(
    Object.entries(tables).map(([base, declared]) => {
      const name = generation[base]
      if (name === undefined) throw new Error(`the generation has no table ${base}`)
      return [base, physical(declared, name)]
    }),
  ) as PhysicalSet<S>

/** Reads rows that a load has written: runs once everything that was taken is committed. */
export type ReadStored = <T>(read: (db: Kysely<Db>) => Promise<T>) => Promise<T>

/** One load of one generation, from the first event on. It is not continued after a failure. */
export type Loader = {
  /** Takes the next events, in log order. Rejects for one that cannot be applied. */
  readonly add: (events: readonly StoredEvent[]) => Promise<void>
  /** Hands over rows that are ready to be written, or all, and forgets them. */
  readonly take: (all: boolean) => (db: Kysely<Db>) => Promise<void>
}

/** One generation of a read model and its checkpoint: a row of es.subscriptions. */
export type Generation = {
  readonly name: string
  readonly generation: number
  readonly version: number
  readonly status: 'building' | 'live' | 'retired'
  /** Every event up to here is applied, except those of parked streams. */
  readonly position: bigint
  /** Number of parked streams. */
  readonly parked: number
}

export type Checkpoint = Pick<Generation, 'name' | 'generation' | 'position'>

export const tablesOf = (model: ReadModel, generation: number): Tables =>
  Object.fromEntries(model.tables.map((base) => [base, `rm_${base}__g${generation}`]))
