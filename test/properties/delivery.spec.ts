import fc from 'fast-check'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccountCommands } from '#commands/account/account-commands'
import { createLedgerCommands } from '#commands/account/ledger-commands'
import { createDelivery } from '#commands/delivery/accept-batch'
import type { BatchInbox, DeliveryPort, IncomingBatch } from '#commands/delivery/delivery-port'
import { settlementPolicy } from '#commands/delivery/settle'
import { createHandler } from '#commands/handle'
import { accountStream } from '#domain/account/account'
import { dayOf, type DeliveredCampaign, type DeliveryRow } from '#domain/delivery/batch'
import type { EventStore } from '#eventstore/event-store'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import type { FactStore } from '#factstore/fact-store'
import { createClickHouseFactStore } from '#factstore/clickhouse/clickhouse-fact-store'
import { openClickHouse } from '#factstore/clickhouse/clickhouse'
import { prepareTables } from '#factstore/clickhouse/tables'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import type { RollUpRules } from '#factstore/postgres/roll-up'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { createBatchInbox, type FactsHere } from '#platform/delivery/batch-inbox'
import { createSettlements } from '#platform/delivery/settlements'
import { derivedId, newId } from '#platform/ids'
import { rollUp } from '../contract/fact-store.contract.ts'
import { NO_CLICKHOUSE, startTestClickHouse, type TestClickHouse } from '../support/clickhouse/clickhouse.ts'
import { limit, runs } from '../support/properties.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const HOUR_MS = 3_600_000
const FIRST = Date.UTC(2026, 10, 1)
const NOW = '2026-11-10T00:00:00.000Z'
const SERVED = [{ from: '2026-11-01T00:00:00.000Z', to: null }]

type Fault = 'none' | 'before storing' | 'after storing' | 'while marking'
const FAULTS: readonly Fault[] = ['none', 'none', 'before storing', 'after storing', 'while marking']

const crash = () => Promise.reject(new Error('crash'))

const CLICKHOUSE = 'ClickHouse' as const
/** As the product has them: facts are stored in the transaction that accepts their batch. */
const HERE = 'the PostgreSQL of the batches'
/** Few rows have rollups already, and most groupings have too many keys. */
const SMALL: RollUpRules = { fewestRows: 2, mostKeys: 1, rowsPerKey: 1, overForMinutes: 0 }
/** Where the facts are, and how many random lives are tried there. */
const PLACES = [
  { place: 'PostgreSQL', usual: 20, skipped: null },
  { place: HERE, usual: 20, skipped: null },
  { place: CLICKHOUSE, usual: 8, skipped: NO_CLICKHOUSE },
] as const

const titleOf = ({ place, skipped }: (typeof PLACES)[number]) => `${place}${skipped === null ? '' : ` (skipped: ${skipped})`}`

