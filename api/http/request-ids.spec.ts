import fastify, { LogController, type FastifyBaseLogger, type FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { installErrors, misaddressed } from './envelope.ts'
import { IDENTIFIED, installRequestIds, requestIdOf, traceOf } from './request-ids.ts'
import { createLogger } from '../process/logger.ts'

const OWN = /^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/
const TRACE = '0af7651916cd43dd8448eb211c80319c'

describe('the id of a request', () => {
  it.each(['a', 'Build_7.1-x', 'A'.repeat(64), '0198c0de-1111-7222-8333-444455556666'])(
    'the id of a request is that of the caller: %s',
    (sent) => {
      expect(requestIdOf(sent)).toBe(sent)
    },
  )

  it.each([
    { what: 'none is sent', sent: undefined },
    { what: 'it is empty', sent: '' },
    { what: 'it is longer than 64 characters', sent: 'A'.repeat(65) },
    { what: 'it ends a line', sent: 'a\n' },
    { what: 'it is not ASCII', sent: 'ключ' },
    { what: 'it is sent twice', sent: 'a, b' },
    { what: 'it is a list', sent: ['a', 'b'] },
  ])('the id of a request is a new one when $what', ({ sent }) => {
    expect(requestIdOf(sent)).toMatch(OWN)
  })

  it('differs from request to request', () => {
    expect(new Set(Array.from({ length: 1000 }, () => requestIdOf(undefined))).size).toBe(1000)
  })
})

describe('the trace of a request', () => {
  it('the trace of a request is continued with a span of its own', () => {
    const trace = traceOf(`00-${TRACE}-b7ad6b7169203331-01`)
    expect(trace).toMatchObject({ traceId: TRACE, isSampled: true })
    expect(trace.spanId).toMatch(/^(?!b7ad6b7169203331)[\da-f]{16}$/)
    expect(traceOf(`00-${TRACE}-b7ad6b7169203331-02`).isSampled).toBe(false)
  })

  it('the trace of a request is continued from a later version of the header, which may have more parts', () => {
    expect(traceOf(`01-${TRACE}-b7ad6b7169203331-01-what-comes`).traceId).toBe(TRACE)
  })

  it.each([
    undefined,
    '',
    `00-${TRACE}-b7ad6b7169203331`,
    `00-${TRACE}-b7ad6b7169203331-01-more`,
    `ff-${TRACE}-b7ad6b7169203331-01`,
    `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-b7ad6b7169203331-0g`,
    [`00-${TRACE}-b7ad6b7169203331-01`],
  ])('the trace of a request is begun when the header is %j', (sent) => {
    const trace = traceOf(sent)
    expect(trace.traceId).toMatch(/^[\da-f]{32}$/)
    expect(trace.traceId).not.toBe(TRACE)
    expect(trace.isSampled).toBe(false)
  })
})

describe('a server', () => {
  const serve = () => {
    const lines: Record<string, unknown>[] = []
    const requests = { current: undefined as object | undefined }
    const logger: FastifyBaseLogger = createLogger(
      'info',
      { write: (line) => void lines.push(JSON.parse(line)) },
      { requestNow: () => requests.current },
    )
    const app = fastify({
      loggerInstance: logger,
      logController: new LogController({ disableRequestLogging: true }),
      ...IDENTIFIED,
      frameworkErrors: (error, _request, reply) => void misaddressed(error, reply),
    })
    installRequestIds(app)
    installErrors(app)
    const broken = async (request: FastifyRequest) => {
      requests.current = { reqId: 'another', traceId: 'another' }
      request.log.warn('about to break')
      requests.current = { reqId: request.id, traceId: 'ambient' }
      logger.warn('a service broke')
      throw new Error('broken')
    }
    app.route({ method: 'GET', url: '/broken', handler: broken })
    app.get('/fine', async () => ({}))
    return { app, lines }
  }
  const headers = { 'x-request-id': 'mine', traceparent: `00-${TRACE}-b7ad6b7169203331-01` }

  it('names a failed request in its headers, its body and every line of its log', async () => {
    const { app, lines } = serve()
    const answer = await app.inject({ url: '/broken', headers })
    expect(answer.statusCode).toBe(500)
    expect(answer.headers['x-request-id']).toBe('mine')
    expect(answer.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-[\\da-f]{16}-01$`))
    expect(answer.json().data).toEqual({ request_id: 'mine', errors: [] })
    expect(lines.map(({ msg, reqId, traceId }) => [msg, reqId, traceId])).toEqual([
      ['about to break', 'mine', TRACE],
      ['a service broke', 'mine', 'ambient'],
      ['broken', 'mine', TRACE],
    ])
  })

  it('names requests that it answers, that it does not know, and that it cannot read', async () => {
    const { app } = serve()
    for (const [url, status] of [
      ['/fine', 200],
      ['/none', 404],
      ['/%ff', 400],
    ] as const) {
      const answer = await app.inject({ url, headers })
      expect([url, answer.statusCode, answer.headers['x-request-id']]).toEqual([url, status, 'mine'])
      expect(answer.headers.traceparent).toContain(TRACE)
    }
  })
})
