import { makePostgresFacts } from './support/delivered-facts.ts'
import { readySet, stampedIds } from './support/facts.ts'
import { median, round, say, timed, type Figures } from './support/measure.ts'
import { startBenchProduct } from './support/product.ts'
import { withServer, type BenchServer } from './support/server.ts'

const RUNS = 3
const CAMPAIGNS = 100
const DAY_MS = 86_400_000

/** From the start of the process to its first ready answer, seconds, on a log and facts of this size that it has started on before. */
export const start = (events = 1_000_000, facts = 1_000_000): Promise<Figures> =>
  withServer(async (server) => {
    const database = `start_${process.pid}`
    try {
      const url = await server.create(database, await withFacts(server, events, facts))
      const env = { PLACARD_DEMO: 'off' }
      const times: number[] = []
      for (let run = 0; run <= RUNS; run++) {
        let stop = async () => {}
        const seconds = await timed(async () => {
          const product = await startBenchProduct(url, env)
          stop = product.stop
          await product.ready()
        })
        await stop()
        say(`start ${run}/${RUNS}: ${seconds.toFixed(1)} s`)
        // The first start prepares what later ones find.
        if (run > 0) times.push(seconds)
      }
      return { start_s: round(median(times)), events, facts }
    } finally {
      await server.drop(database)
    }
  })

/** A database with every read model built, and delivered facts; made once. */
async function withFacts(server: BenchServer, events: number, facts: number): Promise<string> {
  const ready = await readySet(server, events)
  const name = `${ready}_f${facts}`
  if ((await server.databases()).includes(name)) return name
  const making = `${name}_making`
  say(`${name}: making ${facts} facts once`)
  const url = await server.create(making, ready)
  const until = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const campaigns = stampedIds({ count: CAMPAIGNS, salt: 'start' })
  await makePostgresFacts(url, { rows: facts, sources: 1, campaigns, until })
  await server.rename(making, name)
  return name
}
