import type { ServerResponse } from 'node:http'
import { ExportResultCode } from '@opentelemetry/core'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startCollector } from '#test/support/collector'
import { createDroppedSpans } from './dropped-spans.ts'
import { createSpanQueue } from './span-queue.ts'
import { createTracing } from './tracing.ts'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

async function collecting(options: { port?: number; answer?: (response: ServerResponse) => void } = {}) {
  const collector = await startCollector(options)
  opened.push(collector.stop)
  return collector
}

function linesOf() {
  const lines: string[] = []
  const add = (line: unknown) => lines.push(String(line))
  return { lines, logger: { error: add, warn: add } as never }
}

function tracing(url: string) {
  const dropped = createDroppedSpans()
  const { lines, logger } = linesOf()
  const made = createTracing({
    collector: { url, headers: {}, resource: { 'service.name': 'placard' } },
    sampling: { sampler: 'always_on', ratio: 1 },
    logger,
    dropped,
  })
  return { ...made, dropped, lines }
}

const SPAN = {} as ReadableSpan
type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0]

/** A queue whose exporter answers when the test says so. */
function queueOf(most: number, retryMs: readonly number[] = [5]) {
  const dropped = createDroppedSpans()
  const { lines, logger } = linesOf()
  const batches: { readonly spans: number; readonly answer: (result: Result) => void }[] = []
  const exporter: SpanExporter = {
    export: (spans, answer) => void batches.push({ spans: spans.length, answer }),
    shutdown: async () => {},
  }
  const queue = createSpanQueue({ exporter, dropped, logger, most, retryMs })
  return { queue, batches, dropped, lines, end: (spans: number) => Array.from({ length: spans }, () => queue.onEnd(SPAN)) }
}
const AWAY: Result = { code: ExportResultCode.FAILED, error: new Error('connect ECONNREFUSED http://collector/?key=secret') }
const TAKEN: Result = { code: ExportResultCode.SUCCESS }
const REFUSED: Result = { code: ExportResultCode.FAILED, error: Object.assign(new Error('no'), { code: 401 }) }

describe('spans on their way to a collector', () => {
  // covers FP-99
  it('spans wait in a bounded queue while the collector is away, and the log has one line for each change', async () => {
    const { queue, batches, dropped, lines, end } = queueOf(600)
    end(700)
    expect([queue.waiting(), dropped.count(), batches.map(({ spans }) => spans)]).toEqual([600, 100, [512]])
    batches[0]?.answer(AWAY)
    await expect.poll(() => batches.length).toBe(2)
    batches[1]?.answer(AWAY)
    await expect.poll(() => batches.length).toBe(3)
    expect(lines).toEqual(['the collector of traces is away: Error. Spans wait, and are dropped beyond 600'])
    batches[2]?.answer(TAKEN)
    await expect.poll(() => batches.map(({ spans }) => spans)).toEqual([512, 512, 512, 88])
    batches[3]?.answer(TAKEN)
    await expect.poll(() => queue.waiting()).toBe(0)
    expect([lines.length, lines[1], dropped.count()]).toEqual([2, 'the collector of traces is back', 100])
  })

  it('spans on their way to a collector are sent again after the shortest pause once the collector took a batch', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { batches, end } = queueOf(10, [5, 1_000_000])
    const sentAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      return batches.length
    }
    end(1)
    expect(await sentAfter(1000)).toBe(1)
    batches[0]?.answer(AWAY)
    expect(await sentAfter(5)).toBe(2)
    batches[1]?.answer(TAKEN)
    await sentAfter(0)
    end(1)
    expect(await sentAfter(1000)).toBe(3)
    batches[2]?.answer(AWAY)
    expect(await sentAfter(5)).toBe(4)
  })

  it('spans on their way to a collector are dropped with their batch when the collector refuses it for good', async () => {
    const { queue, batches, dropped, lines, end } = queueOf(1000)
    end(520)
    batches[0]?.answer(REFUSED)
    await expect.poll(() => batches.map(({ spans }) => spans)).toEqual([512, 8])
    expect([queue.waiting(), dropped.count(), lines]).toEqual([8, 512, [expect.stringContaining('is away: 401.')]])
  })

  it('spans on their way to a collector arrive after a collector is back', async () => {
    const first = await collecting()
    await first.stop()
    opened.pop()
    const { tracer, lines, stop } = tracing(first.url)
    opened.push(stop)
    await tracer.span({ name: 'kept' }, async () => {})
    await expect.poll(() => lines.length).toBe(1)
    const { spans } = await collecting({ port: first.port })
    await expect.poll(() => spans().map(({ name }) => name)).toEqual(['kept'])
    await expect
      .poll(() => lines)
      .toEqual([expect.stringMatching(/^the collector of traces is away: /), 'the collector of traces is back'])
  })

  it('spans on their way to a collector delay neither work nor a stop for ever while the collector does not answer', async () => {
    const { url } = await collecting({ answer: () => {} })
    const { tracer, stop } = tracing(url)
    // Work that waited for an answer would never end.
    for (let n = 0; n < 1000; n++) await tracer.span({ name: 'work' }, async () => {})
    await stop()
  })

  it('spans on their way to a collector are sent by a stop', async () => {
    const { url, spans } = await collecting()
    const { tracer, stop } = tracing(url)
    await tracer.span({ name: 'last' }, async () => {})
    await stop()
    expect(spans().map(({ name }) => name)).toEqual(['last'])
  })
})

