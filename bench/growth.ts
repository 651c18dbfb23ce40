import { createHash } from 'node:crypto'
import { stampAccounts } from './support/accounts.ts'
import { makePostgresFacts } from './support/delivered-facts.ts'
import { readySet, stampCampaigns, stampedIds } from './support/facts.ts'
import { percentile, round, say, timed, type Figures } from './support/measure.ts'
import { SPACE, startBenchProduct, WHITELABEL, type BenchProduct } from './support/product.ts'
import { saverOverHttp } from './support/savers.ts'
import { withServer, type BenchServer } from './support/server.ts'

/** How much is stored, named by the events of the log. */
type Size = { readonly label: string; readonly events: number; readonly accounts: number; readonly facts: number }

const SIZES: readonly Size[] = [
  { label: '10k', events: 10_000, accounts: 100, facts: 10_000 },
  { label: '100k', events: 100_000, accounts: 1000, facts: 100_000 },
  { label: '1m', events: 1_000_000, accounts: 10_000, facts: 1_000_000 },
]
/** Campaigns of the account that reads and saves: the same at every size, so that only what is around them grows. */
const OWN = { spaceId: SPACE, whitelabelId: WHITELABEL, count: 100, salt: 'grown' }
const CALLS = 60
const SAVES = 200
/** Above the final budget of the recorded life. */
const FIRST_CENTS = 13_000
const DAY_MS = 86_400_000

/**
 * What one call costs, and a start takes, on a log, accounts and facts that are ten times as large at each step. The calls come one
 * after the other, so that differences are costs and not queueing.
 */
export const growth = (): Promise<Figures> =>
  withServer(async (server) => {
    const figures: Record<string, number> = {}
    for (const size of SIZES) {
      const database = `growth_${process.pid}`
      try {
        say(`${size.label}: preparing`)
        const url = await server.create(database, await grown(server, size))
        const measured = await measure(url, size)
        for (const [name, value] of Object.entries(measured)) figures[`${name}_${size.label}`] = value
        say(`${size.label}: ${JSON.stringify(measured)}`)
      } finally {
        await server.drop(database)
      }
    }
    return figures
  })

/** Facts end with the last day of the month before, so that the runs of a month share them. */
const endOfFacts = (now = new Date()): number => Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)

/** A database of this size as a running product leaves it; made once. */
async function grown(server: BenchServer, { events, accounts, facts }: Size): Promise<string> {
  const month = new Date(endOfFacts()).toISOString().slice(0, 7).replace('-', '')
  const ready = await readySet(server, events)
  // PostgreSQL cuts names after 63 characters.
  const set = createHash('sha256').update(ready).digest('hex').slice(0, 8)
  const name = `grown_${set}_a${accounts}_f${facts}_${month}`
  if ((await server.databases()).includes(name)) return name
  const making = `${name}_making`
  const url = await server.create(making, ready)
  await stampAccounts(url, accounts)
  await stampCampaigns(url, OWN)
  const product = await startBenchProduct(url)
  await product.ready()
  await product.stop()
  await makePostgresFacts(url, { rows: facts, sources: 1, campaigns: stampedIds(OWN), until: endOfFacts() })
  await server.rename(making, name)
  return name
}

async function measure(url: string, { accounts, facts }: Size): Promise<Figures> {
  // The first start on a copy reads everything from the disk.
  await (await startBenchProduct(url)).stop()
  let product: BenchProduct | undefined
  const start = await timed(async () => {
    product = await startBenchProduct(url)
    await product.ready()
  })
  if (product === undefined) throw new Error('unreachable')
  const { base, token } = product
  const saver = saverOverHttp(
    product,
    stampedIds(OWN).map((id, i) => ({ id, name: `${OWN.salt} #${i}`, token })),
    FIRST_CENTS,
  )
  const saves = await times(SAVES, saver.save)
  await saver.close()
  const as = (bearer: string) => ({ authorization: `Bearer ${bearer}`, 'content-type': 'application/json' })
  const [ada, owner] = [as(token), as(await product.signIn('owner@dsp.example'))]
  const ask = async (path: string, headers: Record<string, string>, body?: object) => {
    const sent = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(base + path, sent)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} was refused: ${text.slice(0, 500)}`)
  }
  const period = {
    from_date: new Date(endOfFacts() - 30 * DAY_MS).toISOString(),
    to_date: new Date(endOfFacts() - 1).toISOString(),
    granularity_type_key: 2,
  }
  const list = { from_date: period.from_date, to_date: period.to_date, page_size: 25 }
  const read = async (call: (n: number) => Promise<unknown>) => round(percentile(await times(CALLS, call), 0.95))
  const figures = {
    save_p50_ms: round(percentile(saves, 0.5)),
    save_p95_ms: round(percentile(saves, 0.95)),
    list_p95_ms: await read((n) => ask('/v1/campaign/list/v2', ada, { ...list, page: n % 4 })),
    dashboard_p95_ms: await read(() => ask('/v1/reports/dashboard', ada, { ...period, space_id: SPACE })),
    balance_p95_ms: await read(() => ask(`/v1/space/balance/${SPACE}`, ada)),
    accounts_p95_ms: await read((n) => ask('/v1/whitelabel/admin/accounts/list', owner, { page: n % 4, page_size: 25 })),
    start_s: round(start),
    accounts,
    facts,
  }
  await product.stop()
  return figures
}

/** Milliseconds of each of these calls, one after the other; the first three are not counted. */
async function times(calls: number, call: (n: number) => Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = []
  for (let n = -3; n < calls; n++) {
    const seconds = await timed(() => call(Math.max(0, n)))
    if (n >= 0) taken.push(1000 * seconds)
  }
  return taken
}
