import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventStore, Page } from '../../eventstore/event-store.ts'
import { READ_MODELS } from '../../projections/read-models.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { rebuild } from '../../projections/projector/rebuild.ts'
import { ensureLive } from '../../projections/projector/generations.ts'
import { applyPage, applyRun } from '../../projections/projector/checkpoint.ts'
import { placesOf, type ReadModel } from '../../projections/projector/read-model.ts'
import { someEvent } from '../support/events.ts'
import { eventually, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

/** The demo is a year in the life of every kind of campaign: kept up event by event while it is made. */
describe('every read model', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
  }, 60_000)
  afterAll(() => product.stop())

  const tools = () => {
    const db = createKysely<never>(product.database.pool)
    const store = createPostgresEventStore({ pool: product.database.pool, url: product.database.url })
    return { db, store }
  }

  it.each(READ_MODELS.map((model) => [model.name, model] as const))(
    '%s comes out the same, byte for byte, when it is built anew',
    async (_, model) => {
      const { db, store } = tools()
      try {
        for (const shards of [1, 3]) {
          const result = await rebuild(db, store, model, { mode: 'check', shards })
          expect(result).toMatchObject({ compared: true, differences: [], replaced: false })
        }
      } finally {
        await store.close()
      }
    },
  )

  it('a save writes a campaign in place: no dead pieces out of line, no growing tables', async () => {
    const { pool } = product.database
    const room = async () => {
      const { rows } = await pool.query<{ base: string; pages: number; out_of_line: number }>(`
        select split_part(relname, '__', 1) as base, (pg_relation_size(oid) / 8192)::int as pages,
          (pg_relation_size(reltoastrelid) / 8192)::int as out_of_line
        from pg_class where relkind = 'r' and relname similar to 'rm_campaign_(states|revision_heads|list)\\_\\_%' order by 1`)
      return rows
    }
    const ada = await product.as('ada@nile.example')
    const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    let budget = 100
    const grownBySaves = async () => {
      const before = await room()
      for (const end = budget + 200; budget < end; budget++)
        expect(await ada.call('PUT', '/v1/campaign', { id: data.id, budget })).toMatchObject({ code: 0 })
      const seen = await eventually(
        () => ada.call('GET', `/v1/campaign/${data.id}`),
        (answer) => answer.data.budget === budget - 1,
      )
      expect(seen.data.budget).toBe(budget - 1)
      const after = await room()
      expect(after.map(({ base }) => base)).toEqual(['rm_campaign_list', 'rm_campaign_revision_heads', 'rm_campaign_states'])
      expect(after.map(({ out_of_line }) => out_of_line)).toEqual([0, 0, 0])
      return Math.max(...after.map(({ pages }, i) => pages - (before[i]?.pages ?? 0)))
    }
    // Whoever reads meanwhile keeps what he reads; once he is done the room is used again, and tables that grow with saves grow every time.
    const grown: number[] = []
    while (grown.length < 4 && (grown.at(-1) ?? Infinity) > 3) grown.push(await grownBySaves())
    expect(grown.at(-1), `pages by round: ${grown.join(', ')}`).toBeLessThanOrEqual(3)
  })

  it.each(READ_MODELS.map((model) => [model.name, model] as const))(
    '%s does not pass over a type it does not know',
    (_, model) => {
      const [stream, type] = model.name === 'accounts' ? ['account-1', 'FundsCredited'] : ['campaign-1', 'CampaignUpdated']
      const stored = { ...someEvent(), stream, version: 1, position: 1n }
      expect(model.concerns({ ...stored, type: 'OfALaterBuild' })).toBe(true)
      expect(model.concerns({ ...stored, type, schemaVersion: 2 })).toBe(true)
    },
  )

  it.each(READ_MODELS.map((model) => [model.name, model] as const))(
    '%s is the same whatever the batches it was built in',
    async (_, model) => {
      const { db, store } = tools()
      const texts = new Set<string>()
      try {
        for (const [size, pages] of [
          [1, 1],
          [7, 1],
          [1000, 1],
          [3, 5],
          [7, 1000],
        ] as const) {
          const tables = Object.fromEntries(model.tables.map((base) => [base, `rm_${base}_${size}_${pages}`]))
          const { applyRun: byRun, writes } = model
          const under: ReadModel = {
            ...model,
            name: `${model.name} in ${size}s, ${pages} at a time`,
            tables: [],
            create: (on) => model.create(on, tables),
            index: async (on) => model.index?.(on, tables),
            apply: (on, _, events, memory) => model.apply(on, tables, events, memory),
            ...(writes === undefined ? {} : { writes: (on, _, events, memory) => writes(on, tables, events, memory) }),
            ...(byRun === undefined ? {} : { applyRun: (on, _, run, memory) => byRun(on, tables, run, memory) }),
          }
          let [place] = placesOf(await ensureLive(db, under))
          const head = await store.head()
          const memory = new Map()
          while (place !== undefined && place.position < head) {
            if (pages === 1) {
              const page = await store.readAll(place.position, size)
              await applyPage(db, under, place, page)
              place = { ...place, position: page.upTo }
            } else
              place = {
                ...place,
                position: await applyRun(db, under, place, pagesOf(store, place.position, size, pages), memory),
              }
          }
          expect(await positionOf(db, under)).toBe(head)
          const rows: string[] = []
          for (const table of Object.values(tables)) {
            const found = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} t order by 1`.execute(db)
            rows.push(...found.rows.map(({ row }) => row))
          }
          expect(rows.length).toBeGreaterThan(0)
          texts.add(rows.join('\n'))
        }
      } finally {
        await store.close()
      }
      expect(texts.size).toBe(1)
    },
  )
})

async function* pagesOf(store: EventStore, after: bigint, size: number, count: number): AsyncGenerator<Page> {
  for (let at = after, i = 0; i < count; i++) {
    const page = await store.readAll(at, size)
    if (page.upTo === at) return
    at = page.upTo
    yield page
  }
}

async function positionOf(db: Kysely<never>, { name }: ReadModel): Promise<bigint | undefined> {
  const { rows } = await sql<{ position: bigint }>`select position from es.subscriptions where name = ${name}`.execute(db)
  return rows[0]?.position
}
