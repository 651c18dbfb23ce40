import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import type { EventStore, NewEvent, Page } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { derivedId } from '#platform/ids'
import { loadCampaignList } from '#projections/campaign/list/load'
import { campaignList } from '#projections/campaign/list/read-model'
import { CAMPAIGN_LIST } from '#projections/campaign/list/tables'
import { loadCampaignRevisions } from '#projections/campaign/revisions/load'
import { campaignRevisions } from '#projections/campaign/revisions/read-model'
import { CAMPAIGN_REVISIONS } from '#projections/campaign/revisions/tables'
import { applyPage } from '#projections/projector/checkpoint'
import { beginBuilding, ensureLive, liveGeneration } from '#projections/projector/generations'
import { load } from '#projections/projector/load'
import { physicalSet, tablesOf, type ReadModel } from '#projections/projector/read-model'
import { rebuild } from '#projections/projector/rebuild'
import { verify } from '#projections/projector/verify'
import { LAUNCHED } from '../support/campaign-history.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let db: Kysely<Db>
let store: EventStore
let written: Map<string, number>

beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely(database.pool)
  store = createPostgresEventStore(database)
  written = new Map()
})

afterEach(async () => {
  await store.close()
  await database.drop()
})

/** A name with every character that COPY escapes. */
const AWKWARD = 'tab\t, line\n, return\r, back\\slash, \\N, "quoted" {} \u{1f600}'

/** What a campaign's commits say, in order; after the first two it is renamed. */
function commitOf(id: string, revision: number) {
  const [created, approved] = LAUNCHED
  if (revision === 1) {
    const [, first, ...others] = created
    const content = { ...DEFAULT_CONTENT, name: AWKWARD }
    return [{ ...first, data: { id, space_id: 's', whitelabel_id: 'w', content, replicated_from: null } }, ...others]
  }
  if (revision === 2) return approved.slice(1) as readonly { readonly type: string; readonly data: unknown }[]
  const name = `${AWKWARD} ${revision}`
  const changes = [{ path: 'name', from: null, to: name }]
  return [
    { type: 'CampaignUpdated', data: { changes, restored: null, undone: null } },
    ...(revision % 5 === 0 ? [{ type: 'CampaignSwitchedOff', data: {} }] : []),
  ]
}

let revisions = new Map<string, number>()

/** Appends the next commit of a campaign. Commits of before `of` was recorded do not say where they end. */
async function commit(id: string, isOld: boolean): Promise<void> {
  const stream = `campaign-${id}`
  const expected = written.get(stream) ?? 0
  if (expected === 0) revisions.delete(stream)
  const revision = (revisions.get(stream) ?? 0) + 1
  const facts = commitOf(id, revision)
  const events = facts.map(({ type, data }, index): NewEvent => {
    const at = new Date(1_800_000_000_000 + revision).toISOString()
    const context = { role: 'USER_OWNER', source: 'api', on_behalf_of: null, command_id: `${id} ${revision}` }
    const place = isOld ? { index } : { index, of: facts.length }
    return {
      id: derivedId(stream, String(revision), String(index)),
      type,
      schemaVersion: 1,
      data: JSON.stringify(data),
      metadata: JSON.stringify({ at, actor: 'user', revision, ...context, ...place }),
    }
  })
  const appended = await store.append({ stream, expected, events })
  if (appended.kind !== 'appended') throw new Error('a stream of one writer')
  written.set(stream, expected + events.length)
  revisions.set(stream, revision)
}

/** Commits of so many campaigns that alternate irregularly. */
async function history(commits: number, campaigns: number): Promise<void> {
  revisions = new Map()
  for (let n = 0; n < commits; n++) {
    const campaign = Math.floor((n * n) / 3 + n / 2) % campaigns
    await commit(`c${campaign}`, campaign % 2 === 0)
  }
}

/** Applies the whole log to the live generation in pages of this size. */
async function applyAll(model: ReadModel, size: number): Promise<void> {
  let at = await ensureLive(db, model)
  for (;;) {
    const { events, upTo } = await store.readAll(at.position, size)
    if (events.length === 0) return
    await applyPage(db, model, at, { events, upTo })
    at = { ...at, position: upTo }
  }
}

/** The store, whose scans have pages of at most so many events. */
function paged(size: number): EventStore {
  async function* scan(after: bigint): AsyncGenerator<Page> {
    for await (const { events, upTo } of store.scan(after)) {
      for (let from = 0; from < events.length; from += size) {
        const some = events.slice(from, from + size)
        yield { events: some, upTo: some.at(-1)?.position ?? upTo }
      }
      yield { events: [], upTo }
    }
  }
  return { ...store, scan }
}

