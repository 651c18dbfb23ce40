import { EventSourceParserStream } from 'eventsource-parser/stream'
import { changedCampaigns, followChanges, HEARTBEAT_MS } from '../../api/contract/live.ts'
import { authHeaders, renew } from './client.ts'

/** Waits between attempts, milliseconds; the last for as long as it takes. */
const PAUSES = [500, 1000, 2000, 5000, 15_000, 30_000] as const

/** After this long without a byte, heartbeats included, the connection is taken for lost. Milliseconds. */
export const SILENCE_MS = 2.5 * HEARTBEAT_MS

/** Ids of campaigns that have changed; null when there may be any number. */
export type OnChange = (ids: readonly string[] | null) => void

/**
 * Follows the server's changes until the returned function is called. Only while the page is looked at: browsers allow a few
 * connections to one server, and tabs in the background would use them up. Whoever comes back is told that anything may have changed.
 */
export function follow(onChange: OnChange): () => void {
  const leaving = new AbortController()
  const away = () => !leaving.signal.aborted && document.visibilityState === 'hidden'
  void (async () => {
    let failures = 0
    while (!leaving.signal.aborted) {
      if (away()) await shown(leaving.signal)
      else {
        const heard = await listen(leaving.signal, (ids) => {
          failures = 0
          // The first time too: what the page shows was read before, and the stream may have come much later.
          onChange(ids)
        })
        if (!heard) await pause(PAUSES[Math.min(failures++, PAUSES.length - 1)] ?? 0, leaving.signal)
      }
    }
  })()
  return () => leaving.abort()
}

/** One stream, to its end or until it falls silent; false when there was none. */
async function listen(leaving: AbortSignal, tell: OnChange): Promise<boolean> {
  const hidden = new AbortController()
  const hide = () => document.visibilityState === 'hidden' && hidden.abort()
  document.addEventListener('visibilitychange', hide)
  const silence = createWatchdog(SILENCE_MS)
  try {
    const response = await fetch(followChanges.path, {
      headers: authHeaders(false),
      signal: AbortSignal.any([leaving, hidden.signal, silence.signal]),
    })
    silence.heard()
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
      if (value.event === 'ready') tell(null)
      else tell(changedCampaigns.parse(JSON.parse(value.data)).ids)
    }
  } catch {
    return hidden.signal.aborted
  } finally {
    silence.stop()
    document.removeEventListener('visibilitychange', hide)
  }
}

/** Aborts once nothing was heard for so long: a connection whose other end is gone reports nothing by itself. */
function createWatchdog(milliseconds: number) {
  const silent = new AbortController()
  const start = () => setTimeout(() => silent.abort(), milliseconds)
  let timer = start()
  const heard = () => {
    clearTimeout(timer)
    timer = start()
  }
  return {
    signal: silent.signal,
    heard,
    stop: () => clearTimeout(timer),
    /** Passes bytes on, heartbeats included, which the parser drops. */
    listener: () =>
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          heard()
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
