import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Collector } from './collector.ts'
import { metricsRequest, type Metric } from './otlp-metrics.ts'
import { postOtlp } from './post-otlp.ts'

export type MetricsPushDeps = {
  readonly collector: Collector
  readonly everyMs: number
  readonly collect: () => Promise<readonly Metric[]>
  readonly logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

/** How long the collector may take, milliseconds. */
const WITHIN_MS = 10_000
/** How long a stop waits for the last push, milliseconds. */
const STOP_MS = 2000

/**
 * Sends the metrics of this process to a collector, until stopped and once more then. Values are sums since the start, so that nothing has to be
 * kept while the collector is away; the log says once that it is away and once that it is back.
 */
export function startMetricsPush({ collector, everyMs, collect, logger }: MetricsPushDeps): {
  readonly stop: () => Promise<void>
} {
  const start = Date.now() - process.uptime() * 1000
  const endpoint = { url: `${collector.url}/v1/metrics`, headers: collector.headers }
  let isAway = false
  let pushing: Promise<void> | null = null

  async function push(): Promise<void> {
    try {
      const metrics = await collect()
      await postOtlp(endpoint, metricsRequest(metrics, collector.resource, { start, now: Date.now() }), WITHIN_MS)
      if (isAway) logger.warn('the collector of metrics is back')
      isAway = false
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      if (!isAway) logger.error(`the collector of metrics is away: ${cause}. They are sent when it is back`)
      isAway = true
    }
  }
  const pushOnce = () => (pushing ??= push().finally(() => (pushing = null)))
  const timer = setInterval(() => void pushOnce(), everyMs).unref()

  return {
    async stop() {
      clearInterval(timer)
      await Promise.race([pushOnce(), delay(STOP_MS, undefined, { ref: false })])
    },
  }
}
