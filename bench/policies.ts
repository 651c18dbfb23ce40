import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely, createPool } from '#platform/database/pool'
import { derivedId, newId } from '#platform/ids'
import { sql } from 'kysely'
import { setTimeout as delay } from 'node:timers/promises'
import { body, commandsOver, issue } from './support/lives.ts'
import { round, say, type Figures } from './support/measure.ts'
import { SPACE, startBenchProduct, WHITELABEL } from './support/product.ts'
import { withServer } from './support/server.ts'

const CAMPAIGNS = 10_000
const CALLERS = 64
/** From the first campaign to the end of all of them, milliseconds: longer than creating them takes. */
const AHEAD_MS = 120_000
const GIVE_UP_MS = 120_000

/**
 * Seconds from the instant at which 10,000 approved campaigns end until the last end is recorded. The whole product runs beside.
 */
export const policies = (): Promise<Figures> =>
  withServer(async (server) => {
    const database = `policies_${process.pid}`
    try {
      const url = await server.create(database)
      const product = await startBenchProduct(url, { PLACARD_EXCHANGE_REVIEW: 'external' })
      const pool = createPool(url, { max: 20, applicationName: 'placard-bench', onError: () => undefined })
      const db = createKysely(pool)
      const store = createPostgresEventStore({ pool, url })
      const commands = commandsOver(store)
      const end = new Date(Date.now() + AHEAD_MS).toISOString()
      let next = 0
      const make = async () => {
        while (next < CAMPAIGNS) {
          const name = `Ends ${(next += 1)}`
          const id = newId()
          const request = { id, spaceId: SPACE, whitelabelId: WHITELABEL, publish: true, source: null, newIds: [] }
          await commands.create(issue(newId()), { ...request, patch: { ...body(name), campaign_end_at: end } })
          const { moderation_start_at: moderationStartAt } = await commands.load(id)
          await commands.approve(id, issue(derivedId('approve', id)), {
            moderationStartAt,
            categoryKeys: null,
            exchangeId: ['google'],
          })
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, make))
      await product.ready()
      const early = Date.parse(end) - Date.now()
      say(`${CAMPAIGNS} campaigns are approved, ${(early / 1000).toFixed(0)} s before they end`)
      if (early < 0) throw new Error('the campaigns ended before they were all approved')
      await delay(early)
      const recorded = async () => {
        const { rows } = await sql<{ n: number; last: Date }>`
          select count(*)::int as n, max(recorded_at) as last from es.events
          where type = 'FlightChanged' and data->>'flight' = 'ended' and data->>'due' = ${end}`.execute(db)
        return rows[0] ?? { n: 0, last: new Date(0) }
      }
      for (const begun = Date.now(); Date.now() - begun < GIVE_UP_MS; await delay(500))
        if ((await recorded()).n >= CAMPAIGNS) break
      const { n, last } = await recorded()
      if (n !== CAMPAIGNS) throw new Error(`${n} of ${CAMPAIGNS} ends were recorded within ${GIVE_UP_MS / 1000} s`)
      await store.close()
      await pool.end()
      await product.stop()
      return { ends_10k_s: round((last.getTime() - Date.parse(end)) / 1000) }
    } finally {
      await server.drop(database)
    }
  })
