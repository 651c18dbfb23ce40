import { ERASERS } from '#api/areas/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatMessage, Conversation, InboxRow } from '#contract/chat'
import { createConversations } from '#platform/chat/conversations'
import { erasePerson } from '#platform/identity/erasure'
import { createKysely } from '#platform/database/pool'
import { startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

let product: TestProduct
let ada: Session
let bola: Session
let moderator: Session
let adaId: string
beforeAll(async () => {
  product = await startTestProduct()
  ada = await product.as('ada@nile.example')
  bola = await product.as('bola@lagos.example')
  moderator = await product.as('moderator@dsp.example')
  adaId = (await ada.call('GET', '/v1/user/me')).data.id
})
afterAll(() => product.stop())

const send = (session: Session, text: string, headers?: Record<string, string>) =>
  session.call<ChatMessage & { errors: { key: string }[] }>('POST', '/v1/chat', { text }, headers)
const own = async (session: Session, query = '') => (await session.call<Conversation>('GET', `/v1/chat${query}`)).data
const inboxOf = async (session: Session) => (await session.call<{ data: InboxRow[] }>('POST', '/v1/chat/inbox', {})).data.data
const waiting = async (session: Session) => (await session.call<{ waiting: number }>('GET', '/v1/chat/waiting')).data.waiting
const reply = (session: Session, id: string, text: string) => session.call<ChatMessage>('POST', `/v1/chat/inbox/${id}`, { text })

describe('a conversation', () => {
  it('goes from a user to a moderator and back, with unread counts on both sides', async () => {
    expect(await own(ada)).toEqual({ messages: [], more: false, unread: 0 })
    expect(await waiting(moderator)).toBe(0)
    const sent = await send(ada, ' How do I add funds? ')
    expect([sent.code, sent.data.number, sent.data.text]).toEqual([0, 1, 'How do I add funds?'])
    expect(sent.headers.get('cache-control')).toBe('no-store')
    expect(await waiting(moderator)).toBe(1)
    expect(await inboxOf(moderator)).toEqual([
      {
        id: adaId,
        name: 'Ada Hassan',
        space_id: expect.any(String),
        space_name: 'Nile Travel',
        last_text: 'How do I add funds?',
        last_at: expect.any(String),
        waiting: true,
        unread: 1,
      },
    ])
    const read = await moderator.call<Conversation>('GET', `/v1/chat/inbox/${adaId}`)
    expect(read.data.messages).toMatchObject([{ number: 1, from_staff: false, author: 'Ada Hassan' }])
    expect((await moderator.call('POST', `/v1/chat/inbox/${adaId}/read`, { number: 1 })).code).toBe(0)
    expect((await inboxOf(moderator))[0]).toMatchObject({ waiting: true, unread: 0 })

    expect((await reply(moderator, adaId, 'By bank transfer.')).data).toMatchObject({ number: 2, from_staff: true })
    expect(await waiting(moderator)).toBe(0)
    const mine = await own(ada)
    expect(mine.unread).toBe(1)
    // Users do not learn who of the staff answered (fine print 28).
    expect(mine.messages[1]).toMatchObject({ text: 'By bank transfer.', from_staff: true, author: null })
    expect((await ada.call('POST', '/v1/chat/read', { number: 2 })).code).toBe(0)
    expect((await own(ada)).unread).toBe(0)
  })

  it('belongs to its user alone', async () => {
    expect(await own(bola)).toMatchObject({ messages: [] })
  })

  it('stores hostile text as text, without control characters', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u0007\u202e "\' \\ ${1} {{x}}'
    await send(ada, hostile)
    expect((await own(ada)).messages.at(-1)?.text).toBe(hostile.replace('\u0007', ''))
  })

  it.each(['', '  \n ', 'a'.repeat(2001)])('refuses an empty and a long message with 2', async (text) => {
    const { status, code } = await send(ada, text)
    expect([status, code]).toEqual([400, 2])
  })

  it('stores a message once under one key', async () => {
    const key = { 'idempotency-key': 'message-1' }
    const [first, second] = await Promise.all([send(bola, 'Once', key), send(bola, 'Once', key)])
    expect([first.code, second.code]).toEqual([0, 0])
    expect((await own(bola)).messages.map(({ text }) => text)).toEqual(['Once'])
  })

  it('numbers messages of both sides that arrive at once without a gap', async () => {
    const before = (await own(bola)).messages.length
    const { id } = (await bola.call('GET', '/v1/user/me')).data
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => send(bola, `From Bola ${n}`)),
      ...Array.from({ length: 5 }, (_, n) => reply(moderator, id, `Answer ${n}`)),
    ])
    const { messages } = await own(bola)
    expect(messages.map(({ number }) => number)).toEqual(Array.from({ length: before + 10 }, (_, n) => n + 1))
  })

  it('a conversation is read in pages of 50, the newest first', async () => {
    await product.database.pool.query(`update app.chats set messages = messages + 120 where person_id = $1`, [adaId])
    await product.database.pool.query(
      `insert into app.chat_messages (person_id, number, author_id, from_staff, text)
       select $1, (select max(number) from app.chat_messages where person_id = $1) + n, $1, false, 'Old ' || n from generate_series(1, 120) n`,
      [adaId],
    )
    const newest = await own(ada)
    expect([newest.messages.length, newest.more]).toEqual([50, true])
    const older = await own(ada, `?before=${newest.messages[0]?.number}`)
    expect(older.messages.at(-1)?.number).toBe((newest.messages[0]?.number ?? 0) - 1)
    expect((await own(ada, '?before=3')).more).toBe(false)
    expect((await ada.call('GET', '/v1/chat?before=0')).code).toBe(2)
  })

  it('a conversation is limited to ten messages a minute', async () => {
    const clerk = await product.as('clerk@nile.example')
    const answers: number[] = []
    for (let n = 0; n < 11; n++) answers.push((await send(clerk, `Message ${n}`)).status)
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })
})

