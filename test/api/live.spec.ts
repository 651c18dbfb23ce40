import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChanges } from '../../api/areas/live/changes.ts'
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

async function shownTo(session: Session): Promise<readonly string[]> {
  const list = await session.call<{ data: { id: string }[] }>(
    'POST',
    '/v1/campaign/list/v2',
    { pageSize: 150 },
    { 'x-position': '0' },
  )
  return list.data.data.map(({ id }) => id)
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
    expect(await shownTo(ada)).toContain(data.id)
    for (const { end } of ears) end()
    await Promise.all(ears.map(({ over }) => over))
  })

  it('a change that was being written at the subscription is reported once it is committed', async () => {
    const { data: source } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    const later = await publishable(product.base, ada)
    const id = randomUUID()
    const writer = await product.database.pool.connect()
    await writer.query('begin')
    await writer.query(
      `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
       select $1, 1, $2, type, schema_version, data, metadata from es.events where stream_id = $3 and version = 1`,
      [`campaign-${id}`, randomUUID(), `campaign-${source.id}`],
    )
    // Its position lies behind the one that is being written.
    await ada.call('POST', '/v1/campaign', later)
    const ear = await listen(product.base, moderator)
    expect((await ear.next()).event).toBe('ready')
    await writer.query('commit')
    writer.release()
    expect(await ear.next()).toMatchObject({ event: 'campaigns', data: JSON.stringify({ ids: null }) })
    // Told when it can be seen: without a position of its own.
    expect(await shownTo(ada)).toContain(id)
    ear.end()
    await ear.over
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

  describe('who comes while the read models are behind', () => {
    const come = async () => {
      const store = createMemoryEventStore()
      await store.append({ stream: 'campaign-before', expected: 0, events: [someEvent()] })
      let answer = async (): Promise<boolean> => delay(5, false)
      const errors: unknown[] = []
      const changes = createChanges({
        store,
        placeOf: async () => ({ whitelabelId: 'dsp', spaceId: 'home' }),
        reached: () => answer(),
        onError: (error) => void errors.push(error),
      })
      const heard: unknown[] = []
      const tell = ({ ids }: { readonly ids: readonly string[] | null }) => void heard.push(ids)
      const person = { userId: 'm', whitelabelId: 'dsp', homeSpaceId: 'home', spaceId: 'home', roles: ['WL_MODERATOR'] } as const
      const leave = await changes.listen(person, tell)
      return { changes, leave, heard, errors, answers: (next: typeof answer) => void (answer = next) }
    }

    it('is told that anything may have changed once they show what was there', async () => {
      const { changes, heard, answers } = await come()
      await delay(50)
      expect(heard).toEqual([])
      answers(async () => true)
      await eventually(() => heard.length > 0)
      expect(heard).toEqual([null])
      await changes.stop()
    })

    it('is told so too when for a while nobody can say how far they are', async () => {
      const { changes, heard, errors, answers } = await come()
      answers(async () => {
        throw new Error('the thread is away')
      })
      await eventually(() => errors.length > 0)
      answers(async () => true)
      await eventually(() => heard.length > 0)
      expect(heard).toEqual([null])
      await changes.stop()
    })

    it('is told nothing more when he has left, and nobody waits for them then', async () => {
      const { changes, leave, heard, answers } = await come()
      let asked = 0
      answers(async () => {
        asked += 1
        return delay(5, false)
      })
      leave()
      await changes.stop()
      const before = asked
      await delay(50)
      expect(asked).toBe(before)
      expect(heard).toEqual([])
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
