import { once } from 'node:events'
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { StreamBusy } from '#commands/handle'
import { Away } from '#eventstore/away'
import { installErrors } from './envelope.ts'
import { IDENTIFIED } from './request-ids.ts'
import { installRequestLog, type RequestLog } from './request-log.ts'

type Line = Readonly<Record<string, unknown>>
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** A server with the log, and the lines that it wrote. */
function logged(handlers: Readonly<Record<string, Handler>>, options: Partial<RequestLog> = {}) {
  const lines: Line[] = []
  const app = fastify({ ...IDENTIFIED })
  installRequestLog(app, { write: (line) => void lines.push(line as Line), share: 0, slowMs: 1000, ...options })
  installErrors(app)
  for (const [url, handler] of Object.entries(handlers))
    app.route({ method: ['GET', 'POST'], url, config: { isStream: url === '/stream' } as object, handler })
  return { app, lines }
}

describe('the log of requests', () => {
  const broken: Handler = async () => {
    throw new TypeError('a fault with a secret')
  }

  it('the log of requests has each request that failed, with its ids and without the fault', async () => {
    const { app, lines } = logged({ '/broken/:id': broken })
    const id = '019b0000-0000-7000-8000-000000000000'
    const headers = { 'x-request-id': 'mine', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    await app.inject({ url: `/broken/${id}`, headers })
    expect(lines).toEqual([
      {
        reqId: 'mine',
        traceId: '0af7651916cd43dd8448eb211c80319c',
        method: 'GET',
        route: '/broken/:id',
        id,
        status: 500,
        ms: expect.any(Number),
        bytes: expect.any(Number),
        failure: 'TypeError',
      },
    ])
  })

  it('the log of requests has no secret: no query, body, header, nor part of the path that is no id', async () => {
    const { app, lines } = logged({ '/verify/:token': broken, '/of/:id': broken })
    const request = {
      method: 'POST',
      headers: { authorization: 'Bearer secret', cookie: 'a=secret' },
      payload: { password: 'secret' },
    } as const
    await app.inject({ ...request, url: '/verify/secret?access=secret' })
    await app.inject({ ...request, url: '/of/secret?access=secret' })
    expect(lines.map(({ route }) => route)).toEqual(['/verify/:token', '/of/:id'])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('the log of requests has slow requests, but no stream that stays open', async () => {
    const answer = async () => ({})
    const linesFrom = async (slowMs: number) => {
      const { app, lines } = logged({ '/call': answer, '/stream': answer }, { slowMs })
      for (const url of ['/call', '/stream']) await app.inject(url)
      return lines.map(({ route, status }) => [route, status])
    }
    // Each request takes some time, and none takes ten minutes.
    expect(await linesFrom(0)).toEqual([['/call', 200]])
    expect(await linesFrom(600_000)).toEqual([])
  })

  it('the log of requests has a share of the others, probes excepted', async () => {
    const random = vi.fn<() => number>()
    for (const n of [0.09, 0.1, 0.5, 0.01]) random.mockReturnValueOnce(n)
    const { app, lines } = logged({ '/a': async () => ({}), '/health/ready': async () => ({}) }, { share: 0.1, random })
    for (const url of ['/a', '/a', '/none', '/health/ready', '/a']) await app.inject(url)
    expect(lines.map(({ route }) => route)).toEqual(['/a', '/a'])
    expect(random).toHaveBeenCalledTimes(4)
  })

  // running.md: the log says when a service went away and when it came back, not once for each request.
  it('does not repeat an outage for each request, but has requests that fail for other reasons', async () => {
    const refusing = (error: Error) => async () => {
      throw error
    }
    const busy = Object.assign(new Away('A free database connection'), { name: 'PoolBusy' })
    const { app, lines } = logged({
      '/away': refusing(new Away('PostgreSQL')),
      '/busy': refusing(busy),
      '/raced': refusing(new StreamBusy('campaign-1')),
      '/health/ready': async (_request, reply) => reply.code(503).send({}),
    })
    for (const url of ['/away', '/busy', '/raced', '/health/ready']) expect((await app.inject(url)).statusCode).toBe(503)
    expect(lines.map(({ route, failure }) => [route, failure])).toEqual([
      ['/busy', 'PoolBusy'],
      ['/raced', 'Error'],
    ])
  })

  it('says that the client left before the end of its answer', async () => {
    const leaving = new AbortController()
    const line = new Promise<object>((resolve) => {
      const { app } = logged(
        {
          '/slow': async ({ raw }) => {
            leaving.abort()
            await once(raw.socket, 'close')
          },
        },
        { share: 1, write: resolve },
      )
      onTestFinished(() => app.close())
      void app
        .listen({ port: 0, host: '127.0.0.1' })
        .then((address) => fetch(`${address}/slow`, { signal: leaving.signal }).catch(() => undefined))
    })
    expect(await line).toMatchObject({ route: '/slow', left: true })
  })
})