describe('participants of a chat', () => {
  it.each(['owner@dsp.example', 'moderator@dsp.example', 'admin@dsp.example'])('%s answers and does not ask', async (email) => {
    const session = await product.as(email)
    expect([(await session.call('GET', '/v1/chat')).status, (await send(session, 'x')).status]).toEqual([403, 403])
    expect((await inboxOf(session)).length).toBeGreaterThan(0)
  })

  it.each(['ada@nile.example', 'clerk@nile.example', 'accountant@dsp.example', 'auditor@dsp.example'])(
    '%s asks, and reads no conversation of others',
    async (email) => {
      const session = await product.as(email)
      expect((await session.call('GET', '/v1/chat')).code).toBe(0)
      for (const [method, path, body] of [
        ['POST', '/v1/chat/inbox', {}],
        ['GET', '/v1/chat/waiting', undefined],
        ['GET', `/v1/chat/inbox/${adaId}`, undefined],
        ['POST', `/v1/chat/inbox/${adaId}`, { text: 'x' }],
        ['POST', `/v1/chat/inbox/${adaId}/read`, { number: 1 }],
      ] as const)
        expect((await session.call(method, path, body)).code).toBe(3)
    },
  )

  it('staff of another white-label find no conversation, system administrators every one', async () => {
    await product.database.pool.query("update app.chats set whitelabel_id = 'ng' where person_id = $1", [adaId])
    for (const answer of [
      await moderator.call('GET', `/v1/chat/inbox/${adaId}`),
      await reply(moderator, adaId, 'x'),
      await moderator.call('POST', `/v1/chat/inbox/${adaId}/read`, { number: 1 }),
      await moderator.call('GET', '/v1/chat/inbox/nobody'),
    ])
      expect([answer.status, answer.code]).toEqual([404, 6])
    expect((await inboxOf(moderator)).some(({ id }) => id === adaId)).toBe(false)
    const admin = await product.as('admin@dsp.example')
    expect((await admin.call('GET', `/v1/chat/inbox/${adaId}`)).code).toBe(0)
    await product.database.pool.query("update app.chats set whitelabel_id = 'dsp' where person_id = $1", [adaId])
  })
})

it('the conversation of an erased person is removed, and nothing can be added to it', async () => {
  const clerk = await product.as('clerk@nile.example')
  const { id } = (await clerk.call('GET', '/v1/user/me')).data
  await erasePerson(createKysely(product.database.pool), id, ERASERS)
  const { rows } = await product.database.pool.query(
    'select (select count(*)::int from app.chats where person_id = $1) as chats, (select count(*)::int from app.chat_messages where person_id = $1) as messages',
    [id],
  )
  expect(rows).toEqual([{ chats: 0, messages: 0 }])
  const kit = { db: createKysely(product.database.pool), now: testClock.at }
  expect(await createConversations(kit as Parameters<typeof createConversations>[0]).send(id, 'Still here')).toBeNull()
})
