import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startCollector } from '#test/support/collector'
import { startMetricsPush } from './metrics-push.ts'
import { metricsRequest } from './otlp-metrics.ts'

const AT = { start: 1000, now: 2000 }
const TIMES = { startTimeUnixNano: '1000000000', timeUnixNano: '2000000000' }

describe('metrics for a collector', () => {
  it('metrics for a collector are those of the registry: sums, gauges with a value, and buckets that count their own values', async () => {
    const registry = new Registry()
    const registers = [registry]
    new Counter({ name: 'done_total', help: 'What is done', labelNames: ['kind'], registers }).inc({ kind: 'mail' }, 3)
    const gauge = new Gauge({ name: 'age_seconds', help: 'Age of it', labelNames: ['of'], registers })
    gauge.set({ of: 'a' }, 1.5)
    gauge.set({ of: 'b' }, NaN)
    const seconds = new Histogram({
      name: 'took_seconds',
      help: 'Time of it',
      labelNames: ['route'],
      buckets: [0.1, 1],
      registers,
    })
    for (const value of [0.05, 0.5, 0.7, 3]) seconds.observe({ route: '/' }, value)
    seconds.observe({ route: '/b' }, 0.1)
    const request = metricsRequest(await registry.getMetricsAsJSON(), { 'service.name': 'ads' }, AT)
    const attributes = (key: string, stringValue: string) => [{ key, value: { stringValue } }]
    expect(request).toEqual({
      resourceMetrics: [
        {
          resource: { attributes: attributes('service.name', 'ads') },
          scopeMetrics: [
            {
              scope: { name: 'placard' },
              metrics: [
                {
                  name: 'done_total',
                  description: 'What is done',
                  sum: {
                    aggregationTemporality: 2,
                    isMonotonic: true,
                    dataPoints: [{ ...TIMES, attributes: attributes('kind', 'mail'), asDouble: 3 }],
                  },
                },
                {
                  name: 'age_seconds',
                  description: 'Age of it',
                  gauge: { dataPoints: [{ ...TIMES, attributes: attributes('of', 'a'), asDouble: 1.5 }] },
                },
                {
                  name: 'took_seconds',
                  description: 'Time of it',
                  histogram: {
                    aggregationTemporality: 2,
                    dataPoints: [
                      {
                        ...TIMES,
                        attributes: attributes('route', '/'),
                        count: '4',
                        sum: 4.25,
                        explicitBounds: [0.1, 1],
                        bucketCounts: ['1', '2', '1'],
                      },
                      {
                        ...TIMES,
                        attributes: attributes('route', '/b'),
                        count: '1',
                        sum: 0.1,
                        explicitBounds: [0.1, 1],
                        bucketCounts: ['1', '0', '0'],
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
    })
  })

  const pushing = (url: string, everyMs: number) => {
    const lines: string[] = []
    const add = (line: unknown) => void lines.push(String(line))
    const push = startMetricsPush({
      collector: { url, headers: { 'x-key': 'secret' }, resource: {} },
      everyMs,
      collect: async () => [],
      logger: { error: add, warn: add } as never,
    })
    return { ...push, lines }
  }

  it('metrics are pushed again and again and at the stop, and the log says once that the collector is away or back', async () => {
    const first = await startCollector()
    const { stop, lines } = pushing(first.url, 20)
    await expect.poll(() => first.of('/v1/metrics').length).toBeGreaterThan(2)
    expect(first.requests[0]?.headers['x-key']).toBe('secret')
    await first.stop()
    await expect.poll(() => lines.length).toBe(1)
    const second = await startCollector({ port: first.port })
    onTestFinished(second.stop)
    await expect
      .poll(() => lines)
      .toEqual([expect.stringMatching(/^the collector of metrics is away: /), 'the collector of metrics is back'])
    await stop()
    const other = pushing(second.url, 60_000)
    const before = second.requests.length
    await other.stop()
    expect(second.requests.length).toBe(before + 1)
  })

  it('metrics for a collector do not hold up a stop for ever while the receiver does not answer', async () => {
    const { url, stop: close } = await startCollector({ answer: () => {} })
    onTestFinished(close)
    await pushing(url, 60_000).stop()
  })
})
