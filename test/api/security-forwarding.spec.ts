import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { createSyslog } from '#platform/identity/syslog'
import { Away } from '#eventstore/away'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'
import { UNTRUSTED } from '../support/untrusted-certificate.ts'

type Message = { readonly head: string; readonly event: Record<string, unknown> }

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

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

/** A syslog server that keeps what arrives; `answers: false` leaves connections open after their end. */
async function listen(make: (onSocket: (socket: Socket) => void) => Server, port = 0, { answers = true } = {}) {
  const messages: Message[] = []
  const server = make((socket) => {
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
  })
  servers.push(server)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { messages, port: (server.address() as AddressInfo).port, server }
}
const plain = (onSocket: (socket: Socket) => void) => createServer({ allowHalfOpen: true }, onSocket)

const EVENT = {
  id: '7',
  at: '2026-11-26T09:12:44.310Z',
  type: 'sign-in-failed',
  whitelabel_id: 'dsp',
  person_id: null,
  client_network: '198.51.100.0/24',
  details: { name: 'Ёлка\n"x"' },
  count: 3,
}
function quiet() {
  const lines: string[] = []
  const add = (line: unknown) => lines.push(String(line))
  return { lines, logger: { error: add, warn: add } as never }
}

describe('security events for a receiver outside', () => {
  it('are messages of RFC 5424 with the event as JSON', async () => {
    const { messages, port } = await listen(plain)
    const send = createSyslog({ receiver: { host: '127.0.0.1', port, tls: false }, hostname: 'ads.example', ...quiet() })
    await send([EVENT, { ...EVENT, id: '8', type: 'sign-in' }])
    expect(messages).toEqual([
      { head: '<108>1 2026-11-26T09:12:44.310Z ads.example placard - sign-in-failed -', event: EVENT },
      { head: '<109>1 2026-11-26T09:12:44.310Z ads.example placard - sign-in -', event: { ...EVENT, id: '8', type: 'sign-in' } },
    ])
  })

  it('never go to a server whose certificate is not trusted, or that cannot be reached, and the log says so once', async () => {
    const { messages, port } = await listen((onSocket) => createTlsServer(UNTRUSTED, onSocket))
    const { lines, logger } = quiet()
    const receiver = { host: '127.0.0.1', port, tls: true }
    const send = createSyslog({ receiver, hostname: 'ads.example', logger })
    for (let n = 0; n < 3; n++) await expect(send([EVENT])).rejects.toBeInstanceOf(Away)
    expect(messages).toEqual([])
    expect(lines).toEqual([expect.stringMatching(/^syslog is away: .*certificate.*Security events wait/)])
  })

  describe('of the product', () => {
    let product: TestProduct | null = null
    afterEach(async () => {
      await product?.stop()
      product = null
    })

    it('arrive as they happen, wait while the receiver is away, and come after it in order', { timeout: 90_000 }, async () => {
      const first = await listen(plain)
      product = await startTestProduct({ PLACARD_SYSLOG_URL: `syslog://127.0.0.1:${first.port}` })
      const { base, database } = product
      const signIn = (username: string, password: string) =>
        fetch(`${base}/v1/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({ grant_type: 'password', username, password }),
        })
      const types = ({ messages }: typeof first) => messages.map(({ event }) => event['type'])
      // The first round notes where it begins: what was before is no news.
      await expect.poll(async () => (await database.pool.query('select from app.security_forwarding')).rowCount).toBe(1)
      await signIn('ada@nile.example', PASSWORD)
      await expect.poll(() => types(first), { timeout: 20_000 }).toContain('sign-in')
      const { event } = first.messages[0] ?? { event: {} }
      expect(event).toMatchObject({ type: 'sign-in', whitelabel_id: 'dsp', client_network: '127.0.0.0/24', count: 1 })

      await new Promise((resolve) => first.server.close(resolve))
      const owner = await product.as('owner@dsp.example')
      expect((await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { staff_idle_minutes: 60 } })).code).toBe(0)
      await signIn('ada@nile.example', 'wrong')
      const waiting = async () => /placard_queue_items\{queue="security events"\} (\d+)/.exec(await metrics())?.[1]
      const metrics = async () => (await fetch(`${base}/metrics`)).text()
      await expect.poll(waiting, { timeout: 30_000, interval: 500 }).toBe('3')
      const second = await listen(plain, first.port)
      await expect.poll(() => types(second), { timeout: 30_000 }).toEqual(['sign-in', 'settings-changed', 'sign-in-failed'])
      const sent = [...first.messages, ...second.messages].map((message) => Number(message.event['id']))
      expect(sent).toEqual(sent.toSorted((a, b) => a - b))
      expect(new Set(sent).size).toBe(sent.length)
      await expect.poll(waiting, { timeout: 30_000, interval: 500 }).toBe('0')
    })
  })
})
