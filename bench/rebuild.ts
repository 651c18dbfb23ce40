import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely, createPool } from '#platform/database/pool'
import { ensureLive } from '#projections/projector/generations'
import { rebuild as rebuildModel } from '#projections/projector/rebuild'
import type { ReadModel } from '#projections/projector/read-model'
import { together } from '#projections/projector/shared-scan'
import { READ_MODELS } from '#projections/read-models'
import { factSet } from './support/facts.ts'
import { median, round, say, timed, type Figures } from './support/measure.ts'
import { withServer, type BenchServer } from './support/server.ts'

const EVENTS = 200_000
const PAIRS = 3
const LIST = 'campaign-list'
/** The model that is compared with JSON.parse, measured right after it. */
const LIST_FIRST = READ_MODELS.toSorted((a, b) => Number(b.name === LIST) - Number(a.name === LIST))

/**
 * Rebuilds every read model from the log, one by one and then all together, and compares the campaign list with JSON.parse of the same bytes in memory. A first
 * rebuild of the list is a warm-up for the compiler and not counted.
 */
export const rebuild = (): Promise<Figures> => withServer(measureRebuilds)

async function measureRebuilds(server: BenchServer): Promise<Figures> {
  const database = `rebuild_${process.pid}`
  try {
    const url = await server.create(database, await factSet(server, EVENTS))
    const pool = createPool(url, { max: 6, applicationName: 'placard-bench', synchronousCommit: 'off' })
    const db = createKysely(pool)
    const store = createPostgresEventStore({ pool, url })
    const texts: (readonly [string, string])[] = []
    for await (const { events } of store.scan(0n)) for (const { data, metadata } of events) texts.push([data, metadata])
    const rates = new Map<string, number[]>()
    const parsed: number[] = []
    const parse = async () => texts.length / (await timed(() => parseAll(texts)))
    async function build(model: ReadModel, again: number): Promise<number> {
      await ensureLive(db, model)
      // Of a newer shape, so that it is built to the end of the log and not up to an empty live one.
      const newer = { ...model, version: model.version + again + 1 }
      const seconds = await timed(async () => {
        const { live } = await rebuildModel(db, store, newer)
        if (live?.position !== (await store.head())) throw new Error(`${model.name} was not built to the end`)
      })
      return texts.length / seconds
    }
    await parse()
    for (const model of LIST_FIRST.slice(0, 1)) await build(model, 0)
    for (let pair = 1; pair <= PAIRS; pair++) {
      parsed.push(await parse())
      for (const model of LIST_FIRST) {
        const rate = await build(model, pair)
        rates.set(model.name, [...(rates.get(model.name) ?? []), rate])
        say(`${model.name} ${pair}/${PAIRS}: ${Math.round(rate)} events/s, JSON.parse ${Math.round(parsed.at(-1) ?? 0)}/s`)
      }
    }
    const all: number[] = []
    for (let pair = 1; pair <= PAIRS; pair++) {
      const newer = READ_MODELS.map((model) => ({ ...model, version: model.version + PAIRS + pair + 1 }))
      const seconds = await timed(() => together(store, newer, (model, log) => rebuildModel(db, log, model)))
      all.push(texts.length / seconds)
      say(`all read models ${pair}/${PAIRS}: ${Math.round(all.at(-1) ?? 0)} events/s`)
    }
    const { rows: sizes } = await pool.query<{ bytes: string }>(
      `select sum(pg_total_relation_size(t::regclass))::text as bytes from es.subscriptions, unnest(tables) t
       where name = 'campaign-revisions' and status = 'live'`,
    )
    await store.close()
    await pool.end()
    const rate = (name: string) => median(rates.get(name) ?? [])
    const list = rates.get(LIST) ?? []
    return {
      over_json_parse: round(median(list.map((events, i) => events / (parsed[i] ?? 1)))),
      events_per_s: Math.round(median(list)),
      events_per_s_all: Math.round(median(all)),
      ...Object.fromEntries(
        READ_MODELS.filter(({ name }) => name !== LIST).map(({ name }) => [
          `${name.replaceAll('-', '_')}_per_s`,
          Math.round(rate(name)),
        ]),
      ),
      campaign_revisions_bytes_per_event: Math.round(Number(sizes[0]?.bytes ?? 0) / texts.length),
      json_parse_per_s: Math.round(median(parsed)),
      events: texts.length,
    }
  } finally {
    await server.drop(database)
  }
}

let sink = 0
function parseAll(texts: readonly (readonly [string, string])[]): void {
  for (const [data, metadata] of texts) sink += Object.keys(JSON.parse(data)).length + Object.keys(JSON.parse(metadata)).length
  if (sink < 0) throw new Error('unreachable')
}
