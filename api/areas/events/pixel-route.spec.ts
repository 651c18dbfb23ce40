import type { WiredForHttp } from '../services.ts'
import type { NewEvent } from '#commands/events/events-port'
import { TooMany } from '#commands/refused'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { installErrors } from '#api/http/envelope'
import { registerPixel } from './pixel-route.ts'

/** The pixel alone, in a product in which only these limits work. */
async function pixelWith(
  limitReads: (key: string) => Promise<unknown>,
  spaceOf: (key: string) => Promise<string | null>,
  add: (events: readonly NewEvent[]) => void = () => {},
  origins: readonly string[] = [],
) {
  const app = fastify()
  installErrors(app)
  const kit = {
    guards: {
      attempt: (work: () => Promise<unknown>) => work(),
      asAsker: (_: unknown, work: () => unknown) => work(),
      wait: (work: () => Promise<unknown>) => work(),
      identify: async () => ({ kind: 'anonymous' }),
      limitReads,
      newId: () => 'id',
      whiteLabelOf: () => ({ id: 'wl' }),
    },
    tracked: {
      keys: { withKey: async (key: string) => pixelOf(await spaceOf(key), origins) },
      log: { add: async (_: unknown, events: readonly NewEvent[]) => (add(events), 1) },
      campaignsNamed: async () => [],
      landingPages: async () => ['https://www.nile.example/landing?utm_source=x'],
    },
    fingerprint: (text: string) => text,
    accounts: { opened: async (id: string) => ({ space_id: id, whitelabel_id: 'wl' }), find: async () => null },
    whiteLabels: { find: () => null },
    now: () => '2026-11-10T12:00:00.000Z',
    newId: () => 'id',
    store: {},
  }
  registerPixel(app, kit as unknown as WiredForHttp)
  return app
}

const pixelOf = (spaceId: string | null, origins: readonly string[]) =>
  spaceId === null ? null : { spaceId, key: 'px_1', enabled: true, origins }

describe('the pixel under too many requests', () => {
  it.each([
    ['of a network', 'pixel 127.0.0.0/24'],
    ['of an account, from any network', 'pixel of space-1'],
  ])('answers 429 to those %s', async (_, limited) => {
    const app = await pixelWith(
      async (key) => {
        if (key === limited) throw new TooMany(7)
      },
      async () => 'space-1',
    )
    const answer = await app.inject('/v1/pixel.gif?key=px_1')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '7'])
  })

  it('answers 500 without a detail, and not the image, when the database is away', async () => {
    const app = await pixelWith(
      async () => undefined,
      () => Promise.reject(new Error('connection refused at 10.0.0.1')),
    )
    const answer = await app.inject('/v1/pixel.gif?key=px_1')
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('10.0.0.1')
  })
})

