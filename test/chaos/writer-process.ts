/**
 * A process that appends to a few hot streams shared with other writers, and records every request and its outcome. Arguments:
 * url, its name, its history file, a seed. Prints `ready`. Retries an append in doubt with the same ids until its outcome is
 * known or the process ends.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createPool } from '#platform/database/pool'
import { someEvent } from '../support/events.ts'
import { now, openHistory } from './history.ts'
import { report, takeOrders } from './orders.ts'
import { createRandom } from './random.ts'

const CALLERS = 6
const STREAMS = Array.from({ length: 10 }, (_, n) => `hot-${n}`)
/** Maximum pause between two appends. The projectors need a statement per event, and must keep up on a busy machine. */
const PAUSE_MS = 80
/** Occasionally appends to this many streams concurrently, to form one batch: on a fast machine batches are rare otherwise. */
const BURST = 4
const SELDOM = 10

const [url = '', name = '', file = '', seed = ''] = process.argv.slice(2)
const history = openHistory(file)
const random = createRandom(Number(seed))
const pool = createPool(url, { max: 4, applicationName: 'placard-chaos' })
const store = createPostgresEventStore({ pool, url })
const versions = new Map<string, number>()
let ending = false
let ops = 0

async function call(): Promise<void> {
  while (!ending) {
    await delay(random.integer(PAUSE_MS))
    if (random.integer(SELDOM) > 0) await appendTo(random.pick(STREAMS), 1 + random.integer(3))
    else
      await Promise.all(
        random
          .shuffled(STREAMS)
          .slice(0, BURST)
          .map((stream) => appendTo(stream, 1)),
      )
  }
}

async function appendTo(stream: string, events: number): Promise<void> {
  const expected = versions.get(stream) ?? 0
  const ids = Array.from({ length: events }, () => randomUUID())
  for (let decided = false; !decided && !ending;) decided = await attempt(stream, expected, ids)
}

/** True once it is known whether these events are stored. */
async function attempt(stream: string, expected: number, ids: readonly string[]): Promise<boolean> {
  const op = (ops += 1)
  history.write({ kind: 'invoke', process: name, op, at: now(), stream, expected, ids })
  try {
    const result = await store.append({ stream, expected, events: ids.map((id) => someEvent({ id })) })
    if (result.kind === 'conflict') {
      history.write({ kind: 'fail', process: name, op, at: now() })
      await readVersion(stream)
    } else {
      const { version, position } = result
      history.write({ kind: 'ok', process: name, op, at: now(), version, position: Number(position) })
      versions.set(stream, Math.max(version, versions.get(stream) ?? 0))
    }
    return true
  } catch (error) {
    history.write({ kind: 'unknown', process: name, op, at: now(), error: String(error) })
    return false
  }
}

async function readVersion(stream: string): Promise<void> {
  const known = versions.get(stream) ?? 0
  // Without an answer the next append is refused again, which is harmless.
  const events = await store.readStream(stream, known).catch(() => [])
  versions.set(stream, Math.max(events.at(-1)?.version ?? 0, versions.get(stream) ?? 0))
}

takeOrders({}, () => {
  ending = true
})
report('ready')
await Promise.all(Array.from({ length: CALLERS }, call))
await store.close()
await pool.end()
