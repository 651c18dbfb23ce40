import { setTimeout as delay } from 'node:timers/promises'
import { ExportResultCode } from '@opentelemetry/core'
import type { FastifyBaseLogger } from 'fastify'
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import type { DroppedSpans } from './dropped-spans.ts'

export type SpanQueueDeps = {
  readonly exporter: SpanExporter
  readonly dropped: DroppedSpans
  readonly logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** Spans that wait at most. */
  readonly most?: number
  /** Pauses before a batch is sent again, milliseconds; the last one repeats. */
  readonly retryMs?: readonly number[]
}

/** A span is about a kilobyte in memory. */
const MOST = 4096
const AT_ONCE = 512
/** How long a span waits for others, milliseconds. */
const GATHER_MS = 1000
const RETRY_MS = [1000, 5000, 15_000, 30_000] as const
/** How long a stop waits for the collector, milliseconds. */
const STOP_MS = 2000

/**
 * Spans on their way to a collector, in batches, one after the other. While it is away or slow the newest are dropped and counted once the queue
 * is full: a call never waits, and memory is bounded. The log says once that it is away and once that it is back. A batch that the collector
 * refuses for good is dropped.
 */
export function createSpanQueue(deps: SpanQueueDeps): SpanProcessor & { readonly waiting: () => number } {
  const { exporter, dropped, logger, most = MOST, retryMs = RETRY_MS } = deps
  const spans: ReadableSpan[] = []
  let isAway = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | null = null
  const stopping = new AbortController()

  const sendSoon = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = undefined
      void send()
    }, ms).unref()
  }

  const send = (): Promise<void> => (sending ??= sendAll().finally(() => (sending = null)))

  async function sendAll(): Promise<void> {
    while (spans.length > 0) {
      const batch = spans.slice(0, AT_ONCE)
      const fault = await exported(exporter, batch)
      if (fault === null) {
        spans.splice(0, batch.length)
        if (isAway) logger.warn('the collector of traces is back')
        isAway = false
        failures = 0
        continue
      }
      if (!isAway) logger.error(`the collector of traces is away: ${fault.reason}. Spans wait, and are dropped beyond ${most}`)
      isAway = true
      if (fault.isFinal) {
        spans.splice(0, batch.length)
        dropped.add(batch.length)
      }
      if (stopping.signal.aborted) return
      sendSoon(retryMs[Math.min(failures, retryMs.length - 1)] ?? GATHER_MS)
      failures += 1
      return
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await sending
    await send()
  }

  return {
    waiting: () => spans.length,
    onStart: () => {},
    onEnd(span) {
      if (spans.length >= most || stopping.signal.aborted) {
        dropped.add(1)
        return
      }
      spans.push(span)
      // Nothing is awaited here: the exporter serialises a batch in one piece, a few milliseconds at most.
      if (spans.length >= AT_ONCE && !isAway && sending === null) void send()
      else if (sending === null) sendSoon(GATHER_MS)
    },
    forceFlush: flush,
    async shutdown() {
      const ended = flush()
      stopping.abort()
      await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })])
      clearTimeout(timer)
    },
  }
}

/** Null once the collector has a batch. A fault is final when sending the batch again is of no use. */
function exported(
  exporter: SpanExporter,
  batch: ReadableSpan[],
): Promise<{ readonly reason: string; readonly isFinal: boolean } | null> {
  return new Promise((resolve) =>
    exporter.export(batch, ({ code, error }) => {
      if (code === ExportResultCode.SUCCESS) return resolve(null)
      const status = error !== undefined && 'code' in error && typeof error.code === 'number' ? error.code : null
      // 429 and 503 among them are tried again by the specification, and arrive without a status.
      const isFinal = status !== null && status >= 400
      // Messages may repeat the address, in which some collectors want their key.
      resolve({ reason: status === null ? (codeOf(error) ?? error?.name ?? 'no answer') : String(status), isFinal })
    }),
  )
}

/** A code such as ECONNREFUSED. */
const codeOf = (error: Error | undefined): string | undefined =>
  error !== undefined && 'code' in error && typeof error.code === 'string' ? error.code : undefined
