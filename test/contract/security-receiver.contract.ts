import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SecurityEvent, SecurityReceiver } from '#commands/identity/forward-security-events'
import { createSecurityReceiver } from '#platform/identity/security-receiver'
import { Away } from '#eventstore/away'
import { startTestProduct, PASSWORD, type TestProduct } from '../support/product.ts'

/** A receiver as its protocol has it. */
export type TestReceiver = {
  /** Events that it has, in the order of their arrival. */
  readonly events: () => readonly SecurityEvent[]
  /** Further facts of the protocol about each: its header, or its severity and attributes. */
  readonly labels: () => readonly unknown[]
  readonly port: number
  readonly stop: () => Promise<void>
}
export type Listen = (options?: { port?: number; untrusted?: boolean; answers?: boolean }) => Promise<TestReceiver>

export const EVENT: SecurityEvent = {
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

/** Promises of every receiver of security events. `labels` are those of a warning and of a notice. */
export function securityReceiverContract(
  name: string,
  {
    listen,
    receiverAt,
    urlAt,
    labels,
  }: {
    readonly listen: Listen
    readonly receiverAt: (port: number, tls: boolean) => SecurityReceiver
    readonly urlAt: (port: number) => string
    readonly labels: readonly unknown[]
  },
): void {
  describe(`security events by ${name}`, () => {
    const opened: TestReceiver[] = []
    const opening: Listen = async (options) => {
      const receiver = await listen(options)
      opened.push(receiver)
      return receiver
    }
    let said: ReturnType<typeof quiet>
    beforeEach(() => void (said = quiet()))
    afterEach(async () => {
      for (const receiver of opened.splice(0)) await receiver.stop()
    })
    const sending = (port: number, tls = false) =>
      createSecurityReceiver({ receiver: receiverAt(port, tls), hostname: 'ads.example', logger: said.logger })

    it('security events arrive whole and in order, and suspicious ones as warnings', async () => {
      const receiver = await opening()
      const notice = { ...EVENT, id: '8', type: 'sign-in', person_id: 'p1' }
      await sending(receiver.port)([EVENT, notice])
      expect(receiver.events()).toEqual([EVENT, notice])
      expect(receiver.labels()).toEqual(labels)
    })

    it('security events never go to a server whose certificate is not trusted, and the log says so once', async () => {
      const receiver = await opening({ untrusted: true })
      const send = sending(receiver.port, true)
      for (let n = 0; n < 3; n++) await expect(send([EVENT])).rejects.toBeInstanceOf(Away)
      expect(receiver.events()).toEqual([])
      expect(said.lines).toEqual([expect.stringMatching(/ is away: .*(certificate|CERT).*Security events wait/)])
    })

    it('security events are sent again after an absence, which the log reports once, and so its end', async () => {
      const first = await opening()
      const send = sending(first.port)
      await first.stop()
      opened.pop()
      for (let n = 0; n < 2; n++) await expect(send([EVENT])).rejects.toBeInstanceOf(Away)
      const second = await opening({ port: first.port })
      await send([EVENT])
      expect(second.events()).toEqual([EVENT])
      expect(said.lines).toEqual([expect.stringMatching(/ is away: .*ECONNREFUSED/), expect.stringMatching(/ is back$/)])
    })

    it('security events are not with a receiver that does not confirm them', async () => {
      const receiver = await opening({ answers: false })
      await expect(sending(receiver.port)([EVENT])).rejects.toBeInstanceOf(Away)
    })

    describe('security events of the product', () => {
      let product: TestProduct | null = null
      afterEach(async () => {
        await product?.stop()
        product = null
      })

      it('security events of the product arrive as they happen, wait while the receiver is away, and come after it in order', async () => {
        const first = await opening()
        product = await startTestProduct({ PLACARD_SYSLOG_URL: urlAt(first.port) })
        const { base, database } = product
        const signIn = (username: string, password: string) =>
          fetch(`${base}/v1/oauth/token`, {
            method: 'POST',
            body: new URLSearchParams({ grant_type: 'password', username, password }),
          })
        const types = ({ events }: TestReceiver) => events().map(({ type }) => type)
        // The first round notes where it begins: what was before is no news.
        await expect.poll(async () => (await database.pool.query('select from app.security_forwarding')).rowCount).toBe(1)
        await signIn('ada@nile.example', PASSWORD)
        await expect.poll(() => types(first), { timeout: 20_000 }).toContain('sign-in')
        expect(first.events()[0]).toMatchObject({
          type: 'sign-in',
          whitelabel_id: 'dsp',
          client_network: '127.0.0.0/24',
          count: 1,
        })

        await first.stop()
        opened.pop()
        const owner = await product.as('owner@dsp.example')
        const settings = { whitelabel_settings: { staff_idle_minutes: 60 } }
        expect((await owner.call('PUT', '/v1/whitelabel/dsp', settings)).code).toBe(0)
        await signIn('ada@nile.example', 'wrong')
        const waiting = async () => /placard_queue_items\{queue="security events"\} (\d+)/.exec(await metrics())?.[1]
        const metrics = async () => (await fetch(`${base}/metrics`)).text()
        await expect.poll(waiting, { timeout: 30_000, interval: 500 }).toBe('3')
        const second = await opening({ port: first.port })
        await expect.poll(() => types(second), { timeout: 30_000 }).toEqual(['sign-in', 'settings-changed', 'sign-in-failed'])
        const sent = [...first.events(), ...second.events()].map(({ id }) => Number(id))
        expect(sent).toEqual(sent.toSorted((a, b) => a - b))
        expect(new Set(sent).size).toBe(sent.length)
        await expect.poll(waiting, { timeout: 30_000, interval: 500 }).toBe('0')
      })
    })
  })
}
