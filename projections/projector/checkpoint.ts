import { sql, type Kysely } from 'kysely'
import { isFromNewerBuild } from '../../domain/kit/event-schema.ts'
import type { Page, Position, StoredEvent } from '../../eventstore/event-store.ts'
import { asideOf, isAside, type AsideStreams } from './aside.ts'
import { shardOf, tablesOf, type Memory, type Place, type ReadModel, type Write } from './read-model.ts'
import { unhurried } from './unhurried.ts'

/** Another worker moved this checkpoint: its rows are there already, ours must not be. */
export class Overtaken extends Error {}

/** Events of which a read model's statements go out together with the checkpoint. */
const FEW = 500

/**
 * Applies a page and moves the checkpoint in one transaction. The checkpoint is compared before it is set: a worker that was
 * asleep while another took over finds it moved, and its rows are rolled back.
 */
export async function applyPage(
  db: Kysely<never>,
  model: ReadModel,
  at: Place,
  page: Page,
  memory: Memory = new Map(),
): Promise<void> {
  const events = eventsOf(page, at)
  if (!events.some(model.concerns)) await move(db, at, page.upTo)
  else if (model.writes !== undefined && !at.parked && events.length <= FEW)
    await moveWith(db, at, page.upTo, await model.writes(db, tablesOf(model, at.generation), events, memory))
  else await db.transaction().execute((trx) => applyInside(trx, model, at, page, memory))
}

/**
 * The same for a run of pages, which are taken one after the other within the transaction; answers how far it led. Of a place that nobody
 * else moves and that has nothing parked: the checkpoint comes last, so that it is locked for a moment only.
 */
export async function applyRun(
  db: Kysely<never>,
  model: ReadModel,
  at: Place,
  run: AsyncIterable<Page>,
  memory: Memory,
): Promise<Position> {
  const apply = model.applyRun
  if (apply === undefined) {
    const page = await joined(run, at.position)
    await applyAll(db, model, at, page, memory)
    return page.upTo
  }
  return db.transaction().execute(async (trx) => {
    // Between two statements up to a hundred thousand events are read ("a log that is read slowly does not end a rebuild").
    await unhurried(trx)
    let upTo = at.position
    async function* events(): AsyncGenerator<readonly StoredEvent[]> {
      for await (const page of run) {
        upTo = page.upTo
        yield eventsOf(page, at)
      }
    }
    await apply(trx, tablesOf(model, at.generation), events(), memory)
    await move(trx, at, upTo)
    return upTo
  })
}

/** A long page of such a place. */
export async function applyAll(db: Kysely<never>, model: ReadModel, at: Place, page: Page, memory: Memory): Promise<void> {
  const events = eventsOf(page, at)
  await db.transaction().execute(async (trx) => {
    await unhurried(trx)
    if (events.some(model.concerns)) await model.apply(trx, tablesOf(model, at.generation), events, memory)
    await move(trx, at, page.upTo)
  })
}

/** All events of a run as one page; an empty one that leads nowhere where there are no pages. */
export async function joined(run: AsyncIterable<Page>, after: Position): Promise<Page> {
  const events: StoredEvent[] = []
  let upTo = after
  for await (const page of run) {
    for (const event of page.events) events.push(event)
    upTo = page.upTo
  }
  return { events, upTo }
}

/** `applyPage` inside a transaction that does more. */
export async function applyInside(
  trx: Kysely<never>,
  model: ReadModel,
  at: Place,
  page: Page,
  memory: Memory = new Map(),
): Promise<void> {
  const events = eventsOf(page, at)
  const aside = (await move(trx, at, page.upTo)) > 0 ? await asideOf(trx, at) : NONE
  const free = aside.size === 0 ? events : events.filter((event) => !isAside(aside, event))
  if (free.length > 0) await model.apply(trx, tablesOf(model, at.generation), free, memory)
}

const eventsOf = ({ events }: Page, { shard, shards }: Place): readonly StoredEvent[] =>
  shards === 1 ? events : events.filter(({ stream }) => shardOf(stream, shards) === shard)

/** Answers how many streams are parked. */
async function move(db: Kysely<never>, at: Place, to: bigint): Promise<number> {
  const { rows } = await sql<{ parked: number }>`
    update es.subscriptions set position = ${to}, error = null, updated_at = now()
    where name = ${at.name} and generation = ${at.generation} and shard = ${at.shard} and position = ${at.position}
      and status <> 'retired'
    returning parked`.execute(db)
  const [moved] = rows
  if (moved === undefined) throw new Overtaken(`the checkpoint of ${at.name} is not ${at.position} any more`)
  return moved.parked
}

/**
 * Moves the checkpoint and writes in one statement, where nothing is set aside: whoever has just parked a stream hears that he was
 * overtaken, and begins again with what is in the table.
 */
async function moveWith(db: Kysely<never>, at: Place, to: bigint, writes: readonly Write[]): Promise<void> {
  const where = sql`exists (select from moved)`
  const written = writes.map((write, i) => sql`, ${sql.ref(`written_${i}`)} as (${write(where)})`)
  const { rows } = await sql`
    with moved as (
      update es.subscriptions set position = ${to}, error = null, updated_at = now()
      where name = ${at.name} and generation = ${at.generation} and shard = ${at.shard} and position = ${at.position}
        and status <> 'retired' and parked = 0
      returning 1
    )${written.length === 0 ? sql`` : sql.join(written, sql``)}
    select 1 from moved`.execute(db)
  if (rows.length !== 1) throw new Overtaken(`the checkpoint of ${at.name} is not ${at.position} any more`)
}

const NONE: AsideStreams = new Map()

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What operators read in `projections status`. */
const reasonOf = (error: unknown): string =>
  isFromNewerBuild(error) ? `waiting for a newer version: ${textOf(error)}` : textOf(error)

/** Notes why a read model stands still; readers keep what they have. */
export async function noteFailure(db: Kysely<never>, at: Place, position: bigint, error: unknown): Promise<void> {
  await sql`
    update es.subscriptions
    set error = ${JSON.stringify({ position: String(position), message: reasonOf(error) })}::json, updated_at = now()
    where name = ${at.name} and generation = ${at.generation} and shard = ${at.shard}`.execute(db)
}

/** Sets the event's stream aside: it and what follows it in its stream wait for `retryParked`, everything else goes on. */
export async function park(
  db: Kysely<never>,
  at: Place,
  { position, stream }: StoredEvent,
  attempts: number,
  error: unknown,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      update es.subscriptions set parked = parked + 1, updated_at = now()
      where name = ${at.name} and generation = ${at.generation} and shard = ${at.shard} and position = ${at.position}
      returning 1`.execute(trx)
    if (rows.length !== 1) throw new Overtaken(`the checkpoint of ${at.name} is not ${at.position} any more`)
    // Somebody may have let the stream go on before the checkpoint had passed the event: its letter is there, and resolved
    // ("a stream that is tried again before its checkpoint has passed the event is set aside again").
    await sql`
      insert into es.dead_letters (name, generation, position, stream_id, attempts, error)
      values (${at.name}, ${at.generation}, ${position}, ${stream}, ${attempts}, ${JSON.stringify({ message: textOf(error) })}::json)
      on conflict (name, generation, position)
        do update set resolved_at = null, attempts = excluded.attempts, error = excluded.error`.execute(trx)
  })
}
