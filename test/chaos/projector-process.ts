/**
 * A process that keeps the counting read model current, or stands by while another one does. Argument: url. Prints `ready`, and
 * obeys these orders:
 * `hold` wait after the rows of the next page are written and before they are committed, and print `held`
 * `sleep` stop itself (SIGSTOP) after the next page was read and before it is applied; print `asleep` before, and after SIGCONT
 * `refused` or `applied` by the result of the page
 * `stay` continue, and cancel an order to hold or sleep
 * `reach <position>` print `reached` once the read model is at the position
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { EventStore, Page } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely, createPool } from '#platform/database/pool'
import { createLeases } from '#projections/projector/leases'
import { type Projector, startProjector } from '#projections/projector/projector'
import { counting } from './counting.ts'
import { report, takeOrders } from './orders.ts'

const REACH_MS = 1000

const [url = ''] = process.argv.slice(2)
// As in the product: a crash loses rows together with their checkpoint, and a hanging transaction is ended.
const pool = createPool(url, {
  max: 4,
  applicationName: 'placard-chaos',
  // In the product the log has its own pool.
  mayNest: true,
  synchronousCommit: 'off',
  limits: { idleInTransactionMs: 3000 },
})
const db = createKysely(pool)
const leases = createLeases(db, url)
const log = createPostgresEventStore({ pool, url })
let hold = false
let sleep = false
let ending = false
let release: () => void = () => {}

const model = counting(async () => {
  if (!hold) return
  report('held')
  await new Promise<void>((resolve) => (release = resolve))
})

const store: EventStore = {
  ...log,
  subscribe: (options) =>
    log.subscribe({ ...options, onPage: (page) => (sleep ? sleepThen(page, options.onPage) : options.onPage(page)) }),
}

async function sleepThen(page: Page, apply: (page: Page) => Promise<void>): Promise<void> {
  sleep = false
  report('asleep')
  process.kill(process.pid, 'SIGSTOP')
  try {
    await apply(page)
    report('applied')
  } catch (error) {
    report('refused')
    throw error
  }
}

async function start(): Promise<Projector> {
  for (;;) {
    try {
      return await startProjector({
        db,
        url,
        store,
        leases,
        models: [model],
        onError: () => {},
        retryMs: [50, 100, 250],
      })
    } catch (error) {
      // The database may be down: retry like a process supervisor.
      report(`not started: ${String(error)}`)
      await delay(100)
    }
  }
}

const projector = await start()

async function reach(position: bigint): Promise<void> {
  // Queries fail while the database is down.
  while (!ending && !(await projector.reached(position, REACH_MS).catch(() => false))) await delay(50)
  report('reached')
}

takeOrders(
  {
    hold: () => {
      hold = true
    },
    sleep: () => {
      sleep = true
    },
    stay: () => {
      hold = false
      sleep = false
      release()
    },
    reach: (position) => void reach(BigInt(position)),
  },
  () => {
    ending = true
    void projector
      .stop()
      .then(() => leases.close())
      .then(() => log.close())
      .then(() => pool.end())
  },
)
report('ready')
