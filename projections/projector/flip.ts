import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { EventStore, Position, StoredEvent } from '../../eventstore/event-store.ts'
import { standingOf, type Standing } from './aside.ts'
import type { Build } from './build.ts'
import { applyInside, Overtaken } from './checkpoint.ts'
import { forGood, locked, showInstead } from './generations.ts'
import { cannotBeRead, FEW, NotYet } from './patience.ts'
import { newest, placesOf, type Generation, type Memory, type ReadModel } from './read-model.ts'

/** How long reading what is missing may take while the live checkpoints are locked. */
const READ_MS = 1000

/** Whether the build replaces what is live. */
export type Replaces = (standing: Standing) => boolean

export type Flipped = {
  /** What was live when it was decided. */
  readonly before: Standing
  readonly live: Generation | null
  readonly replaced: boolean
}

/**
 * Lets readers see the build instead of the live generation, where it is to replace that one. Whoever moves the live one waits
 * meanwhile, and with him whoever waits for a write to become readable: so it is done only with little left to do, and by
 * nobody who hangs. Throws `NotYet`, or that a lock was not to be had, where it would take longer.
 */
export async function flip(db: Kysely<never>, store: EventStore, build: Build, replaces: Replaces): Promise<Flipped> {
  const { model } = build
  return db.transaction().execute(async (trx) => {
    await sql`
      select set_config('lock_timeout', '2s', true), set_config('idle_in_transaction_session_timeout', '3s', true)`.execute(trx)
    await forGood(trx)
    await locked(trx, model.name)
    // Whoever moves the live generation waits here, and finds it retired or goes on.
    await sql`select 1 from es.subscriptions where name = ${model.name} and status = 'live' for update`.execute(trx)
    const before = await standingOf(trx, model.name)
    const { live } = before
    if (!replaces(before)) return { before, live, replaced: false }
    await isItsOwn(trx, build.generation())
    const next = live === null ? build.generation() : await rollForward(trx, store, build, live)
    await showInstead(trx, model, next.generation)
    return { before, live: { ...next, status: 'live' }, replaced: true }
  })
}

/** Whoever slept for a minute finds it removed, and is told so in words ("a build that slept until it was removed does not go live"). */
async function isItsOwn(trx: Transaction<never>, { name, generation, version, positions }: Generation): Promise<void> {
  const { rows } = await sql<{ shard: number; position: string }>`
    select shard, position::text from es.subscriptions
    where name = ${name} and generation = ${generation} and version = ${version} and status = 'building' for update`.execute(trx)
  if (rows.length !== positions.length || rows.some(({ shard, position }) => positions[shard] !== BigInt(position)))
    throw new Overtaken(`generation ${generation} of ${name} is not what was built any more`)
}

/** Every stream at least as far as its readers have seen it. */
async function rollForward(trx: Transaction<never>, store: EventStore, build: Build, live: Generation): Promise<Generation> {
  const { model } = build
  const building = build.generation()
  const sameShards = live.positions.length === building.positions.length
  const goalOf = (shard: number): Position => (sameShards ? live.positions[shard] : undefined) ?? newest(live)
  const behind = placesOf(building).filter(({ position, shard }) => position < goalOf(shard))
  const [first] = behind
  if (first === undefined) return building
  const from = behind.reduce((least, { position }) => (position < least ? position : least), first.position)
  const to = behind.reduce((most, { shard }) => (goalOf(shard) > most ? goalOf(shard) : most), from)
  const events = await soon(model, readTo(model, store, from, to))
  const memory: Memory = new Map()
  const positions = [...building.positions]
  for (const place of behind) {
    const goal = goalOf(place.shard)
    const missing = events.filter(({ position }) => position > place.position && position <= goal)
    await applyInside(trx, model, place, { events: missing, upTo: goal }, memory)
    positions[place.shard] = goal
  }
  return { ...building, positions }
}

async function readTo(model: ReadModel, store: EventStore, after: Position, goal: Position): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for (let at = after; at < goal;) {
    const page = await store.readAll(at, FEW)
    if (page.upTo <= at) throw cannotBeRead(model, goal)
    for (const event of page.events) if (event.position <= goal) events.push(event)
    if (events.length > FEW) throw new NotYet(`${model.name} falls behind faster than it is built`)
    at = page.upTo
  }
  return events
}

async function soon<T>({ name }: ReadModel, reading: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = delay(READ_MS, undefined, { signal: done.signal }).then(() => {
    throw new NotYet(`the log is read too slowly for ${name} to go live now; try again`)
  })
  // Of the two only the first is heard.
  late.catch(() => undefined)
  reading.catch(() => undefined)
  return Promise.race([reading, late]).finally(() => done.abort())
}
