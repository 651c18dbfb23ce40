import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fullCampaign, uploadMaterial, type Material } from './support/full-campaign.ts'
import { median, percentile, round, say, type Figures } from './support/measure.ts'
import { startBenchProduct, type BenchProduct } from './support/product.ts'
import { withServer } from './support/server.ts'

const PER_SECOND = 100
const CAMPAIGNS = 100
const WARM_UP_SECONDS = 5
const SECONDS = 15
const ROUNDS = 5

export type SaveOptions = { readonly perSecond?: number; readonly rounds?: number; readonly seconds?: number }

/**
 * PUT /v1/campaign of full drafts (all tabs filled, 50 banners, 200 bidding rules) by their owner at a fixed rate, milliseconds
 * from the due time of each. The whole product runs beside: it projects every save, and this process generates the load. Bodies
 * are serialised before a round begins, because in production browsers do that work.
 */
export const save = ({ perSecond = PER_SECOND, rounds = ROUNDS, seconds = SECONDS }: SaveOptions = {}): Promise<Figures> =>
  withServer(async (server) => {
    const database = `save_${process.pid}`
    try {
      const product = await startBenchProduct(await server.create(database), { PLACARD_EXCHANGE_REVIEW: 'external' })
      const owner = await product.signIn('owner@dsp.example')
      const material = await uploadMaterial(product.base, product.token)
      const agent = new Agent({ keepAlive: true, maxSockets: 64 })
      const ids = await createAll(product, agent, owner, material)
      await product.ready()
      let n = 0
      const bodies = (seconds: number) =>
        Array.from({ length: perSecond * seconds }, () => {
          n += 1
          return written(fullCampaign(material, { id: ids[n % ids.length] ?? '', n }))
        })
      const put = (body: Buffer) => send(product, agent, owner, 'PUT', body)
      await openLoop(perSecond, bodies(WARM_UP_SECONDS), put)
      const rows: { readonly p50: number; readonly p99: number; readonly perSecond: number }[] = []
      for (let i = 0; i < rounds; i++) {
        const { latencies, achieved } = await openLoop(perSecond, bodies(seconds), put)
        rows.push({ p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), perSecond: achieved })
        say(
          `${i + 1}/${rounds}: ${achieved.toFixed(1)} saves/s, p50 ${rows.at(-1)?.p50.toFixed(1)} ms, p99 ${rows.at(-1)?.p99.toFixed(1)} ms`,
        )
      }
      const bytes = written(fullCampaign(material, { id: ids[0] ?? '', n: 0 })).length
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

async function createAll(product: BenchProduct, agent: Agent, token: string, material: Material): Promise<readonly string[]> {
  const ids: string[] = []
  for (let n = 0; n < CAMPAIGNS; n++) {
    const body = { ...fullCampaign(material, { id: null, n }), name: `Full campaign ${n}`, space_id: material.spaceId }
    ids.push((await send(product, agent, token, 'POST', written(body))).id)
  }
  return ids
}

const written = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))

/** Calls at a fixed rate; latencies count from each call's due time. */
async function openLoop(perSecond: number, bodies: readonly Buffer[], call: (body: Buffer) => Promise<unknown>) {
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