const rowsOf = async (table: string) => {
  const { rows } = await sql<{ row: object }>`select to_jsonb(t) as row from ${sql.table(table)} t order by to_jsonb(t)`.execute(
    db,
  )
  return rows.map(({ row }) => row)
}

const withKept = (kept: number): readonly ReadModel[] => [
  {
    ...campaignList,
    load: (tables, stored) => loadCampaignList(physicalSet(CAMPAIGN_LIST, tables), stored, kept),
  },
  {
    ...campaignRevisions,
    load: (tables, stored) => loadCampaignRevisions(physicalSet(CAMPAIGN_REVISIONS, tables), stored, kept),
  },
]

test.each([
  ['one campaign in memory', 1, 1],
  ['two campaigns in memory', 2, 7],
  ['some campaigns in memory', 3, 40],
  ['every campaign in memory', 4000, 10_000],
])('a load with %s makes the rows that apply makes', async (_, kept, writeEvery) => {
  await history(260, 5)
  for (const model of withKept(kept)) {
    await applyAll(model, 7)
    const log = paged(writeEvery)
    const loaded = await load({ db, store: log, model }, await beginBuilding(db, model), await store.head(), writeEvery)
    expect(loaded.position).toBe(await store.head())
    for (const base of model.tables) {
      const expected = await rowsOf(tablesOf(model, 1)[base] ?? '')
      expect(expected.length).toBeGreaterThan(0)
      expect(await rowsOf(tablesOf(model, loaded.generation)[base] ?? '')).toEqual(expected)
    }
  }
})

/** The read model; `during` runs in the transaction of each write, after its rows. */
function writing(model: ReadModel, during: (on: Kysely<Db>) => Promise<unknown>): ReadModel {
  const { load: whole } = model
  if (whole === undefined) throw new Error(`${model.name} has no load`)
  return {
    ...model,
    load: (tables, stored) => {
      const loader = whole(tables, stored)
      return {
        ...loader,
        take: (all) => {
          const write = loader.take(all)
          return async (on) => {
            await write(on)
            await during(on)
          }
        },
      }
    },
  }
}

test('a load that is killed between the rows and the checkpoint leaves nothing behind', async () => {
  await history(40, 3)
  await applyAll(campaignList, 100)
  const shown = await rowsOf('rm_campaign_list')
  const cut = writing(campaignList, (on) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(on))
  await expect(rebuild(db, store, cut)).rejects.toThrow()
  expect(await rowsOf('rm_campaign_list')).toEqual(shown)
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relname like 'rm_campaign_list\\_\\_g%' and relkind = 'r'`.execute(db)
  expect(rows).toEqual([{ name: 'rm_campaign_list__g1' }])
  expect(await rebuild(db, store, campaignList)).toMatchObject({ replaced: true })
  expect(await rowsOf('rm_campaign_list')).toEqual(shown)
})

test('a load whose generation was dropped meanwhile writes nothing', async () => {
  await history(10, 2)
  const building = await beginBuilding(db, campaignList)
  await sql`update es.subscriptions set position = 1 where status = 'building'`.execute(db)
  await expect(load({ db, store, model: campaignList }, building, await store.head())).rejects.toThrow('is no longer at 0')
  expect(await rowsOf(tablesOf(campaignList, building.generation)['campaign_list'] ?? '')).toEqual([])
})

test('a rebuild by load beside appends shows each of them once', async () => {
  await history(60, 4)
  for (const model of [campaignList, campaignRevisions]) {
    await applyAll(model, 100)
    let added = 0
    const busy: EventStore = {
      ...store,
      async *scan(after): AsyncGenerator<Page> {
        for await (const page of store.scan(after)) {
          if (added < 5) {
            added += 1
            await commit('c1', false)
            await applyAll(model, 100)
          }
          yield page
        }
      },
    }
    expect(await rebuild(db, busy, model)).toMatchObject({ replaced: true, parked: [] })
    expect(added).toBeGreaterThan(0)
    expect((await liveGeneration(db, model.name))?.position).toBe(await store.head())
    expect(await verify(db, store, model)).toEqual({ kind: 'compared', differences: [] })
  }
})

test('a rebuild parks the stream whose event cannot be loaded, and shows the others', async () => {
  await history(12, 3)
  const bad = { id: derivedId('bad'), type: 'CampaignUpdated', schemaVersion: 1, data: '{"changes": null}', metadata: '{}' }
  await store.append({ stream: 'campaign-c0', expected: written.get('campaign-c0') ?? 0, events: [bad] })
  for (const model of [campaignList, campaignRevisions]) {
    expect(await rebuild(db, store, model)).toMatchObject({ replaced: true, parked: [{ stream: 'campaign-c0' }] })
    expect(await rowsOf(`rm_${model.tables[0]}`)).not.toEqual([])
    expect(await verify(db, store, model)).toEqual({ kind: 'compared', differences: [] })
  }
})
