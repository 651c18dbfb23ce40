import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { openAdvertisers } from './support/advertisers.ts'
import { fullCampaign, uploadMaterial } from './support/full-campaign.ts'
import { median, percentile, round, say, type Figures } from './support/measure.ts'
import { startBenchProduct, type BenchProduct } from './support/product.ts'
import { withServer } from './support/server.ts'

const PER_SECOND = 100
/** More than one, since the calls of an account wait for each other. */
const ACCOUNTS = 20
const CAMPAIGNS_EACH = 5
const WARM_UP_SECONDS = 5
const SECONDS = 15
const ROUNDS = 5

/**
 * PUT /v1/campaign of full drafts (all tabs filled, 50 banners, 200 bidding rules) of several accounts at a fixed rate,
 * milliseconds from the due time of each. The whole product runs beside: it projects every save, and this process generates the load. Bodies
 * are serialised before a round begins, because in production browsers do that work.
 */
export const save = (): Promise<Figures> =>
  withServer(async (server) => {
    const database = `save_${process.pid}`
    try {
      const url = await server.create(database)
      const product = await startBenchProduct(url, { PLACARD_EXCHANGE_REVIEW: 'external' })
      const agent = new Agent({ keepAlive: true, maxSockets: 64 })
      const drafts = await createAll(
        product,
        agent,
        (await openAdvertisers(url, ACCOUNTS)).map(({ token }) => token),
      )
      await product.ready()
      let n = 0
      const bodies = (seconds: number) =>
        Array.from({ length: PER_SECOND * seconds }, () => {
          n += 1
          const draft = drafts[n % drafts.length]
          if (draft === undefined) throw new Error('there are no drafts')
          return { token: draft.token, body: written(fullCampaign(draft.material, { id: draft.id, n })) }
        })
      const put = ({ token, body }: Save) => send(product, agent, token, 'PUT', body)
      await openLoop(PER_SECOND, bodies(WARM_UP_SECONDS), put)
      const rows: { readonly p50: number; readonly p99: number; readonly perSecond: number }[] = []
      for (let i = 0; i < ROUNDS; i++) {
        const { latencies, achieved } = await openLoop(PER_SECOND, bodies(SECONDS), put)
        rows.push({ p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), perSecond: achieved })
        say(
          `${i + 1}/${ROUNDS}: ${achieved.toFixed(1)} saves/s, p50 ${rows.at(-1)?.p50.toFixed(1)} ms, p99 ${rows.at(-1)?.p99.toFixed(1)} ms`,
        )
      }
      const bytes = bodies(1)[0]?.body.length ?? 0
      agent.destroy()
      await product.stop()
      return {
        p99_ms: round(median(rows.map(({ p99 }) => p99))),
        p50_ms: round(median(rows.map(({ p50 }) => p50))),
        saves_per_s: round(median(rows.map((row) => row.perSecond))),
        body_bytes: bytes,
      }
    } finally {
      await server.drop(database)
    }
  })

type Save = { readonly token: string; readonly body: Buffer }

/** Neighbours in the list are of different accounts. */
async function createAll(product: BenchProduct, agent: Agent, tokens: readonly string[]) {
  const drafts = []
  const materials = []
  for (const token of tokens) materials.push({ token, material: await uploadMaterial(product.base, token) })
  for (let n = 0; n < CAMPAIGNS_EACH; n++)
    for (const { token, material } of materials) {
      const body = { ...fullCampaign(material, { id: null, n }), name: `Full campaign ${n}`, space_id: material.spaceId }
      drafts.push({ token, material, ...(await send(product, agent, token, 'POST', written(body))) })
    }
  return drafts
}

const written = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))

/** Calls at a fixed rate; latencies count from each call's due time. */
async function openLoop<Body>(perSecond: number, bodies: readonly Body[], call: (body: Body) => Promise<unknown>) {
  const latencies: number[] = []
  const running = new Set<Promise<void>>()
  const begin = performance.now()
  for (const [sent, body] of bodies.entries()) {
    const due = begin + (sent * 1000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await delay(wait)
    const one = call(body).then(() => {
      latencies.push(performance.now() - due)
    })
    running.add(one)
    void one.finally(() => running.delete(one))
  }
  const achieved = bodies.length / ((performance.now() - begin) / 1000)
  await Promise.all(running)
  return { latencies, achieved }
}

function send(
  { port }: BenchProduct,
  agent: Agent,
  token: string,
  method: string,
  body: Buffer,
): Promise<{ readonly id: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path: '/v1/campaign',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          if (answer.statusCode !== 200)
            return reject(new Error(`a bench save was refused: ${Buffer.concat(chunks).toString().slice(0, 500)}`))
          // Only creations are asked for their id; parsing every answer would load the measured machine.
          resolve(method === 'POST' ? JSON.parse(Buffer.concat(chunks).toString()).data : { id: '' })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
