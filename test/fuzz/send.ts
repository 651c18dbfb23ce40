import { Agent, request } from 'node:http'
import type { Answer } from './checks.ts'

const PATIENCE_MS = 15_000
export const agent = (): Agent => new Agent({ keepAlive: true, maxSockets: 4 })

/** Sends a request unchanged: `fetch` would normalise the path and refuse some headers. */
export function send(
  base: string,
  through: Agent,
  asked: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Buffer | null
  },
): Promise<Answer> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const headers = { ...asked.headers, ...(asked.body === null ? {} : { 'content-length': String(asked.body.length) }) }
    const options = { host: hostname, port, agent: through, method: asked.method, path: asked.url, headers, timeout: PATIENCE_MS }
    const out = request(options, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const sent = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, value?.toString()]))
        resolve({ status: answer.statusCode ?? 0, headers: sent, body: Buffer.concat(chunks).toString() })
      })
    })
    out.on('timeout', () => out.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)))
    out.on('error', reject)
    out.end(asked.body ?? undefined)
  })
}
