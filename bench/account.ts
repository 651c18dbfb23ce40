import { createAccountCommands } from '#commands/account/account-commands'
import { createLedgerCommands } from '#commands/account/ledger-commands'
import { createHandler, seal } from '#commands/handle'
import { ledgerMonth, ledgerStream, type LedgerEvent, type Opening } from '#domain/account/ledger'
import { systemContext } from '#domain/kit/event-metadata'
import type { EventStore, NewEvent } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { derivedId, newId } from '#platform/ids'
import { createSnapshotStore } from '#platform/log/snapshot-store'
import { GENESIS } from '#proof/hash-chain'
import { median, round, say, timed, type Figures } from './support/measure.ts'
import { startBenchProduct } from './support/product.ts'
import { withServer } from './support/server.ts'

const MINUTE_MS = 60_000
const YEARS = Number(process.env['BENCH_YEARS'] ?? 5)
const FIRST_DAY = Date.UTC(2021, 10, 1)
/** Events of one append while the years are filled in. */
const AT_ONCE = 400
const COMMANDS = 40
const SPACE = derivedId('bench', 'account')
const AMOUNT = 1_250_000

/**
 * An account that settles once a minute: what a command of a process that has not seen the account yet costs after a day, and
 * after five years of it (BENCH_YEARS), in the books of the month and in the account's own stream. And how long the product takes
 * to start on a log of that length whose read models are there.
 */
export const account = (): Promise<Figures> =>
  withServer(async (server) => {
    const name = `account_${process.pid}`
    const url = await server.create(name)
    const pool = createPool(url, { max: 4, applicationName: 'placard-bench', mayNest: true })
    const db = createKysely(pool)
    await migrateToLatest(db)
    const store = createPostgresEventStore({ pool, url })
    try {
      let clock = FIRST_DAY
      const now = () => new Date(clock).toISOString()
      const eventId = (id: string, n: number) => derivedId('event', id, String(n))
      /** No cache: each command finds the account as another process does. */
      const handle = createHandler({ store, now, eventId, snapshots: createSnapshotStore(db) })
      const [accounts, ledgers] = [createAccountCommands(handle), createLedgerCommands(handle)]
      const start = async () => {
        const seconds = await timed(async () => {
          const product = await startBenchProduct(url, { PLACARD_DEMO: 'off' })
          await product.ready()
          await product.stop()
        })
        return round(seconds)
      }
      await accounts.execute(SPACE, systemContext('bench', newId()), {
        type: 'OpenAccount',
        spaceId: SPACE,
        whitelabelId: 'bench',
        name: 'Bench',
        currency: 'USD',
        house: false,
      })
      let number = 0
      const measure = async (): Promise<{ readonly settle: number; readonly credit: number }> => {
        const settles: number[] = []
        const credits: number[] = []
        for (let n = 0; n <= COMMANDS; n++) {
          number += 1
          clock += MINUTE_MS
          const month = ledgerMonth(now())
          const settled = settlement(number)
          settles.push(
            await timed(() =>
              done(
                ledgers.execute(SPACE, month, newId(), { type: 'SettleSpend', spaceId: SPACE, month, opening: null, settled }),
              ),
            ),
          )
          credits.push(
            await timed(() =>
              done(accounts.execute(SPACE, systemContext('bench', newId()), { type: 'CreditFunds', amount: 1, reason: 'bench' })),
            ),
          )
        }
        // The first one may make a snapshot.
        return { settle: 1000 * median(settles.slice(1)), credit: 1000 * median(credits.slice(1)) }
      }
      number = await fill(store, number, FIRST_DAY, FIRST_DAY + 1440 * MINUTE_MS)
      clock = FIRST_DAY + 1440 * MINUTE_MS
      const day = await measure()
      await start()
      const startDay = await start()
      const end = Date.UTC(2021 + YEARS, 10, 1)
      say(`day 1: ${round(day.settle)} ms, ${startDay} s; filling ${YEARS} years`)
      const filled = await timed(async () => {
        number = await fill(store, number, Date.UTC(2021, 11, 1), end)
      })
      clock = end - MINUTE_MS * 1440
      const years = await measure()
      await pool.query(`update es.subscriptions set position = (select max(position) from es.events)`)
      return {
        command_ms_day1: round(day.settle),
        [`command_ms_year${YEARS}`]: round(years.settle),
        account_command_ms_day1: round(day.credit),
        [`account_command_ms_year${YEARS}`]: round(years.credit),
        events: number,
        fill_s: round(filled),
        start_s_day1: startDay,
        start_s: await start(),
      }
    } finally {
      await store.close()
      await pool.end()
      await server.drop(name)
    }
  })

async function done(outcome: Promise<{ readonly kind: string }>): Promise<void> {
  if ((await outcome).kind !== 'done') throw new Error('a bench command was refused')
}

const settlement = (number: number) => ({
  settlement: number,
  amount: AMOUNT,
  charges: { count: 3, first: `bidder/${number}`, last: `bidder/${number}`, sha256: GENESIS },
  campaigns: [0, 1, 2].map((n) => ({ campaign_id: derivedId('bench', 'campaign', String(n)), amount: AMOUNT / 3 })),
})

/** Books of every month between two instants, as commands would have made them; answers the newest settlement. */
async function fill(store: EventStore, settled: number, from: number, until: number): Promise<number> {
  let number = settled
  let month = ''
  let version = 0
  let hash = GENESIS
  let revision = 0
  let batch: NewEvent[] = []
  const flush = async () => {
    if (batch.length === 0) return
    const stream = ledgerStream(SPACE, month)
    const result = await store.append({ stream, expected: version - batch.length, events: batch })
    if (result.kind !== 'appended') throw new Error(`${stream} was written to by another`)
    batch = []
  }
  const add = (event: LedgerEvent, at: string) => {
    revision += 1
    const sealed = seal(
      ledgerStream(SPACE, month),
      [event],
      { version, hash },
      systemContext('bench', newId()),
      { at, revision, actor: 'bench' },
      () => newId(),
    )
    hash = sealed.hash
    version += 1
    batch.push(...sealed.events)
  }
  for (let time = from; time < until; time += MINUTE_MS) {
    const at = new Date(time).toISOString()
    if (ledgerMonth(at) !== month) {
      await flush()
      const previous = month === '' ? null : month
      month = ledgerMonth(at)
      version = 0
      hash = GENESIS
      revision = 0
      const opening: Opening = {
        settlements: number,
        settled: number * AMOUNT,
        balance: -number * AMOUNT,
        account_version: 1,
        previous,
      }
      add({ type: 'LedgerOpened', data: { space_id: SPACE, month, ...opening } }, at)
    }
    number += 1
    add({ type: 'SpendSettled', data: settlement(number) }, at)
    if (batch.length >= AT_ONCE) await flush()
  }
  await flush()
  return number
}