describe('the pixel', () => {
  const KEY = 'key=px_1'
  const onKey = async (key: string) => (key === 'px_1' ? 'space-1' : null)
  const many = Array.from({ length: 21 }, (_, n) => `p${n}=1`).join('&')

  it.each<readonly [problem: string, query: string, parameter: string]>([
    ['no key', 'name=a', 'key'],
    ['an unknown key', 'key=px_2', 'key'],
    ['the id of the account for a key', 'key=space-1&name=a', 'key'],
    ['two keys', 'key=px_1&key=px_1', 'key'],
    ['a key that is too long', `key=${'k'.repeat(5000)}`, 'key'],
    ['a value that is no number', `${KEY}&value=NaN`, 'value'],
    ['an endless value', `${KEY}&value=Infinity`, 'value'],
    ['a time that is none', `${KEY}&time=now`, 'time'],
    ['an address of another scheme', `${KEY}&url=data:,x`, 'url'],
    ['a list as a parameter', `${KEY}&plan=a&plan=b`, 'plan'],
    ['a long parameter', `${KEY}&plan=${'x'.repeat(501)}`, 'plan'],
    ['many parameters', `${KEY}&${many}`, 'custom_parameters'],
    ['a NUL character', `${KEY}&name=%00`, ''],
    ['a NUL character in a name', `${KEY}&p%00=1`, ''],
  ])('answers the image and a refusal to %s', async (_, query, parameter) => {
    const app = await pixelWith(async () => undefined, onKey)
    const { statusCode, rawPayload, headers } = await app.inject(`/v1/pixel.gif?${query}`)
    expect([statusCode, rawPayload.subarray(0, 6).toString()]).toEqual([200, 'GIF89a'])
    expect(headers['x-placard-event']).toBe(`refused; code=2; parameter=${parameter}`)
    expect(headers['set-cookie']).toBeUndefined()
  })

  it.each<readonly [what: string, query: string, headers: Readonly<Record<string, string>>, event: object]>([
    ['prototype names', 'name=proto&__proto__=1&constructor=2', {}, { name: 'proto', custom_parameters: { constructor: '2' } }],
    ['a line break', 'name=line&p%0d%0aSet-Cookie:x=1', {}, { name: 'line' }],
    ['broken percent signs', 'name=percent&p=%E0%A4%A', {}, { name: 'percent' }],
    [
      'no address, which is the referrer then',
      'name=a',
      { referer: 'https://nile.example/offer' },
      { url: 'https://nile.example/offer' },
    ],
  ])('stores an event with %s', async (_, query, headers, event) => {
    const stored: NewEvent[] = []
    const app = await pixelWith(
      async () => undefined,
      onKey,
      (events) => stored.push(...events),
    )
    const answer = await app.inject({ url: `/v1/pixel.gif?${KEY}&${query}`, headers })
    expect([answer.headers['x-placard-event'], answer.headers['set-cookie']]).toEqual(['stored', undefined])
    expect(stored).toMatchObject([event])
  })

  it.each<readonly [headers: Readonly<Record<string, string>>, outcome: string]>([
    [{ origin: 'https://nile.example' }, 'stored'],
    [{ referer: 'https://nile.example/offer' }, 'stored'],
    [{}, 'refused; code=2; parameter='],
    [{ origin: 'https://evil.example' }, 'refused; code=2; parameter='],
    [{ referer: 'https://nile.example.evil.example/' }, 'refused; code=2; parameter='],
    [{ origin: 'null' }, 'refused; code=2; parameter='],
  ])('the pixel of one site answers requests with the headers %j by %s', async (headers, outcome) => {
    const app = await pixelWith(async () => undefined, onKey, undefined, ['https://nile.example'])
    expect((await app.inject({ url: `/v1/pixel.gif?${KEY}&name=a`, headers })).headers['x-placard-event']).toBe(outcome)
  })

  it.each<readonly [headers: Readonly<Record<string, string>>, mark: string | null]>([
    [{ origin: 'https://nile.example' }, null],
    [{ origin: 'https://www.nile.example' }, null],
    [{ referer: 'https://nile.example/offer' }, null],
    [{}, 'origin'],
    [{ origin: 'null' }, 'origin'],
    [{ origin: 'https://evil.example' }, 'origin'],
    [{ origin: 'https://shop.nile.example' }, 'origin'],
    [{ referer: 'https://nile.example.evil.example/' }, 'origin'],
    [{ origin: 'https://evil.example', referer: 'https://nile.example/' }, 'origin'],
  ])('the pixel without named sites stores what comes with the headers %j, with the mark %s', async (headers, mark) => {
    const stored: NewEvent[] = []
    const app = await pixelWith(
      async () => undefined,
      onKey,
      (events) => stored.push(...events),
    )
    expect((await app.inject({ url: `/v1/pixel.gif?${KEY}&name=a`, headers })).headers['x-placard-event']).toBe('stored')
    expect(stored).toMatchObject([{ mark }])
  })

  it('the pixel of named sites stores their events without a mark, whatever the landing pages are', async () => {
    const stored: NewEvent[] = []
    const app = await pixelWith(
      async () => undefined,
      onKey,
      (events) => stored.push(...events),
      ['https://pay.example'],
    )
    await app.inject({ url: `/v1/pixel.gif?${KEY}&name=a`, headers: { origin: 'https://pay.example' } })
    expect(stored).toMatchObject([{ mark: null }])
  })
})
