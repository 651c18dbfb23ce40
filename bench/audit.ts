import { createLogTree } from '#commands/audit/log-tree'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createLogTreeStore } from '#platform/audit/log-tree-store'
import { createKysely, createPool } from '#platform/database/pool'
import { factSet } from './support/facts.ts'
import { percentile, round, say, timed, type Figures } from './support/measure.ts'
import { startBenchServer } from './support/server.ts'

const PROOFS = 1000
/** Pages between two lines about progress. */
const PAGES = 100

/** Builds the transparency log over the event log, and times inclusion and consistency proofs at random places. */
export async function audit(count = 1_000_000, proofs = PROOFS): Promise<Figures> {
  const server = await startBenchServer()
  const database = `audit_${process.pid}`
  try {
    const url = await server.create(database, await factSet(server, count))
    const pool = createPool(url, { max: 4, applicationName: 'placard-bench', synchronousCommit: 'off' })
    const store = createPostgresEventStore({ pool, url })
    const tree = createLogTreeStore(createKysely(pool), 'bench.invalid/log')
    const log = createLogTree({ store, tree })
    const head = await store.head()
    const built = await timed(async () => {
      for (let { position, size } = await tree.state(); position < head; { position, size } = await tree.state()) {
        say(`${size} events in the tree`)
        await log.follow(PAGES)
      }
    })
    const { size } = await tree.state()
    const compared = await timed(async () => {
      const fault = await log.compareAll()
      if (fault !== null) throw new Error(fault)
    })
    const [included, continued]: [number[], number[]] = [[], []]
    for (let i = 0; i < proofs; i++) {
      const place = Math.floor(Math.random() * size)
      included.push(await timed(() => log.inclusion(place, size)))
      continued.push(await timed(() => log.consistency(place, size)))
    }
    await store.close()
    await pool.end()
    const ms = (seconds: readonly number[]) => round(percentile(seconds, 0.95) * 1000)
    return {
      events: size,
      proof_p95_ms: ms(included),
      consistency_p95_ms: ms(continued),
      follow_per_s: Math.round(size / built),
      compare_per_s: Math.round(size / compared),
    }
  } finally {
    await server.drop(database)
    await server.stop()
  }
}