describe.for(PLACES.map((one) => ({ ...one, title: titleOf(one) })))(
  'delivery with repeats, concurrency and crashes, facts in $title',
  { timeout: limit() },
  ({ place, usual, skipped }) => {
    const times = runs(usual)
    let database: TestDatabase
    let real: FactStore
    let here: FactsHere | null = null
    let clickhouse: TestClickHouse | null = null
    beforeAll(async () => {
      if (skipped !== null) return
      database = await createTestDatabase()
      if (place !== CLICKHOUSE) {
        const opened = createPostgresFactStore(createKysely(database.pool), SMALL)
        real = opened
        if (place === HERE) here = opened.batches
        return
      }
      clickhouse = await startTestClickHouse()
      const opened = openClickHouse(await clickhouse.create())
      await prepareTables(opened)
      real = createClickHouseFactStore(opened)
    })
    afterAll(async () => {
      if (skipped !== null) return
      await real.close()
      await clickhouse?.stop()
      await database.drop()
    })

    it.skipIf(skipped !== null)(
      'facts, billed spend, charges and the ledger agree to the micro, and no budget is exceeded',
      async () => {
        const db = createKysely(database.pool)
        const reached = {
          capped: 0,
          crashed: 0,
          repeated: 0,
          closed: 0,
          months: 0,
          summed: real.rollUp === undefined ? times : 0,
        }
        const row = fc.record({ campaign: fc.nat(2), hour: fc.nat(60), spent: fc.integer({ min: 0, max: 900 }) })
        const sent = fc.record({
          rows: fc.array(row, { minLength: 1, maxLength: 6 }),
          times: fc.integer({ min: 1, max: 3 }),
          fault: fc.constantFrom(...FAULTS),
        })
        await fc.assert(
          fc.asyncProperty(
            fc.array(sent, { minLength: 1, maxLength: 8, size: 'max' }),
            fc.array(
              fc.record({
                budget: fc.integer({ min: 0, max: 3000 }),
                type: fc.constantFrom(1, 2),
                zone: fc.constantFrom(-3600, 0, 7200),
              }),
              {
                minLength: 3,
                maxLength: 3,
              },
            ),
            fc.nat(2),
            async (batches, plans, settlementCrashes) => {
              const spaces = [newId(), newId()]
              const campaigns = new Map(
                plans.map(({ budget, type, zone }, n): [string, DeliveredCampaign] => {
                  const id = newId()
                  const of = { space_id: spaces[n % 2] ?? '', whitelabel_id: 'wl', timezone_offset_seconds: zone, served: SERVED }
                  return [id, { id, budget, budget_type_key: type, ...of }]
                }),
              )
              const ids = [...campaigns.keys()]
              const store = createMemoryEventStore()
              const eventId = (command: string, n: number) => derivedId('event', command, String(n))
              const handle = createHandler({ store, now: () => NOW, eventId })
              const accounts = createAccountCommands(handle)
              const ledgers = createLedgerCommands(handle)
              for (const spaceId of spaces)
                await accounts.execute(spaceId, CONTEXT(newId()), {
                  type: 'OpenAccount',
                  spaceId,
                  whitelabelId: 'wl',
                  name: spaceId,
                  currency: 'USD',
                  house: false,
                })
              // A month goes by after every round of settlements.
              let month = 10
              const later = () => new Date(Date.UTC(2026, month, 10)).toISOString()
              const inbox = createBatchInbox(db)
              const settlements = createSettlements(db)
              const deliveryWith = (fault: Fault) => {
                const facts: FactStore = {
                  ...real,
                  store: async (batch) => {
                    if (fault === 'before storing') return crash()
                    await real.store(batch)
                    return fault === 'after storing' ? crash() : undefined
                  },
                }
                const port: DeliveryPort = {
                  inbox: here === null ? failing(inbox, fault) : failingHere(here, db, fault),
                  settlements,
                  delivered: async (asked) =>
                    new Map(asked.flatMap((id) => (campaigns.has(id) ? [[id, campaigns.get(id)!]] : []))),
                  caughtUp: async () => undefined,
                }
                return createDelivery({ port, facts, now: () => NOW })
              }
              const incoming = batches.map(({ rows }): IncomingBatch => ({
                id: newId(),
                bodyHash: 'x',
                bidder: null,
                whitelabelId: null,
                rows: rows.map(({ campaign, hour, spent }) => rowOf(ids[campaign] ?? '', hour, spent)),
              }))
              const policy = settlementPolicy({
                settlements: ofSpaces(settlements, spaces),
                accounts,
                ledgers,
                now: later,
                commandId: derivedId,
                everyMs: 0,
              })
              const failingPolicy = settlementPolicy({
                settlements: { ...ofSpaces(settlements, spaces), recorded: crash },
                accounts,
                ledgers,
                now: later,
                commandId: derivedId,
                everyMs: 0,
              })
              // Batches that meet the same fault come to one process, which stores those of a moment together.
              const deliveries = new Map(FAULTS.map((fault) => [fault, deliveryWith(fault)]))
              const deliverAll = async (from: number, to?: number) => {
                await Promise.all(
                  batches.slice(from, to).flatMap(({ times, fault }, n) =>
                    Array.from({ length: times }, async (_, time) => {
                      reached.repeated += time > 0 ? 1 : 0
                      const batch = incoming[from + n]
                      if (batch === undefined) return
                      const accepted = await deliveries
                        .get(time === 0 ? fault : 'none')
                        ?.accept(batch)
                        .catch(() => null)
                      reached.crashed += accepted === null ? 1 : 0
                    }),
                  ),
                )
              }
              // Some batches come after books of the first were made.
              const half = Math.floor(batches.length / 2)
              await deliverAll(0, half)
              for (let round = 0; round < settlementCrashes; round++, month++)
                for (const { act } of await failingPolicy.scan([])) await act().catch(() => undefined)
              // Rollups are written before some batches, beside others, and after.
              const summing = rollUp(real)
              await deliverAll(half)
              reached.summed += (await summing) + (await rollUp(real))
              for (const batch of incoming) expect((await deliveryWith('none').accept(batch)).kind).toBe('accepted')
              // A sweep stores what crashes left behind.
              await sql`update app.delivery_batches set received_at = received_at - interval '1 minute'`.execute(db)
              const left = deliveryWith('none').storing
              for (let found = await left.scan([]); found.length > 0; found = await left.scan([]))
                await Promise.all(found.map(({ act }) => act()))

              for (let round = 0; round < 3; round++, month++) await Promise.all((await policy.scan([])).map(({ act }) => act()))
              // Two processes at once.
              await Promise.all(
                [policy.scan([]), policy.scan([])].map(async (found) => Promise.all((await found).map(({ act }) => act()))),
              )

              for (const [n, spaceId] of spaces.entries()) {
                const own = ids.filter((_, i) => i % 2 === n)
                const rows = incoming.flatMap((batch) => batch.rows).filter((one) => own.includes(one.campaign_id))
                const scope = { kind: 'spaces', ids: [spaceId] } as const
                const sums = await real.totals({ scope, from: null, to: null })
                const { rows: charged } = await sql<{ readonly billed: bigint; readonly charges: bigint }>`
              select (select coalesce(sum(billed), 0)::bigint from app.campaign_spend where campaign_id = any(${own})) as billed,
                     (select coalesce(sum(amount), 0)::bigint from app.delivery_charges where space_id = ${spaceId}) as charges`.execute(
                  db,
                )
                expect((await store.readStream(accountStream(spaceId))).map(({ type }) => type)).toEqual(['AccountOpened'])
                const books = await booksOf(store, spaceId)
                reached.closed += books.closed
                reached.months += books.months > 1 ? 1 : 0
                expect(sums.spent + sums.overdelivered).toBe(rows.reduce((sum, one) => sum + one.spent, 0))
                expect(Number(charged[0]?.billed)).toBe(sums.spent)
                expect(Number(charged[0]?.charges)).toBe(sums.spent)
                expect(books.spent).toBe(sums.spent)
                expect(await settlements.booked(spaceId)).toBe(sums.spent)
              }
              const byCampaign = await real.byCampaign({ scope: { kind: 'campaigns', ids }, from: null, to: null })
              for (const campaign of campaigns.values()) {
                const rows = incoming.flatMap((batch) => batch.rows).filter((one) => one.campaign_id === campaign.id)
                const periods = new Map<string, number>()
                for (const { hour, spent } of rows) {
                  const period = campaign.budget_type_key === 1 ? 'total' : dayOf(hour, campaign)
                  periods.set(period, (periods.get(period) ?? 0) + spent)
                }
                const budget = campaign.budget ?? 0
                reached.capped += [...periods.values()].some((spent) => spent > budget) ? 1 : 0
                // The cap holds in each period, and nothing below it is lost.
                const wanted = [...periods.values()].reduce((sum, spent) => sum + Math.min(budget, spent), 0)
                expect(byCampaign.get(campaign.id)?.spent ?? 0).toBe(wanted)
              }
            },
          ),
          { endOnFailure: true, numRuns: times },
        )
        for (const count of Object.values(reached)) expect(count).toBeGreaterThan(times / 3)
      },
    )
  },
)

