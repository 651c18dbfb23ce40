import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChanges } from '#api/areas/live/changes'
import type { SubscribeOptions } from '#eventstore/event-store'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { listen } from '../support/event-stream.ts'
import { eventually, someEvent } from '../support/events.ts'
import { publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

async function shownTo(session: Session): Promise<readonly string[]> {
  const list = await session.call<{ data: { id: string }[] }>(
    'POST',
    '/v1/campaign/list/v2',
    { pageSize: 150 },
    { 'x-position': '0' },
  )
  return list.data.data.map(({ id }) => id)
}

describe('change notifications', () => {
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

  it('change notifications reach every user who may read the campaign, and no others, once reads include the change', async () => {
    const streams = await Promise.all([ada, moderator, bola].map((one) => listen(product.base, one)))
    for (const { next } of streams) expect((await next()).event).toBe('ready')
    const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    const theirs = await bola.call('POST', '/v1/campaign', await publishable(product.base, bola))
    // Policies may change campaigns of the demo at any time.
    const about = async (stream: (typeof streams)[number] | undefined, ids: readonly string[]) => {
      let message = await stream?.next()
      while (message !== undefined && !ids.some((id) => message?.data.includes(id))) message = await stream?.next()
      return message
    }
    const [forAda, forModerator, forBola] = streams
    const [adas, moderators, bolas] = await Promise.all([
      about(forAda, [data.id]),
      about(forModerator, [data.id]),
      about(forBola, [theirs.data.id]),
    ])
    expect(adas).toMatchObject({ event: 'campaigns', data: JSON.stringify({ ids: [data.id] }) })
    expect(moderators?.data).toContain(data.id)
    expect(bolas).toMatchObject({ event: 'campaigns', data: JSON.stringify({ ids: [theirs.data.id] }) })
    // Notified only once the change is readable without a position.
    expect(await shownTo(ada)).toContain(data.id)
    for (const { end } of streams) end()
    await Promise.all(streams.map(({ over }) => over))
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
    // Its position is higher than that of the open transaction.
    await ada.call('POST', '/v1/campaign', later)
    const stream = await listen(product.base, moderator)
    expect((await stream.next()).event).toBe('ready')
    await writer.query('commit')
    writer.release()
    let message = await stream.next()
    while (message?.data !== JSON.stringify({ ids: null })) message = await stream.next()
    expect(message.event).toBe('campaigns')
    // Notified only once the change is readable without a position.
    expect(await shownTo(ada)).toContain(id)
    stream.end()
    await stream.over
  })

  it('change notifications contain only the campaigns of one space for a user of the white-label who reads one space', async () => {
    const person = { userId: 'u', whitelabelId: 'dsp', homeSpaceId: 'home', spaceId: 'home' }
    const roles = ['USER_OWNER', 'WHITELABEL_ACCOUNTANT'] as const
    const store = createMemoryEventStore()
    const changes = createChanges({
      store,
      placeOf: async (id) => ({ whitelabelId: 'dsp', spaceId: id === 'mine' ? 'home' : 'elsewhere' }),
      reached: async () => true,
      onError: () => undefined,
    })
    const received: unknown[] = []
    await changes.listen({ ...person, roles }, ({ ids }) => received.push(...(ids ?? [])))
    const append = (id: string) => store.append({ stream: `campaign-${id}`, expected: 0, events: [someEvent()] })
    await append('theirs')
    await append('mine')
    await eventually(() => received.includes('mine'))
    expect(received).toEqual(['mine'])
    await changes.stop()
  })

  describe('change notifications after an error', () => {
    const moderator = { userId: 'm', whitelabelId: 'dsp', homeSpaceId: 'home', spaceId: 'home', roles: ['WL_MODERATOR'] } as const
    const listenTo = async (placeOf: (id: string) => Promise<{ whitelabelId: string; spaceId: string }>) => {
      const store = createMemoryEventStore()
      const errors: unknown[] = []
      const changes = createChanges({ store, placeOf, reached: async () => true, onError: (error) => void errors.push(error) })
      const received: (string | null)[] = []
      await changes.listen(moderator, ({ ids }) => received.push(...(ids ?? [null])))
      const append = (id: string) => store.append({ stream: `campaign-${id}`, expected: 0, events: [someEvent()] })
      return { changes, received, errors, append }
    }

    it('change notifications report changes during and after an error once each', async () => {
      let failures = 1
      const { changes, received, errors, append } = await listenTo(async () => {
        if (failures-- > 0) throw new Error('the database restarts')
        return { whitelabelId: 'dsp', spaceId: 'home' }
      })
      await append('first')
      await eventually(() => errors.length === 1)
      await append('second')
      await append('third')
      await eventually(() => received.length >= 3)
      expect(received).toEqual(['first', 'second', 'third'])
      await changes.stop()
    })

    it('change notifications report other campaigns although one cannot be read', async () => {
      const { changes, received, append } = await listenTo(async (id) => {
        if (id === 'unreadable') throw new Error('an event of an unknown version')
        return { whitelabelId: 'dsp', spaceId: 'home' }
      })
      await append('unreadable')
      await eventually(() => received.length === 1)
      await append('other')
      await eventually(() => received.length === 2)
      expect(received).toEqual([null, 'other'])
      await changes.stop()
    })

    it('change notifications ignore a late error of a previous subscription', async () => {
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

  describe('change notifications while read models are behind', () => {
    const subscribeBehind = async () => {
      const store = createMemoryEventStore()
      await store.append({ stream: 'campaign-before', expected: 0, events: [someEvent()] })
      let asked = 0
      let answer = async (): Promise<boolean> => delay(5, false)
      const errors: unknown[] = []
      const changes = createChanges({
        store,
        placeOf: async () => ({ whitelabelId: 'dsp', spaceId: 'home' }),
        reached: () => ((asked += 1), answer()),
        onError: (error) => void errors.push(error),
      })
      const received: unknown[] = []
      const notify = ({ ids }: { readonly ids: readonly string[] | null }) => void received.push(ids)
      const person = { userId: 'm', whitelabelId: 'dsp', homeSpaceId: 'home', spaceId: 'home', roles: ['WL_MODERATOR'] } as const
      const leave = await changes.listen(person, notify)
      /** Waits until it has asked for the progress twice more: there is a pause between two questions. */
      const askedTwice = (before = asked) => eventually(() => asked > before + 1)
      return {
        changes,
        leave,
        received,
        errors,
        askedTwice,
        asked: () => asked,
        answers: (next: typeof answer) => void (answer = next),
      }
    }

    it('change notifications report that anything may have changed once read models have caught up', async () => {
      const { changes, received, answers, askedTwice } = await subscribeBehind()
      await askedTwice()
      expect(received).toEqual([])
      answers(async () => true)
      await eventually(() => received.length > 0)
      expect(received).toEqual([null])
      await changes.stop()
    })

    it('change notifications report that anything may have changed although the progress was unknown for a while', async () => {
      const { changes, received, errors, answers } = await subscribeBehind()
      answers(async () => {
        throw new Error('the thread stopped')
      })
      await eventually(() => errors.length > 0)
      answers(async () => true)
      await eventually(() => received.length > 0)
      expect(received).toEqual([null])
      await changes.stop()
    })

    it('change notifications stop with the subscription, as does the wait for read models', async () => {
      const { changes, leave, received, asked } = await subscribeBehind()
      leave()
      await changes.stop()
      const before = asked()
      // A later one, which goes on, shows that the pause between two questions is over.
      const other = await subscribeBehind()
      await other.askedTwice()
      await other.changes.stop()
      expect(asked()).toBe(before)
      expect(received).toEqual([])
    })
  })

  it('change notifications end after the requested time', async () => {
    const stream = await listen(product.base, ada, '/v1/stream?seconds=0')
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await stream.over
    expect(stream.messages.map(({ event }) => event)).toEqual(['ready'])
  })

  it('change notifications of campaigns do not reach a user who may not read them', async () => {
    const accountant = await product.as('accountant@dsp.example')
    const [theirs, moderators] = await Promise.all([listen(product.base, accountant), listen(product.base, moderator)])
    for (const { next } of [theirs, moderators]) expect((await next()).event).toBe('ready')
    const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    let message = await moderators.next()
    while (!message.data.includes(data.id)) message = await moderators.next()
    expect(theirs.messages.filter(({ event }) => event === 'campaigns')).toEqual([])
    for (const { end } of [theirs, moderators]) end()
    await Promise.all([theirs, moderators].map(({ over }) => over))
  })

  it('change notifications are refused without a token', async () => {
    expect((await fetch(`${product.base}/v1/stream`)).status).toBe(401)
  })

  it('change notifications end when the product stops instead of being cut off, and it does not wait for idle connections', async () => {
    const other = await startTestProduct()
    const { token } = await other.as('ada@nile.example')
    const stream = await fetch(`${other.base}/v1/stream`, { headers: { authorization: `Bearer ${token}` } })
    const whole = stream.text()
    // Browsers open connections in advance. The stop would wait for one as long as this test may take.
    const silent = connect(Number(new URL(other.base).port), '127.0.0.1')
    await once(silent, 'connect')
    await other.stop()
    // Rejects for a connection that was cut off.
    expect(await whole).toContain('event: ready')
  })
})
