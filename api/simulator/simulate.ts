import { EXCHANGES } from '#domain/campaign/content/options'
import { drawsOf } from '#domain/delivery/auction'
import type { MarketOf } from './markets.ts'
import { createBidder } from './bidder.ts'
import { Refusal, type ProductClient, type SentRow } from './product-client.ts'
import { createSegments } from './segments.ts'

/** Most rows of a batch. */
const MOST_ROWS = 5000
/** Parts of the verdicts. */
const DISAPPROVED = 0.06

export type SimulateOptions = {
  readonly client: ProductClient
  readonly marketOf: MarketOf
  readonly seed: string
  /** Offered impressions in a simulated second. */
  readonly rate: number
  /** Simulated seconds in a second. */
  readonly speed: number
  /** Time of one round, milliseconds: a round is one batch. */
  readonly everyMs: number
  /** Ends after so long, milliseconds; null plays until the signal. */
  readonly forMs: number | null
  readonly playsExchanges: boolean
  /** Distinguishes the batches of this run from those of other runs. */
  readonly run: string
  readonly signal: AbortSignal
  readonly report: (round: Round) => void
}

export type Round = {
  readonly campaigns: number
  readonly offers: number
  /** Impressions and clicks that the product accepted. */
  readonly impressions: number
  readonly clicks: number
  /** By currency, units. */
  readonly spent: ReadonlyMap<string, number>
  readonly verdicts: number
  /** Rows that the product refused, because their campaign had never served in that hour. */
  readonly refused: number
}

const ok = { status: 'approved', topics: [] } as const
const bad = { status: 'disapproved', topics: ['Misleading content'] } as const

/** Plays bidder and exchanges against a running product, over its public calls, until the signal or the end of the time. */
export async function simulate(options: SimulateOptions): Promise<void> {
  const { client, everyMs, forMs, marketOf, playsExchanges, rate, report, run, seed, signal, speed } = options
  const draw = drawsOf(seed)
  const play = createBidder({ draw, marketOf, segmentsOf: createSegments(client) })
  const began = Date.now()
  for (let round = 0; !signal.aborted && (forMs === null || Date.now() - began < forMs); round++) {
    const due = began + (round + 1) * everyMs
    const verdicts = playsExchanges ? await decide() : 0
    const campaigns = await client.campaigns()
    const played = await play(campaigns, Math.round((rate * speed * everyMs) / 1000), client.now())
    if (played.sampled.length > 0) await client.sample(played.sampled)
    const delivered = await deliver(`simulation/${run}/${round}`, played.rows)
    const currencies = new Map(campaigns.map(({ id, currency }) => [id, currency]))
    const spent = new Map<string, number>()
    for (const row of delivered.rows) {
      const currency = currencies.get(row.campaign_id) ?? ''
      spent.set(currency, (spent.get(currency) ?? 0) + (row.spent ?? 0))
    }
    const sum = (key: 'impressions' | 'clicks') => delivered.rows.reduce((all, row) => all + (row[key] ?? 0), 0)
    report({
      campaigns: campaigns.length,
      offers: played.offers,
      impressions: sum('impressions'),
      clicks: sum('clicks'),
      spent,
      verdicts,
      refused: delivered.refused,
    })
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, due - Date.now()))
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    })
  }

  /** Sends rows in batches. Rows that the product names are left out: their campaign ended before it served in this hour. */
  async function deliver(id: string, rows: readonly SentRow[]) {
    const accepted: SentRow[] = []
    let refused = 0
    for (let start = 0; start < rows.length; start += MOST_ROWS) {
      let part = rows.slice(start, start + MOST_ROWS)
      for (let attempt = 0; part.length > 0; attempt++) {
        try {
          await client.deliver(`${id}/${start}/${attempt}`, part)
          accepted.push(...part)
          break
        } catch (error) {
          if (!(error instanceof Refusal) || error.rows.length === 0) throw error
          const named = new Set(error.rows)
          refused += named.size
          part = part.filter((_, n) => !named.has(n))
        }
      }
    }
    return { rows: accepted, refused }
  }

  /** Verdicts on creatives that wait for one. */
  async function decide(): Promise<number> {
    let verdicts = 0
    for (const exchange of EXCHANGES)
      for await (const waiting of client.undecided(exchange)) {
        if (waiting.length === 0) continue
        verdicts += waiting.length
        await client.decide(
          exchange,
          waiting.map(({ campaign_id, creative_id }) => ({
            campaign_id,
            creative_id,
            dealsPolicyCompliance: ok,
            networkPolicyCompliance: ok,
            platformPolicyCompliance: draw() < DISAPPROVED ? bad : ok,
          })),
        )
      }
    return verdicts
  }
}
