import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createKurrentEventStore } from '#eventstore/kurrentdb/kurrent-event-store'
import { newId } from '#platform/ids'
import { appender, DATA, METADATA } from './append.ts'
import { closedLoop } from './support/load.ts'
import { median, round, say, type Figures } from './support/measure.ts'

const CALLERS = [1, 16, 64]
/** Many short runs: what else the machine does then falls on both. */
const PAIRS = 15
const SECONDS = 0.6

/**
 * Appends a second to KurrentDB through the store, against the client's own unary call with the same events on the same server: the
 * one that TEST_KURRENTDB_URL names, else the stand-in of the tests in a process of its own.
 */
export async function kurrent(): Promise<Figures> {
  const { url, stop } = await openServer()
  const store = createKurrentEventStore(url)
  const client = EventStoreDBClient.connectionString(url.replace(/^kurrentdb/, 'esdb'))
  const figures: Record<string, number> = {}
  for (const callers of CALLERS) {
    const ours: number[] = []
    const own: number[] = []
    // The first pair warms both up.
    for (let pair = 0; pair <= PAIRS; pair++) {
      const runs = [
        async () => ours.push(await closedLoop(callers, SECONDS, appender(store))),
        async () => own.push(await closedLoop(callers, SECONDS, unaryAppender(client))),
      ]
      for (const run of pair % 2 === 0 ? runs : runs.toReversed()) await run()
      say(
        `${callers} callers ${pair}/${PAIRS}: ${Math.round(ours.at(-1) ?? 0)} appends/s, the client alone ${Math.round(own.at(-1) ?? 0)}/s`,
      )
    }
    const measured = ours.slice(1)
    figures[`ratio_${callers}`] = round(median(measured.map((rate, i) => rate / (own[i + 1] ?? 1))))
    figures[`appends_per_s_${callers}`] = Math.round(median(measured))
    figures[`client_per_s_${callers}`] = Math.round(median(own.slice(1)))
  }
  await store.close()
  await client.dispose()
  stop()
  return figures
}

/** Credentials of its own keep a call off the client's shared batch stream. */
const CREDENTIALS = { username: 'placard', password: 'placard' }

/** The same events in the same streams, made of objects that are there already. */
function unaryAppender(client: EventStoreDBClient): (caller: number) => Promise<void> {
  const places = new Map<number, { stream: string; next: bigint }>()
  const [data, metadata] = [JSON.parse(DATA), JSON.parse(METADATA)]
  return async (caller) => {
    let place = places.get(caller)
    if (place === undefined || place.next === 10n) places.set(caller, (place = { stream: `bench-${newId()}`, next: 0n }))
    await client.appendToStream(place.stream, jsonEvent({ id: newId(), type: 'Noted', data, metadata }), {
      expectedRevision: place.next === 0n ? NO_STREAM : place.next - 1n,
      credentials: CREDENTIALS,
      requiresLeader: true,
    })
    place.next += 1n
  }
}

async function openServer(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const real = process.env['TEST_KURRENTDB_URL']
  if (real !== undefined) return { url: real, stop: () => {} }
  const child = fork(fileURLToPath(new URL('support/kurrent-server.ts', import.meta.url)))
  const [url]: unknown[] = await once(child, 'message')
  return { url: String(url), stop: () => child.disconnect() }
}
