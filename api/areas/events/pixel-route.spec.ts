import type { WiredForHttp } from '../services.ts'
import { TooMany } from '#commands/refused'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { installErrors } from '#api/http/envelope'
import { registerPixel } from './pixel-route.ts'

/** The pixel alone, in a product in which only these limits work. */
async function pixelWith(limitReads: (key: string) => Promise<unknown>, spaceOf: (key: string) => Promise<string | null>) {
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
    tracked: { keys: { withKey: async (key: string) => pixelOf(await spaceOf(key)) } },
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

const pixelOf = (spaceId: string | null) => (spaceId === null ? null : { spaceId, key: 'px_1', enabled: true, origins: [] })

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
