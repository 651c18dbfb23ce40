import type { BidRequest } from '#domain/bidding/impression'
import { audienceKeys, audienceMembers } from '#contract/audiences'
import type { z } from '#contract/zod'
import { deliveryBatch, deliveryCampaigns, deliverySample } from '#contract/delivery'
import { exchangeCreatives } from '#contract/moderation'

/** Most attempts of a batch; a product that restarts is back long before. */
const TRIES = 60
const RETRY_MS = 1000

export type Deliverables = z.output<typeof deliveryCampaigns.output>['campaigns']
type Undecided = z.output<typeof exchangeCreatives.output>
export type SentRow = z.input<typeof deliveryBatch.input>['rows'][number]

type Envelope = {
  readonly type: { readonly code: number; readonly message: string }
  readonly data: { readonly errors?: readonly { readonly path: string; readonly message: string }[] }
}

/** A refusal by the product, with the rows of a batch that it names. */
export class Refusal extends Error {
  readonly rows: readonly number[]
  constructor({ type, data }: Envelope) {
    super(`${type.message} (code ${type.code})`)
    this.rows = (data.errors ?? []).flatMap(({ path }) => {
      const row = /^rows\[(\d+)\]/.exec(path)?.[1]
      return row === undefined ? [] : [Number(row)]
    })
  }
}

/** The product's public calls, as a bidder and an exchange make them. */
export function createProductClient(base: string, token: string, signal: AbortSignal) {
  let etag = ''
  let campaigns: Deliverables = []
  /** How far the product's clock is ahead of this machine's, milliseconds. */
  let ahead = 0

  async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
    for (let tries = 1; ; tries++) {
      const response = await fetch(base + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(path === deliveryCampaigns.path && etag !== '' ? { 'if-none-match': etag } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
      }).catch((error: unknown) => {
        if (signal.aborted || tries >= TRIES) throw error
        return null
      })
      if (response !== null && response.status === 304) return null as T
      if (response !== null && response.status < 500 && response.status !== 429) {
        const envelope: Envelope = await response.json()
        if (envelope.type.code !== 0) throw new Refusal(envelope)
        if (path === deliveryCampaigns.path) etag = response.headers.get('etag') ?? etag
        return envelope.data as T
      }
      if (tries >= TRIES) throw new Error(`the product answered ${response?.status ?? 'nothing'} ${TRIES} times`)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  return {
    /** Time of the product, epoch milliseconds. */
    now: () => Date.now() + ahead,
    /** Campaigns that may serve now. */
    async campaigns(): Promise<Deliverables> {
      const found = await send<z.output<typeof deliveryCampaigns.output> | null>('GET', deliveryCampaigns.path)
      if (found !== null) {
        campaigns = found.campaigns
        ahead = Date.parse(found.as_of) - Date.now()
      }
      return campaigns
    },
    /** Sends a batch until it is answered: it counts once. Throws Refusal. */
    deliver: (batchId: string, rows: readonly SentRow[]) =>
      send<{ readonly rows: number }>('POST', deliveryBatch.path, { batch_id: batchId, rows }),
    /** Sends bid requests for the rule lab. */
    sample: (requests: readonly BidRequest[]) =>
      send<z.output<typeof deliverySample.output>>('POST', deliverySample.path, { requests }),
    audienceKeys: () => send<z.output<typeof audienceKeys.output>>('GET', audienceKeys.path),
    /** Sorted hashes of 16 bytes. */
    async audienceMembers(id: string, version: number): Promise<Buffer> {
      const path = audienceMembers.path.replace(':id', encodeURIComponent(id)).replace(':version', String(version))
      const response = await fetch(base + path, { headers: { authorization: `Bearer ${token}` }, signal })
      if (!response.ok) throw new Error(`the members of audience ${id} were answered with ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    },
    /** Creatives that wait for a verdict of this exchange, page by page. */
    async *undecided(exchange: string): AsyncIterable<Undecided['creatives']> {
      const path = exchangeCreatives.path.replace(':exchange', exchange)
      for (let after: string | null = ''; after !== null;) {
        const page: Undecided = await send<Undecided>('GET', `${path}?after=${encodeURIComponent(after)}`)
        yield page.creatives
        after = page.next
      }
    },
    decide: (exchange: string, decisions: readonly object[]) =>
      send<unknown>('POST', `/v1/exchange/${exchange}/decisions`, { decisions }),
  }
}
export type ProductClient = ReturnType<typeof createProductClient>
