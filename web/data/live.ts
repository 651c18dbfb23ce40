import { EventSourceParserStream } from 'eventsource-parser/stream'
import { changedCampaigns, followChanges, HEARTBEAT_MS } from '#contract/live'
import { authHeaders, renew } from './client.ts'

/** Backoff between connection attempts, milliseconds. The last interval repeats. */
const PAUSES = [500, 1000, 2000, 5000, 15_000, 30_000] as const

/** After this long without a byte, heartbeats included, the connection counts as lost. Milliseconds. */
export const SILENCE_MS = 2.5 * HEARTBEAT_MS

/**
 * `campaigns`: they changed; `figures`: something was delivered for them; `notifications`: some were added or read; `reviews`: a
 * submission is held, released, decided or assigned.
 */
export type ChangeKind = 'campaigns' | 'figures' | 'notifications' | 'reviews'

/** Receives the ids of changed campaigns, or null when any campaign may have changed. */
export type OnChange = (ids: readonly string[] | null, kind: ChangeKind) => void

/**
 * Follows the server's change notifications until the returned function is called. Connected only while the page is visible:
 * browsers limit the connections per server, and background tabs would use them up. A tab that becomes visible again is notified
 * that anything may have changed.
 */
export function follow(onChange: OnChange): () => void {
  const leaving = new AbortController()
  const away = () => !leaving.signal.aborted && document.visibilityState === 'hidden'
  void (async () => {
    let failures = 0
    while (!leaving.signal.aborted) {
      if (away()) await shown(leaving.signal)
      else {
        const connected = await listen(leaving.signal, (ids, kind) => {
          failures = 0
          // Notify on the first connection too: the page's data may be much older than the stream.
          onChange(ids, kind)
        })
        if (!connected) await pause(PAUSES[Math.min(failures++, PAUSES.length - 1)] ?? 0, leaving.signal)
      }
    }
  })()
  return () => leaving.abort()
}

/** Reads one stream until it ends or falls silent. Returns false when there was none. */
async function listen(leaving: AbortSignal, notify: OnChange): Promise<boolean> {
  const hidden = new AbortController()
  const hide = () => document.visibilityState === 'hidden' && hidden.abort()
  document.addEventListener('visibilitychange', hide)
  const silence = createWatchdog(SILENCE_MS)
  try {
    const response = await fetch(followChanges.path, {
      headers: authHeaders(false),
      signal: AbortSignal.any([leaving, hidden.signal, silence.signal]),
    })
    silence.reset()
    if (response.status === 401) await renew()
    if (!response.ok || response.body === null) return false
    const messages = response.body
      .pipeThrough(silence.listener())
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader()
    for (;;) {
      const { done, value } = await messages.read()
      if (done) return true
      if (value.event === 'ready') notify(null, 'campaigns')
      else if (value.event === 'notifications' || value.event === 'reviews') notify(null, value.event)
      else if (value.event === 'campaigns' || value.event === 'figures')
        notify(changedCampaigns.parse(JSON.parse(value.data)).ids, value.event)
    }
  } catch {
    return hidden.signal.aborted
  } finally {
    silence.stop()
    document.removeEventListener('visibilitychange', hide)
  }
}

/** Aborts after this long without data: a connection whose other end is gone reports no error. */
function createWatchdog(milliseconds: number) {
  const silent = new AbortController()
  const start = () => setTimeout(() => silent.abort(), milliseconds)
  let timer = start()
  const reset = () => {
    clearTimeout(timer)
    timer = start()
  }
  return {
    signal: silent.signal,
    reset,
    stop: () => clearTimeout(timer),
    /** Passes bytes on, including heartbeats, which the parser drops. */
    listener: () =>
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          reset()
          controller.enqueue(chunk)
        },
      }),
  }
}

const shown = (leaving: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const over = new AbortController()
    const done = () => {
      over.abort()
      resolve()
    }
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && done(), { signal: over.signal })
    leaving.addEventListener('abort', done, { signal: over.signal })
  })

const pause = (milliseconds: number, leaving: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    leaving.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
