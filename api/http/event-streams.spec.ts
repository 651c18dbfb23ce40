import Fastify from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listen } from '#test/support/event-stream'
import { createEventStreams } from './event-streams.ts'

const CHECK_MS = 3000

afterEach(() => vi.useRealTimers())

/** A server with one stream per holder, whose checks of the holders are answered by the test. */
async function serve() {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const app = Fastify()
  const says = new Map<string, (event: string, data: unknown) => void>()
  const checks: { readonly holders: readonly string[]; readonly answer: (allowed: readonly string[]) => void }[] = []
  const open = createEventStreams<string>(app, {
    name: 'live',
    mostUnread: 1000,
    limits: { reserve: async () => ({ release: async () => {} }) },
    allowed: (holders) =>
      new Promise((resolve) => checks.push({ holders, answer: (ids) => resolve((holder) => ids.includes(holder)) })),
  })
  app.get<{ Params: { holder: string } }>('/:holder', ({ params: { holder } }, reply) =>
    open(reply, {
      holder,
      limits: [],
      seconds: 60,
      listen: async (say) => {
        says.set(holder, say)
        return () => says.delete(holder)
      },
    }),
  )
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const join = async (holder: string) => {
    const stream = await listen(base, { token: '' }, `/${holder}`)
    expect((await stream.next()).event).toBe('ready')
    return stream
  }
  return { app, checks, says, join }
}

describe('streams of events', () => {
  it('streams of events end for a holder who may no longer listen, and for no other', async () => {
    const { app, checks, says, join } = await serve()
    const [ada, bola] = [await join('ada'), await join('bola')]
    vi.advanceTimersByTime(CHECK_MS)
    expect(checks.map(({ holders }) => holders)).toEqual([['ada', 'bola']])
    checks[0]?.answer(['bola'])
    await ada.over
    says.get('bola')?.('news', 1)
    expect(await bola.next()).toMatchObject({ event: 'news', data: '1' })
    await app.close()
  })

  it('streams of events stay open that were opened while the holders of others were being checked', async () => {
    const { app, checks, says, join } = await serve()
    const ada = await join('ada')
    vi.advanceTimersByTime(CHECK_MS)
    const late = await join('late')
    checks[0]?.answer([])
    await ada.over
    says.get('late')?.('news', 1)
    const received = await Promise.race([late.next(), late.over])
    expect(received).toMatchObject({ event: 'news', data: '1' })
    await app.close()
  })
})
