import type { Kysely } from 'kysely'
import type { StoredEvent } from '../../eventstore/event-store.ts'

/** Physical table of this generation, by its base name. */
export type Tables = Readonly<Record<string, string>>

/** A read model: what it is called, where it keeps its rows, and how events change them. */
export type ReadModel = {
  readonly name: string
  /** Raised when the rows would come out differently: a new generation is then built beside the live one. */
  readonly version: number
  /** Base names; queries read the views `rm_<base>`. */
  readonly tables: readonly string[]
  readonly create: (db: Kysely<never>, tables: Tables) => Promise<void>
  /** Applies a batch in log order, inside the transaction that also moves the checkpoint. Must not look outside its tables. */
  readonly apply: (db: Kysely<never>, tables: Tables, events: readonly StoredEvent[]) => Promise<void>
}

/** One generation of a read model, as its row in es.subscriptions has it. */
export type Generation = {
  readonly name: string
  readonly generation: number
  readonly version: number
  readonly position: bigint
  readonly status: 'building' | 'live' | 'retired'
}

export const tablesOf = (model: ReadModel, generation: number): Tables =>
  Object.fromEntries(model.tables.map((base) => [base, `rm_${base}__g${generation}`]))
