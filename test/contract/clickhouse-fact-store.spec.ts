import { describe, expect, it } from 'vitest'
import { DIMENSIONS, MEASURES, type Fact } from '#domain/delivery/batch'
import { createClickHouseFactStore } from '#factstore/clickhouse/clickhouse-fact-store'
import { openClickHouse, type ClickHouse } from '#factstore/clickhouse/clickhouse'
import { prepareTables } from '#factstore/clickhouse/tables'
import { NO_CLICKHOUSE, startTestClickHouse } from '../support/clickhouse/clickhouse.ts'
import { factStoreContract, type FactStoreUnderTest } from './fact-store.contract.ts'

/** Two reads, the blocks of two months, and the mark: a fault before each of them, and after it. */
const AMOUNT = { steps: 10, runs: 15 }

if (NO_CLICKHOUSE === null) {
  factStoreContract('ClickHouse', open, AMOUNT)
  describe('a fact store on ClickHouse', afterTokens)
} else
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

/** The engine forgets tokens; what is stored proves itself. */
function afterTokens(): void {
  it('completes a half stored batch once after the engine forgot its tokens', async () => {
    const server = await startTestClickHouse()
    const clickhouse = openClickHouse(await server.create())
    await prepareTables(clickhouse)
    const [early, late] = ['2026-10-31T23:00:00.000Z', '2026-11-01T00:00:00.000Z'].map((hour) => factAt(hour)) as [Fact, Fact]
    const batch = { id: 'half', facts: [early, late] }
    // Fails after the insert of the first month.
    await expect(createClickHouseFactStore(crashingAt(clickhouse, 5)).store(batch)).rejects.toThrow('crash')
    await clickhouse.run('alter table facts modify setting non_replicated_deduplication_window = 0')
    const store = createClickHouseFactStore(clickhouse)
    const sums = async () => (await store.totals({ scope: { kind: 'all' }, from: null, to: null })).impressions
    expect(await sums()).toBe(1)
    await store.store(batch)
    await store.store(batch)
    expect(await sums()).toBe(2)
    await store.close()
    await server.stop()
  })
}

const factAt = (hour: string) =>
  ({
    ...Object.fromEntries(DIMENSIONS.map((name) => [name, name])),
    ...Object.fromEntries([...MEASURES, 'spent', 'billed', 'overdelivered'].map((name) => [name, 1])),
    device_type_key: 2,
    hour,
    campaign_id: 'campaign',
    space_id: 'space',
    whitelabel_id: 'wl',
  }) as Fact

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
