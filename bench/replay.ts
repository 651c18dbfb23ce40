import { decodeCampaignEvent } from '#domain/campaign/events'
import { readMetadata } from '#domain/kit/event-metadata'
import { advance, draftOf, initial as initialState, type Draft } from '#domain/campaign/state'
import type { EventStore } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createPool } from '#platform/database/pool'
import { factSet } from './support/facts.ts'
import { median, round, say, timed, type Figures } from './support/measure.ts'
import { startBenchServer } from './support/server.ts'

const PAIRS = 5

/**
 * Reads the log from PostgreSQL and folds it into campaigns, compared with JSON.parse of the same bytes in memory. A first pair
 * is a warm-up for the compiler and not counted.
 */
export async function replay(count = 200_000, pairs = PAIRS): Promise<Figures> {
  const server = await startBenchServer()
  try {
    const url = server.urlOf(await factSet(server, count))
    const pool = createPool(url, { max: 4, applicationName: 'placard-bench' })
    const store = createPostgresEventStore({ pool, url })
    const texts: (readonly [string, string])[] = []
    for await (const { events } of store.scan(0n)) for (const { data, metadata } of events) texts.push([data, metadata])
    const replayed: number[] = []
    const parsed: number[] = []
    for (let pair = 0; pair <= pairs; pair++) {
      parsed.push(texts.length / (await timed(() => parseAll(texts))))
      let campaigns = 0
      replayed.push(texts.length / (await timed(async () => (campaigns = await foldAll(store)))))
      say(
        `replay ${pair}/${pairs}: ${Math.round(replayed.at(-1) ?? 0)} events/s into ${campaigns} campaigns, JSON.parse ${Math.round(parsed.at(-1) ?? 0)}/s`,
      )
      if (pair === 0) for (const all of [replayed, parsed]) all.pop()
    }
    await store.close()
    await pool.end()
    return {
      over_json_parse: round(median(replayed.map((rate, i) => rate / (parsed[i] ?? 1)))),
      events_per_s: Math.round(median(replayed)),
      json_parse_per_s: Math.round(median(parsed)),
      events: texts.length,
    }
  } finally {
    await server.stop()
  }
}

async function foldAll(store: EventStore): Promise<number> {
  const campaigns = new Map<string, Draft>()
  for await (const { events } of store.scan(0n))
    for (const event of events) {
      let campaign = campaigns.get(event.stream)
      if (campaign === undefined) campaigns.set(event.stream, (campaign = draftOf(initialState)))
      advance(campaign, decodeCampaignEvent(event), readMetadata(event.metadata))
    }
  return campaigns.size
}

let sink = 0
function parseAll(texts: readonly (readonly [string, string])[]): void {
  for (const [data, metadata] of texts) {
    sink += Object.keys(JSON.parse(data)).length + Object.keys(JSON.parse(metadata)).length
  }
  if (sink < 0) throw new Error('unreachable')
}