it('billed spend ends with the last hour that was billed, not with hours beyond the budget', async () => {
  const database = await createTestDatabase()
  try {
    const id = newId()
    const of = { space_id: newId(), whitelabel_id: 'wl', timezone_offset_seconds: 0, served: SERVED }
    const campaigns = new Map<string, DeliveredCampaign>([[id, { id, budget: 100, budget_type_key: 1, ...of }]])
    const inbox = createBatchInbox(createKysely(database.pool))
    const accept = (...rows: readonly DeliveryRow[]) =>
      inbox.accept({ id: newId(), bodyHash: 'x', bidder: null, whitelabelId: null, rows }, campaigns)
    const until = async () => {
      const { rows } = await database.pool.query<{ last_billed_until: Date | null }>(
        'select last_billed_until from app.campaign_spend_totals where campaign_id = $1',
        [id],
      )
      return rows[0]?.last_billed_until?.toISOString() ?? null
    }
    const endOf = (hour: number) => new Date(FIRST + (hour + 1) * HOUR_MS).toISOString()
    await accept(rowOf(id, 2, 0))
    expect(await until()).toBeNull()
    // The second batch reaches the budget in hour 5; hour 30 is another day.
    await accept(rowOf(id, 3, 60))
    await accept(rowOf(id, 5, 40), rowOf(id, 7, 5), rowOf(id, 30, 9))
    expect(await until()).toBe(endOf(5))
    await accept(rowOf(id, 4, 1), rowOf(id, 31, 9))
    expect(await until()).toBe(endOf(5))
  } finally {
    await database.drop()
  }
})

