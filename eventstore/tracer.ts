import { traceOf } from '#domain/kit/event-metadata'
import type { EventStore, StoredEvent } from './event-store.ts'

/** Facts of a span: ids, names and numbers. Never personal data or secrets: a collector is out of reach of an erasure. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>

export type SpanOf = {
  readonly name: string
  /** `client` for a call to a service outside, `consumer` for work that was queued; otherwise work of this process. */
  readonly kind?: 'client' | 'consumer'
  readonly attributes?: Attributes
  /** `traceparent` of the span that caused it, perhaps in another process. Without it the span under way is the parent. */
  readonly parent?: string | undefined
}

/** The port of tracing. Spans are of W3C trace context, level 1. */
export type Tracer = {
  /** Runs work within a span, to which `note` adds attributes. A rejection passes, and the span has failed. */
  readonly span: <T>(of: SpanOf, work: (note: (attributes: Attributes) => void) => Promise<T>) => Promise<T>
  /** `traceparent` of the span under way; undefined when it is not recorded. */
  readonly current: () => string | undefined
}

/** For processes without a collector. */
export const NO_TRACES: Tracer = { span: (_of, work) => work(() => {}), current: () => undefined }

/** Runs what an event causes within a span of the trace of its command; without a span when that was not recorded. */
export function causedBy<T>(
  tracer: Tracer,
  { metadata }: Pick<StoredEvent, 'metadata'>,
  of: Omit<SpanOf, 'parent'>,
  work: () => Promise<T>,
): Promise<T> {
  const parent = tracer === NO_TRACES ? undefined : traceOf(metadata)
  return parent === undefined ? work() : tracer.span({ ...of, parent }, work)
}

/** The same log, whose appends are spans. */
export const tracedAppends = <Log extends EventStore>(log: Log, tracer: Tracer): Log => ({
  ...log,
  append: (append) =>
    tracer.span(
      {
        name: 'append',
        kind: 'client',
        attributes: { 'placard.stream': append.stream, 'placard.events': append.events.length },
      },
      async (note) => {
        const result = await log.append(append)
        note({ 'placard.append': result.kind === 'appended' && result.replayed ? 'replayed' : result.kind })
        return result
      },
    ),
})
