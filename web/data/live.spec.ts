import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { follow, SILENCE_MS } from './live.ts'
import { storeGrant } from '@/session/token-store'

type Stream = { readonly say: (text: string) => void; readonly end: () => void; readonly signal: AbortSignal }
const streams: Stream[] = []
const notified: (readonly string[] | null)[] = []
let leave = () => {}
/** How many attempts find no stream. */
let refusals = 0

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  streams.length = 0
  notified.length = 0
  storeGrant({ access_token: 'a', expires_in: 3600, space_id: 's' }, Date.now())
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
  leave = follow((ids) => notified.push(ids))
})
afterEach(() => {
  leave()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A busy machine takes longer than the default second. */
const PATIENT = { timeout: 60_000 }
const opened = (n: number) => vi.waitFor(() => expect(streams).toHaveLength(n), PATIENT)
const notifiedTimes = (n: number) => vi.waitFor(() => expect(notified).toHaveLength(n), PATIENT)

it('reports changed campaigns, however the stream is split into chunks', async () => {
  await opened(1)
  streams[0]?.say('event: ready\ndata: {}\n\n')
  streams[0]?.say(':\n\nevent: campaigns\ndata: {"ids":["a')
  streams[0]?.say('","b"]}\n\n')
  await notifiedTimes(2)
  expect(notified).toEqual([null, ['a', 'b']])
})

it('reports that anything may have changed once the first stream is ready', async () => {
  await opened(1)
  streams[0]?.say('event: ready\ndata: {}\n\n')
  await notifiedTimes(1)
  expect(notified).toEqual([null])
})

it('reports that anything may have changed when the first attempt failed', async () => {
  leave()
  await opened(1)
  refusals = 1
  leave = follow((ids) => notified.push(ids))
  await opened(2)
  streams[1]?.say('event: ready\ndata: {}\n\n')
  await notifiedTimes(1)
  expect(notified).toEqual([null])
})

it('reconnects after the stream ended, and reports that anything may have changed', async () => {
  await opened(1)
  streams[0]?.say('event: ready\ndata: {}\n\n')
  streams[0]?.end()
  await notifiedTimes(1)
  await opened(2)
  streams[1]?.say('event: ready\ndata: {}\n\n')
  await notifiedTimes(2)
  expect(notified).toEqual([null, null])
})

it('closes the stream when the last listener leaves', async () => {
  await opened(1)
  leave()
  expect(streams[0]?.signal.aborted).toBe(true)
})

it('replaces a silent stream, and reports that anything may have changed', async () => {
  await opened(1)
  streams[0]?.say('event: ready\ndata: {}\n\n')
  await notifiedTimes(1)
  await vi.advanceTimersByTimeAsync(SILENCE_MS - 5000)
  expect(streams[0]?.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(5000)
  expect(streams[0]?.signal.aborted).toBe(true)
  await vi.advanceTimersByTimeAsync(500)
  await opened(2)
  streams[1]?.say('event: ready\ndata: {}\n\n')
  await notifiedTimes(2)
  expect(notified).toEqual([null, null])
})

it('keeps a quiet stream while its heartbeats arrive', async () => {
  await opened(1)
  streams[0]?.say('event: ready\ndata: {}\n\n')
  await notifiedTimes(1)
  for (let beat = 0; beat < 5; beat++) {
    await vi.advanceTimersByTimeAsync(SILENCE_MS - 5000)
    streams[0]?.say(':\n\n')
    // Bytes pass through streams, not timers.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(streams).toHaveLength(1)
  expect(streams[0]?.signal.aborted).toBe(false)
})

it('aborts and retries a connection that never responds', async () => {
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
