import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { sql, type Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { EVENT_KINDS, streamOfSubject, type EventKind } from '#domain/audit/event-kinds'
import { ACCOUNT_EVENTS } from '#domain/account/account'
import { LEDGER_EVENTS } from '#domain/account/ledger'
import { AUDIENCE_EVENTS } from '#domain/audience/audience'
import { CAMPAIGN_EVENTS } from '#domain/campaign/events'
import { INVOICE_EVENTS } from '#domain/invoice/events'
import { PAYMENT_EVENTS } from '#domain/payment/payment'
import { REGISTRATION_EVENTS } from '#domain/registration/registration'
import { WHITE_LABEL_EVENTS } from '#domain/white-label/white-label'
import type { EventStore, NewEvent } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { derivedId } from '#platform/ids'
import { auditLog } from '#projections/audit/read-model'
import { readFeed, type FeedFilter } from '#projections/audit/queries'
import { applyPage } from '#projections/projector/checkpoint'
import { beginBuilding, ensureLive } from '#projections/projector/generations'
import { load } from '#projections/projector/load'
import { tablesOf } from '#projections/projector/read-model'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { limit, runs } from '../support/properties.ts'

let database: TestDatabase
let db: Kysely<Db>
let store: EventStore

/** Runs on its own database. */
async function onDatabase(work: () => Promise<void>): Promise<void> {
  database = await createTestDatabase()
  db = createKysely(database.pool)
  store = createPostgresEventStore(database)
  written.clear()
  try {
    await work()
  } finally {
    await store.close()
    await database.drop()
  }
}

const GOLDEN = fileURLToPath(new URL('../golden/events/', import.meta.url))
type Golden = { readonly type: string; readonly schema_version: number; readonly data: string; readonly metadata: string }
/** Every version of a type's golden events. */
const golden = (type: string): readonly Golden[] =>
  readdirSync(`${GOLDEN}${type}`)
    .filter((file) => /^v\d+\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(`${GOLDEN}${type}/${file}`, 'utf8')))

const TYPES: Readonly<Record<EventKind, readonly string[]>> = {
  account: Object.keys(ACCOUNT_EVENTS),
  audience: Object.keys(AUDIENCE_EVENTS),
  campaign: Object.keys(CAMPAIGN_EVENTS),
  invoice: Object.keys(INVOICE_EVENTS),
  ledger: Object.keys(LEDGER_EVENTS),
  payment: Object.keys(PAYMENT_EVENTS),
  registration: Object.keys(REGISTRATION_EVENTS),
  'white-label': Object.keys(WHITE_LABEL_EVENTS),
}
const IDS: Readonly<Record<EventKind, readonly string[]>> = {
  account: ['s1', 's2'],
  audience: ['a1'],
  campaign: ['c1', 'c2'],
  invoice: ['i1'],
  ledger: ['s1-202601', 's2-202601', 'unopened-202601'],
  payment: ['p1'],
  registration: ['r1'],
  'white-label': ['w1'],
}

/** Any event of any subject, whether it makes sense there or not: a stored log is read as it is. */
const steps = fc.array(
  fc.constantFrom(...EVENT_KINDS).chain((kind) =>
    fc.record({
      stream: fc.constantFrom(...IDS[kind]).map((id) => streamOfSubject(kind, id)),
      event: fc.constantFrom(...TYPES[kind]).chain((type) => fc.constantFrom(...golden(type))),
      day: fc.integer({ min: 1, max: 28 }),
      // A field with another value than in the corpus.
      other: fc.boolean(),
      isUnreadable: fc.integer({ min: 0, max: 30 }).map((n) => n === 0),
    }),
  ),
  { minLength: 1, maxLength: 60 },
)
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never

const written = new Map<string, number>()

async function append({ stream, event, day, other, isUnreadable }: Step, n: number): Promise<void> {
  const { type, schema_version: schemaVersion } = event
  const expected = written.get(stream) ?? 0
  const data = JSON.parse(event.data)
  const changed = other
    ? { ...data, ...('credit_limit' in data ? { credit_limit: n } : {}), ...('name' in data ? { name: `N${n}` } : {}) }
    : data
  const metadata = { ...JSON.parse(event.metadata), at: `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z` }
  const stored: NewEvent = {
    id: derivedId(stream, String(n)),
    type,
    schemaVersion,
    data: isUnreadable ? '{"changes": 7, "fields": 7}' : JSON.stringify(changed),
    metadata: JSON.stringify(metadata),
  }
  const result = await store.append({ stream, expected, events: [stored] })
  if (result.kind !== 'appended') throw new Error('a stream of one writer')
  written.set(stream, expected + 1)
}

