import { once } from 'node:events'
import { connect } from 'node:net'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChanges } from '../../api/live/changes.ts'
import type { SubscribeOptions } from '../../eventstore/event-store.ts'
import { createMemoryEventStore } from '../../eventstore/memory/memory-event-store.ts'
import { eventually, someEvent } from '../support/events.ts'
import { publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

/** What a stream says, one message at a time; `end` leaves it. */
async function listen(base: string, { token }: Session, query = '') {
  const leaving = new AbortController()
  const response = await fetch(`${base}/v1/stream${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  })
  const said: EventSourceMessage[] = []
  let heard = () => {}
  const parser = createParser({
    onEvent: (message) => {
      said.push(message)
      heard()
    },
  })
  const over = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
  })().catch(() => undefined)
  const next = async (): Promise<EventSourceMessage> => {
    if (said.length === 0) await new Promise<void>((resolve) => (heard = resolve))
    return said.shift() ?? next()
  }
  return { response, next, said, over, end: () => leaving.abort() }
}

describe('changes as they happen', () => {
  let product: TestProduct
  let ada: Session
  let bola: Session
  let moderator: Session
  beforeAll(async () => {
    product = await startTestProduct()
    ;[ada, bola, moderator] = await Promise.all([
      product.as('ada@nile.example'),
      product.as('bola@lagos.example'),
      product.as('moderator@dsp.example'),
    ])
  })
  afterAll(() => product.stop())

  it('everybody in reach hears of a campaign, and reads it changed; nobody else hears', async () => {
    const ears = await Promise.all([ada, moderator, bola].map((one) => listen(product.base, one)))
    for (const { next } of ears) expect((await next()).event).toBe('ready')
    const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    const theirs = await bola.call('POST', '/v1/campaign', await publishable(product.base, bola))
    const [adas, moderators, bolas] = await Promise.all(ears.map(({ next }) => next()))
    expect(adas).toMatchObject({ event: 'campaigns', data: JSON.stringify({ ids: [data.id] }) })
    expect(moderators?.data).toContain(data.id)
    expect(bolas).toMatchObject({ event: 'campaigns', data: JSON.stringify({ ids: [theirs.data.id] }) })
    // Told when it can be seen: without a position of its own.
    const list = await ada.call<{ data: { id: string }[] }>(
      'POST',
      '/v1/campaign/list/v2',
      { pageSize: 150 },
      { 'x-position': '0' },
    )
    expect(list.data.data.map(({ id }) => id)).toContain(data.id)
    for (const { end } of ears) end()
    await Promise.all(ears.map(({ over }) => over))
  })

  it('who sees a white-label but reads campaigns of one space hears of those alone', async () => {
    const person = { userId: 'u', whitelabelId: 'dsp', homeSpaceId: 'home', spaceId: 'home' }
    const roles = ['USER_OWNER', 'WHITELABEL_ACCOUNTANT'] as const
    const store = createMemoryEventStore()
    const changes = createChanges({
      store,
      placeOf: async (id) => ({ whitelabelId: 'dsp', spaceId: id === 'mine' ? 'home' : 'elsewhere' }),
      reached: async () => true,
      onError: () => undefined,
    })
    const heard: unknown[] = []
    await changes.listen({ ...person, roles }, ({ ids }) => heard.push(...(ids ?? [])))
    const append = (id: string) => store.append({ stream: `campaign-${id}`, expected: 0, events: [someEvent()] })
    await append('theirs')
    await append('mine')
    await eventually(() => heard.includes('mine'))
    expect(heard).toEqual(['mine'])
    await changes.stop()
  })

  describe('when something goes wrong while changes are told', () => {
    const moderator = { userId: 'm', whitelabelId: 'dsp', homeSpaceId: 'home', spaceId: 'home', roles: ['WL_MODERATOR'] } as const
    const listenTo = async (placeOf: (id: string) => Promise<{ whitelabelId: string; spaceId: string }>) => {
      const store = createMemoryEventStore()
      const errors: unknown[] = []
      const changes = createChanges({ store, placeOf, reached: async () => true, onError: (error) => void errors.push(error) })
      const heard: (string | null)[] = []
      await changes.listen(moderator, ({ ids }) => heard.push(...(ids ?? [null])))
      const append = (id: string) => store.append({ stream: `campaign-${id}`, expected: 0, events: [someEvent()] })
      return { changes, heard, errors, append }
    }

    it('listeners hear of what came then, and of what comes later, each once', async () => {
      let failures = 1
      const { changes, heard, errors, append } = await listenTo(async () => {
        if (failures-- > 0) throw new Error('the database restarts')
        return { whitelabelId: 'dsp', spaceId: 'home' }
      })
      await append('first')
      await eventually(() => errors.length === 1)
      await append('second')
      await append('third')
      await eventually(() => heard.length >= 3)
      expect(heard).toEqual(['first', 'second', 'third'])
      await changes.stop()
    })

    it('a campaign that nobody can read keeps no other from being told of', async () => {
      const { changes, heard, append } = await listenTo(async (id) => {
        if (id === 'unreadable') throw new Error('an event of a version that nobody knows')
        return { whitelabelId: 'dsp', spaceId: 'home' }
      })
      await append('unreadable')
      await eventually(() => heard.length === 1, 10_000)
      await append('other')
      await eventually(() => heard.length === 2)
      expect(heard).toEqual([null, 'other'])
      await changes.stop()
    })

    it('an old subscription that fails late takes nothing from those who listen by now', async () => {
      const subscribed: SubscribeOptions[] = []
      const changes = createChanges({
        store: {
          head: async () => 0n,
          subscribe: (options) => {
            subscribed.push(options)
            return { stop: async () => {} }
          },
        },
        placeOf: async () => null,
        reached: async () => true,
        onError: () => undefined,
      })
      const leave = await changes.listen(moderator, () => {})
      leave()
      await changes.listen(moderator, () => {})
      subscribed[0]?.onError(new Error('late'))
      await changes.listen(moderator, () => {})
      expect(subscribed).toHaveLength(2)
      await changes.stop()
    })
  })

  it('a stream ends by itself after the time it was asked for', async () => {
    const ear = await listen(product.base, ada, '?seconds=0')
    expect(ear.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await ear.over
    expect(ear.said.map(({ event }) => event)).toEqual(['ready'])
  })

  it('is refused to those who see no campaigns, and to nobody', async () => {
    const accountant = await product.as('accountant@dsp.example')
    expect((await accountant.call('GET', '/v1/stream')).status).toBe(403)
    expect((await fetch(`${product.base}/v1/stream`)).status).toBe(401)
  })

  it('open streams, and connections that ask nothing, do not hold up the end of the product', async () => {
    const other = await startTestProduct()
    const ear = await listen(other.base, await other.as('ada@nile.example'))
    await ear.next()
    // Browsers open connections ahead of need.
    const silent = connect(Number(new URL(other.base).port), '127.0.0.1')
    await once(silent, 'connect')
    const started = Date.now()
    await other.stop()
    await ear.over
    expect(Date.now() - started).toBeLessThan(5000)
  })
})
