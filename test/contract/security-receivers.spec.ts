import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, it } from 'vitest'
import type { SecurityEvent } from '#commands/identity/forward-security-events'
import { createSecurityReceiver } from '#platform/identity/security-receiver'
import { listenOn } from '../support/ports.ts'
import { recordOf } from '../support/collector.ts'
import { UNTRUSTED } from '../support/untrusted-certificate.ts'
import { EVENT, securityReceiverContract, type Listen } from './security-receiver.contract.ts'

async function bound(server: Server, port: number) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const listening = await listenOn(server, port)
  return {
    port: listening,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Frames of octet counts, as RFC 6587 has them. */
function framesIn(bytes: Buffer): readonly string[] {
  const frames: string[] = []
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const length = Number(bytes.subarray(at, space).toString('latin1'))
    frames.push(bytes.subarray(space + 1, space + 1 + length).toString('latin1'))
    at = space + 1 + length
  }
  return frames
}

/** A header of RFC 5424 without structured data, and the rest. */
const MESSAGE = /^(<\d+>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [!-~]+ placard - [!-~]{1,32} -) (\{[ -~]*\})$/

/** A syslog server; `answers: false` leaves connections open after their end. */
const listenSyslog: Listen = async ({ port = 0, untrusted = false, answers = true } = {}) => {
  const messages: { readonly head: string; readonly event: SecurityEvent }[] = []
  const onSocket = (socket: Socket) => {
    const parts: Buffer[] = []
    socket.on('error', () => undefined)
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.on('end', () => {
      if (!answers) return
      for (const frame of framesIn(Buffer.concat(parts))) {
        const [, head = '', json = ''] = MESSAGE.exec(frame) ?? []
        messages.push({ head, event: JSON.parse(json) })
      }
      socket.end()
    })
  }
  const server = untrusted ? createTlsServer(UNTRUSTED, onSocket) : createServer({ allowHalfOpen: true }, onSocket)
  return {
    ...(await bound(server, port)),
    events: () => messages.map(({ event }) => event),
    labels: () => messages.map(({ head }) => head),
  }
}

securityReceiverContract('syslog', {
  listen: listenSyslog,
  receiverAt: (port, tls) => ({ kind: 'syslog', host: '127.0.0.1', port, tls }),
  urlAt: (port) => `syslog://127.0.0.1:${port}`,
  labels: [
    '<108>1 2026-11-26T09:12:44.310Z ads.example placard - sign-in-failed -',
    '<109>1 2026-11-26T09:12:44.310Z ads.example placard - sign-in -',
  ],
})

type LogRecord = { readonly body: { readonly stringValue: string }; readonly attributes: Parameters<typeof recordOf>[0] }

/** An endpoint of OTLP/HTTP logs that answers like a collector; `answer` is the body of its answers. */
const listenOtlp =
  (answer = '{"partialSuccess":{}}'): Listen =>
  async ({ port = 0, untrusted = false, answers = true } = {}) => {
    const records: LogRecord[] = []
    const onRequest: RequestListener = (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        if (!answers) return void response.writeHead(503).end()
        if (request.url !== '/v1/logs' || request.headers['content-type'] !== 'application/json')
          return response.writeHead(404).end()
        for (const { scopeLogs } of JSON.parse(Buffer.concat(parts).toString()).resourceLogs)
          for (const { logRecords } of scopeLogs) records.push(...logRecords)
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
      })
    }
    const server = untrusted ? createHttpsServer(UNTRUSTED, onRequest) : createHttpServer(onRequest)
    return {
      ...(await bound(server, port)),
      events: () => records.map(({ body }) => JSON.parse(body.stringValue)),
      labels: () => records.map(({ body: _body, attributes, ...labels }) => ({ ...labels, attributes: recordOf(attributes) })),
    }
  }
const otlpAt = (port: number, tls: boolean) =>
  ({ kind: 'otlp', url: `http${tls ? 's' : ''}://127.0.0.1:${port}/v1/logs`, headers: {} }) as const

const AT = '1795684364310000000'
securityReceiverContract('OTLP', {
  listen: listenOtlp(),
  receiverAt: otlpAt,
  urlAt: (port) => otlpAt(port, false).url,
  labels: [
    {
      timeUnixNano: AT,
      severityNumber: 13,
      severityText: 'WARN',
      eventName: 'placard.sign-in-failed',
      attributes: { 'log.record.uid': '7', 'placard.whitelabel': 'dsp', 'placard.count': 3 },
    },
    {
      timeUnixNano: AT,
      severityNumber: 9,
      severityText: 'INFO',
      eventName: 'placard.sign-in',
      attributes: { 'log.record.uid': '8', 'placard.whitelabel': 'dsp', 'placard.person': 'p1', 'placard.count': 3 },
    },
  ],
})

it('does not send records again that an endpoint of OTLP refuses for good, and says how many', async () => {
  const receiver = await listenOtlp('{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"too old"}}')()
  const lines: string[] = []
  const logger = { error: (line: unknown) => void lines.push(String(line)), warn: () => {} } as never
  await createSecurityReceiver({ receiver: otlpAt(receiver.port, false), hostname: 'ads.example', logger })([EVENT])
  await receiver.stop()
  expect(receiver.events()).toHaveLength(1)
  expect(lines).toEqual([expect.stringContaining('refused 1 of them')])
})
