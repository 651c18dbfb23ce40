import { describe, it } from 'vitest'
import { createClickHouseFactStore } from '../../factstore/clickhouse/clickhouse-fact-store.ts'
import { openClickHouse, type ClickHouse } from '../../factstore/clickhouse/clickhouse.ts'
import { prepareTables } from '../../factstore/clickhouse/tables.ts'
import { NO_CLICKHOUSE, startTestClickHouse } from '../support/clickhouse/clickhouse.ts'
import { factStoreContract, type FactStoreUnderTest } from './fact-store.contract.ts'

/** Two reads, the blocks of two months, and the mark: a fault before each of them, and after it. */
const AMOUNT = { steps: 10, runs: 6 }

if (NO_CLICKHOUSE === null) factStoreContract('ClickHouse', open, AMOUNT)
else
  describe('a fact store on ClickHouse', () =>
    it.skip(`promises what every fact store does (skipped: ${NO_CLICKHOUSE})`, () => {}))

async function open(): Promise<FactStoreUnderTest> {
  const server = await startTestClickHouse()
  const url = await server.create()
  const clickhouse = openClickHouse(url)
  await prepareTables(clickhouse)
  const store = createClickHouseFactStore(clickhouse)
  return {
    store,
    crashing: (step) => createClickHouseFactStore(crashingAt(clickhouse, step)),
    another: () => createClickHouseFactStore(openClickHouse(url)),
    stop: async () => {
      await store.close()
      await server.stop()
    },
  }
}

/** Fails before (even steps) or after (odd steps) its call number `step / 2`, and at every later call. */
function crashingAt(clickhouse: ClickHouse, step: number): ClickHouse {
  const [last, after] = [Math.floor(step / 2), step % 2 === 1]
  let calls = 0
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    const n = calls++
    if (n < last) return work()
    if (n === last && after) await work()
    throw new Error('crash')
  }
  return {
    ...clickhouse,
    query: (...args) => counted(() => clickhouse.query(...args)),
    insert: (...args) => counted(() => clickhouse.insert(...args)),
  }
}
