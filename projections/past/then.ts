import { sql, type Kysely, type RawBuilder } from 'kysely'
import { readMetadata } from '#domain/kit/event-metadata'
import type { EventStore, StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import type { Tables } from '../projector/read-model.ts'

/** A moment in the transaction that reads it. */
export type Then = {
  readonly tx: Kysely<Db>
  /** ISO 8601 UTC. */
  readonly at: string
  readonly store: Pick<EventStore, 'readStream'>
}

/** Subjects: of every white-label, of one, or of one account; or one alone. */
export type Among = { readonly whitelabelId: string | null; readonly spaceId: string | null; readonly id?: string }

/** Subjects that a read folds again: about three seconds of work. */
export const MOST_FOLDED = 2000
/** Streams that are read at once. */
const AT_ONCE = 8

/** More than `MOST_FOLDED` subjects have changed since the moment. */
export class ChangedTooOften extends Error {
  constructor() {
    super(`more than ${MOST_FOLDED} have changed since`)
    this.name = 'ChangedTooOften'
  }
}

/** Rows of an alias that belong to the subjects. */
export const isAmong = (alias: string, key: string, { whitelabelId, spaceId, id }: Among): RawBuilder<boolean> =>
  sql<boolean>`(${whitelabelId}::text is null or ${sql.ref(`${alias}.whitelabel_id`)} = ${whitelabelId})
    and (${spaceId}::text is null or ${sql.ref(`${alias}.space_id`)} = ${spaceId})
    and (${id ?? null}::text is null or ${sql.ref(`${alias}.${key}`)} = ${id ?? null})`

/** The ids that a query finds. @throws {ChangedTooOften} */
export async function changed(tx: Kysely<Db>, found: RawBuilder<{ readonly id: string }>): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`select id from (${found}) found limit ${MOST_FOLDED + 1}`.execute(tx)
  if (rows.length > MOST_FOLDED) throw new ChangedTooOften()
  return rows.map(({ id }) => id)
}

/** The events of each stream up to the moment; streams that began later are left out. */
export async function* eventsUntil(
  { at, store }: Pick<Then, 'at' | 'store'>,
  streams: readonly string[],
): AsyncGenerator<readonly StoredEvent[]> {
  for (let first = 0; first < streams.length; first += AT_ONCE) {
    const read = await Promise.all(streams.slice(first, first + AT_ONCE).map((stream) => store.readStream(stream)))
    for (const events of read) {
      const until = events.filter(({ metadata }) => readMetadata(metadata).at <= at)
      if (until.length > 0) yield until
    }
  }
}

/** Temporary tables for rows of then, by the base names of a read model's tables. */
export const pastTables = (bases: readonly string[]): Tables =>
  Object.fromEntries(bases.map((base) => [base, `pg_temp.past_${base}`]))

/**
 * Lets the name of a read model's view stand for other rows in this transaction: those of the view that satisfy `live`, and those
 * of the temporary table. `columns` are read by name: the columns of a generation of an earlier build may stand in another order.
 */
export async function standBefore(
  tx: Kysely<Db>,
  {
    base,
    alias,
    live,
    past = null,
  }: { readonly base: string; readonly alias: string; readonly live: RawBuilder<unknown>; readonly past?: string | null },
): Promise<void> {
  const view = `rm_${base}`
  const { rows } = await sql<{ readonly schema: string; readonly name: string }>`
    select c.relnamespace::regnamespace::text as schema, a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attrelid = ${view}::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`.execute(tx)
  const schema = rows[0]?.schema ?? 'public'
  const columns = sql.join(rows.map(({ name }) => sql.ref(`${alias}.${name}`)))
  const stored = sql`select ${columns} from ${sql.table(`${schema}.${view}`)} ${sql.ref(alias)} where ${live}`
  const folded = past === null ? sql`` : sql` union all select ${columns} from ${sql.table(past)} ${sql.ref(alias)}`
  await sql`create temporary view ${sql.table(view)} as ${stored}${folded}`.execute(tx)
}

/** A text in a statement that takes no parameters. */
export const literal = (text: string): RawBuilder<string> => sql.lit(text)
