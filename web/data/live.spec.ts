import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { follow, SILENCE_MS } from './live.ts'
import { storeGrant } from '@/session/token-store'

type Stream = { readonly say: (text: string) => void; readonly end: () => void; readonly signal: AbortSignal }
const streams: Stream[] = []
const told: (readonly string[] | null)[] = []
let leave = () => {}
/** How many attempts find no stream. */
let refusals = 0

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  streams.length = 0
  told.length = 0
  storeGrant({ access_token: 'a', refresh_token: 'b', expires_in: 3600, space_id: 's' }, Date.now())
  refusals = 0
  vi.stubGlobal('fetch', async (_url: string, { signal }: { readonly signal: AbortSignal }) => {
    if (refusals-- > 0) return new Response(null, { status: 503 })
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const bytes = new TextEncoder()
        streams.push({ say: (text) => controller.enqueue(bytes.encode(text)), end: () => controller.close(), signal })
        signal.addEventListener('abort', () => controller.error(new Error('aborted')))
      },
    })
    return new Response(body, { status: 200 })
  })
  leave = follow((ids) => told.push(ids))
})
afterEach(() => {
  leave()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const opened = (n: number) => vi.waitFor(() => expect(streams).toHaveLength(n))
const heard = (n: number) => vi.waitFor(() => expect(told).toHaveLength(n))

it('tells which campaigns have changed, however the stream is cut into pieces', async () => {
  await opened(1)
  streams[0]?.say('event: ready\ndata: {}\n\n')
  streams[0]?.say(':\n\nevent: campaigns\ndata: {"ids":["a')
  streams[0]?.say('","b"]}\n\n')
  await heard(2)
  expect(told).toEqual([null, ['a', 'b']])
})

it('says that anything may have changed between what the page read for itself and the first stream', async () => {
  await opened(1)
  streams[0]?.say('event: ready\ndata: {}\n\n')
  await heard(1)
  expect(told).toEqual([null])
})

it('says so too when the first attempt found no stream', async () => {
  leave()
  await opened(1)
  refusals = 1
  leave = follow((ids) => told.push(ids))
  await opened(2)
  streams[1]?.say('event: ready\ndata: {}\n\n')
  await heard(1)
  expect(told).toEqual([null])
})

it('comes back after a stream has ended, and says that anything may have changed meanwhile', async () => {
  await opened(1)
  streams[0]?.say('event: ready\ndata: {}\n\n')
  streams[0]?.end()
  await heard(1)
  await opened(2)
  streams[1]?.say('event: ready\ndata: {}\n\n')
  await heard(2)
  expect(told).toEqual([null, null])
})

it('leaves the stream when nobody listens any more', async () => {
  await opened(1)
  leave()
  expect(streams[0]?.signal.aborted).toBe(true)
})

it('leaves a stream that has fallen silent for a new one, and says that anything may have changed meanwhile', async () => {
  await opened(1)
  streams[0]?.say('event: ready\ndata: {}\n\n')
  await heard(1)
  await vi.advanceTimersByTimeAsync(SILENCE_MS - 5000)
  expect(streams[0]?.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(5000)
  expect(streams[0]?.signal.aborted).toBe(true)
  await vi.advanceTimersByTimeAsync(500)
  await opened(2)
  streams[1]?.say('event: ready\ndata: {}\n\n')
  await heard(2)
  expect(told).toEqual([null, null])
})

it('stays with a quiet stream as long as its heartbeats come', async () => {
  await opened(1)
  streams[0]?.say('event: ready\ndata: {}\n\n')
  await heard(1)
  for (let beat = 0; beat < 5; beat++) {
    await vi.advanceTimersByTimeAsync(SILENCE_MS - 5000)
    streams[0]?.say(':\n\n')
    // Bytes pass through streams, not timers.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(streams).toHaveLength(1)
  expect(streams[0]?.signal.aborted).toBe(false)
})

it('gives up a connection that never answers', async () => {
  await opened(1)
  leave()
  const signals: AbortSignal[] = []
  vi.stubGlobal('fetch', (_url: string, { signal }: { readonly signal: AbortSignal }) => {
    signals.push(signal)
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')))
    })
  })
  leave = follow(() => {})
  await vi.advanceTimersByTimeAsync(SILENCE_MS + 500)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
})