const rowsOf = async (table: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(table)} t order by to_jsonb(t) -> 'position', to_jsonb(t)`.execute(db)
  return rows.map(({ row }) => row)
}

async function applyAll(size: number): Promise<void> {
  let at = await ensureLive(db, auditLog)
  const memory = new Map()
  for (;;) {
    const { events, upTo } = await store.readAll(at.position, size)
    if (events.length === 0) return
    await applyPage(db, auditLog, at, { events, upTo }, memory)
    at = { ...at, position: upTo }
  }
}

/** Place and author of each event by the plainest reading of the log. */
async function plainly() {
  const { rows } = await database.pool.query<{ stream: string; type: string; version: number; data: string; metadata: string }>(
    'select stream_id as stream, type, version, data::text as data, metadata::text as metadata from es.events order by position',
  )
  const places = new Map<string, readonly [string | null, string | null]>()
  return rows.map(({ stream, type, version, data: text, metadata }) => {
    const data = JSON.parse(text)
    const kind = stream.startsWith('white-label') ? 'white-label' : stream.slice(0, stream.indexOf('-'))
    const id = stream.slice(kind.length + 1)
    const says = [
      'AccountOpened',
      'AudienceCreated',
      'CampaignCreated',
      'CreditNoteDocumented',
      'InvoiceDrafted',
      'PaymentStarted',
      'RegistrationSubmitted',
    ]
    if (says.includes(type)) places.set(stream, [data.whitelabel_id ?? null, data.space_id ?? null])
    const of = kind === 'ledger' ? `account-${id.slice(0, id.lastIndexOf('-'))}` : stream
    const [whitelabel_id, space_id] = kind === 'white-label' ? [id, null] : (places.get(of) ?? [null, null])
    const { actor, role, source, at, revision, on_behalf_of } = JSON.parse(metadata)
    return { kind, subject_id: id, type, version, whitelabel_id, space_id, actor, role, source, at, revision, on_behalf_of }
  })
}

test(
  'the audit log has one row for each event of random logs, the same by load, by pages and by single events',
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), (some, size) =>
        onDatabase(async () => {
          for (const [n, step] of some.entries()) await append(step, n)
          await applyAll(size)
          const loaded = await load({ db, store, model: auditLog }, await beginBuilding(db, auditLog), await store.head(), size)
          const [live, built] = [tablesOf(auditLog, 1), tablesOf(auditLog, loaded.generation)]
          for (const base of auditLog.tables) expect(await rowsOf(built[base] ?? '')).toEqual(await rowsOf(live[base] ?? ''))
          const rows = (await rowsOf(live['audit_log'] ?? '')).map(({ position: _p, fields: _f, was: _w, ...row }) => row)
          expect(rows).toEqual(await plainly())
          await limits()
        }),
      ),
      { endOnFailure: true, numRuns: runs(12) },
    )
  },
  limit(),
)

const ALL: FeedFilter = {
  whitelabelId: null,
  actor: null,
  by: null,
  kind: null,
  subject: null,
  space: null,
  types: null,
  fields: null,
  from: null,
  to: null,
}

/** A filter of a period finds what a scan finds, however few rows a page may read. */
async function limits(): Promise<void> {
  const filter = { ...ALL, from: '2026-01-07T00:00:00.000Z', to: '2026-01-15T00:00:00.000Z', by: 'people' as const }
  const found = async (descending: boolean) => {
    const positions: bigint[] = []
    let range: { after: bigint; before: bigint | null } = { after: 0n, before: null }
    for (let pages = 0; pages < 200; pages++) {
      const { rows, next } = await readFeed(db, filter, { ...range, descending, limit: 3 }, 2)
      positions.push(...rows.map(({ position }) => position))
      if (next === null) return positions
      range = descending ? { ...range, before: next } : { ...range, after: next }
    }
    throw new Error('the feed does not end')
  }
  const { rows } = await database.pool.query<{ position: string }>(
    `select position::text from es.events e where metadata ->> 'at' >= $1 and metadata ->> 'at' < $2
       and metadata ->> 'actor' not like 'system:%' order by e.position`,
    [filter.from, filter.to],
  )
  const expected = rows.map(({ position }) => BigInt(position))
  expect(await found(false)).toEqual(expected)
  expect(await found(true)).toEqual(expected.toReversed())
}

test('waits for a newer version, and guesses nothing', () =>
  onDatabase(async () => {
    const newer = golden('CreditLimitChanged')[0]
    if (newer === undefined) throw new Error('no golden event')
    await append({ stream: 'account-s1', event: { ...newer, schema_version: 99 }, day: 1, other: false, isUnreadable: false }, 1)
    const reason = 'this build knows versions up to 1'
    await expect(applyAll(10)).rejects.toThrow(reason)
    const building = await beginBuilding(db, auditLog)
    await expect(load({ db, store, model: auditLog }, building, await store.head())).rejects.toThrow(reason)
  }))