describe('a tracer', () => {
  it('makes a span within another its child, and one that names its cause a child of that', async () => {
    const { url, spans } = await collecting()
    const { tracer, stop } = tracing(url)
    const cause = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    await tracer.span({ name: 'outer' }, () =>
      tracer.span({ name: 'inner' }, () => tracer.span({ name: 'caused', parent: cause }, async () => {})),
    )
    expect(tracer.current()).toBeUndefined()
    await stop()
    const of = (name: string) => spans().find((span) => span.name === name)
    expect(of('outer')?.parentSpanId).toBeUndefined()
    expect(of('inner')).toMatchObject({ parentSpanId: of('outer')?.spanId, traceId: of('outer')?.traceId })
    expect(of('caused')).toMatchObject({ parentSpanId: 'b'.repeat(16), traceId: 'a'.repeat(32) })
  })

  it('marks a span whose work rejects with the name of the error, never its message', async () => {
    const { url, spans, requests } = await collecting()
    const { tracer, stop } = tracing(url)
    const failing = tracer.span({ name: 'failing' }, () => Promise.reject(new RangeError('ada@nile.example is unknown')))
    await expect(failing).rejects.toThrow('ada@nile.example')
    await stop()
    expect(spans()).toMatchObject([{ failed: true, attributes: { 'error.type': 'RangeError' } }])
    expect(requests.map(({ body }) => body).join()).not.toContain('ada@')
  })

  it.each([
    { sampler: 'always_off', ratio: 1, recorded: 0 },
    { sampler: 'traceidratio', ratio: 0, recorded: 0 },
    { sampler: 'parentbased_always_off', ratio: 1, recorded: 1 },
    { sampler: 'parentbased_traceidratio', ratio: 0, recorded: 1 },
    { sampler: 'parentbased_always_on', ratio: 0, recorded: 2 },
  ] as const)('records $recorded of a new and a recorded trace with $sampler', async ({ sampler, ratio, recorded }) => {
    const { url, spans } = await collecting()
    const { logger } = linesOf()
    const { tracer, stop } = createTracing({
      collector: { url, headers: {}, resource: {} },
      sampling: { sampler, ratio },
      logger,
      dropped: createDroppedSpans(),
    })
    await tracer.span({ name: 'new' }, async () => {})
    await tracer.span({ name: 'recorded', parent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }, async () => {})
    await stop()
    expect(spans()).toHaveLength(recorded)
  })
})