const CONTEXT = (commandId: string) => ({
  actor: 'system:test',
  role: 'SYSTEM',
  on_behalf_of: null,
  source: 'policy' as const,
  command_id: commandId,
  body_hash: null,
  correlation: '',
  causation: null,
})

/** Sums of an account's books, added up by hand: each month must start where the one before ended. */
async function booksOf(
  store: EventStore,
  spaceId: string,
): Promise<{ readonly spent: number; readonly closed: number; readonly months: number }> {
  const { events } = await store.readAll(0n, 10_000)
  const books = events
    .filter(({ stream }) => stream.startsWith(`ledger-${spaceId}-`))
    .toSorted((a, b) => (a.stream === b.stream ? a.version - b.version : a.stream < b.stream ? -1 : 1))
  let spent = 0
  let inMonth = 0
  let closed = 0
  const numbers: number[] = []
  for (const { type, data, stream, version } of books) {
    const event = JSON.parse(data)
    expect(type === 'LedgerOpened').toBe(version === 1)
    if (type === 'LedgerOpened') {
      expect(event).toMatchObject({ settled: spent, balance: 0 - spent, settlements: numbers.length, month: stream.slice(-6) })
      inMonth = 0
    } else if (type === 'SpendSettled') {
      spent += event.amount
      inMonth += event.amount
      numbers.push(event.settlement)
    } else {
      expect(event).toMatchObject({ spent: inMonth, settled: spent, settlements: numbers.length })
      closed += 1
    }
  }
  expect(numbers).toEqual(numbers.map((_, n) => n + 1))
  return { spent, closed, months: new Set(books.map(({ stream }) => stream)).size }
}

/** Only accounts of this run: the database holds those of earlier ones. */
const ofSpaces = (settlements: DeliveryPort['settlements'], spaces: readonly string[]): DeliveryPort['settlements'] => ({
  ...settlements,
  due: async (...asked) => (await settlements.due(...asked)).filter((id) => spaces.includes(id)),
  over: async (...asked) => (await settlements.over(...asked)).filter(({ spaceId }) => spaces.includes(spaceId)),
})

/** An inbox beside the fact store that crashes at one step. */
const failing = (inbox: BatchInbox, fault: Fault): BatchInbox => (fault === 'while marking' ? { ...inbox, stored: crash } : inbox)

/** An inbox in the database of the facts, whose transaction crashes before or after they are in, or whose process does after it. */
function failingHere(here: FactsHere, db: Kysely<Db>, fault: Fault): BatchInbox {
  const inbox = createBatchInbox(db, {
    ...here,
    insert: async (tx, batch) => {
      if (fault === 'before storing') return crash()
      await here.insert(tx, batch)
      return fault === 'after storing' ? crash() : undefined
    },
  })
  const accept: BatchInbox['accept'] = async (...asked) => {
    await inbox.accept(...asked)
    return crash()
  }
  return fault === 'while marking' ? { ...inbox, accept } : inbox
}

const rowOf = (campaign_id: string, hour: number, spent: number): DeliveryRow => ({
  hour: new Date(FIRST + hour * HOUR_MS).toISOString(),
  campaign_id,
  creative_id: 'creative',
  size: '300x250',
  exchange: 'google',
  publisher: 'news',
  app_or_site: 'news.example',
  device_type_key: 3,
  os: 'Android',
  country: 'NG',
  region: '',
  city: '',
  impressions: spent,
  clicks: 0,
  conversions: 0,
  unique_conversions: 0,
  conversions_unique_bid: 0,
  bids: spent,
  reach: 0,
  bounces: 0,
  engagements: 0,
  completed_views: 0,
  unconfirmed_conversions: 0,
  spent,
})
