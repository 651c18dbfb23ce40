import type { EventStore } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { closedLoop } from './support/load.ts'
import { median, round, say, type Figures } from './support/measure.ts'
import { preparePgbench } from './support/pgbench.ts'
import { withServer, type BenchServer } from './support/server.ts'

const CALLERS = [1, 16, 64]
const PAIRS = 7
const SECONDS = 2
/** 620 bytes, the event size of the goals, with metadata as long as ours. */
const DATA = JSON.stringify({ note: 'x'.repeat(609) })
const METADATA = JSON.stringify({ note: 'y'.repeat(439) })

/** Durable appends a second through the store, against pgbench's one-row inserts of as many bytes on the same server. */
export const append = (): Promise<Figures> => withServer(measureAppends)

async function measureAppends(server: BenchServer): Promise<Figures> {
  const database = `append_${process.pid}`
  try {
    const url = await server.create(database)
    const pool = createPool(url, { max: 4, applicationName: 'placard-bench' })
    await migrateToLatest(createKysely(pool))
    const store = createPostgresEventStore({ pool, url })
    const pgbench = await preparePgbench(url, DATA.length + METADATA.length)
    const figures: Record<string, number> = {}
    for (const callers of CALLERS) {
      const ours: number[] = []
      const limit: number[] = []
      for (let pair = 0; pair < PAIRS; pair++) {
        limit.push(await pgbench.insertsPerSecond(callers, SECONDS))
        ours.push(await closedLoop(callers, SECONDS, appender(store)))
        say(
          `${callers} callers ${pair + 1}/${PAIRS}: ${Math.round(ours.at(-1) ?? 0)} appends/s, pgbench ${Math.round(limit.at(-1) ?? 0)}/s`,
        )
      }
      figures[`ratio_${callers}`] = round(median(ours.map((rate, i) => rate / (limit[i] ?? 1))))
      figures[`appends_per_s_${callers}`] = Math.round(median(ours))
      figures[`pgbench_per_s_${callers}`] = Math.round(median(limit))
    }
    await pgbench.close()
    await store.close()
    await pool.end()
    return figures
  } finally {
    await server.drop(database)
  }
}

/** Each caller appends sequentially to its own streams, ten events each, at the known version; ids as the product makes them. */
function appender(store: Pick<EventStore, 'append'>): (caller: number) => Promise<void> {
  const places = new Map<number, { stream: string; version: number }>()
  return async (caller) => {
    let place = places.get(caller)
    if (place === undefined || place.version === 10) places.set(caller, (place = { stream: `bench-${newId()}`, version: 0 }))
    const event = { id: newId(), type: 'Noted', schemaVersion: 1, data: DATA, metadata: METADATA }
    const result = await store.append({ stream: place.stream, expected: place.version, events: [event] })
    if (result.kind !== 'appended') throw new Error('an append was refused')
    place.version += 1
  }
}
