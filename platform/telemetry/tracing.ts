import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace as spans, type Context, type Span } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { Attributes, SpanOf, Tracer } from '#eventstore/tracer'
import { asAsker, askerNow, recordedTrace } from '../database/lanes.ts'
import type { Collector, Sampling } from './collector.ts'
import { createSpanQueue, type SpanQueueDeps } from './span-queue.ts'

/** The span of a call, under the ids that its answer names. */
export type CallSpan = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** `traceparent` of the caller; null when the trace begins here. */
  readonly parent: string | null
  readonly attributes: Attributes
}
export type OpenSpan = {
  readonly isRecorded: boolean
  readonly end: (attributes: Attributes, failed: boolean) => void
}

export type Tracing = {
  readonly tracer: Tracer
  readonly beginCall: (call: CallSpan) => OpenSpan
  /** Sends what waits, for two seconds at most. */
  readonly stop: () => Promise<void>
}

type TracingDeps = Pick<SpanQueueDeps, 'logger' | 'dropped'> & {
  readonly collector: Collector
  readonly sampling: Sampling
}

/** How long the collector may take for one batch, milliseconds. */
const WITHIN_MS = 5000

const KINDS = { client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

/**
 * Traces by OTLP/HTTP. The span under way is part of what `asAsker` carries; nothing is registered globally, so that processes of tests hold
 * several products. This module loads the packages of OpenTelemetry: import it only where there is a collector.
 */
export function createTracing({ collector, sampling, logger, dropped }: TracingDeps): Tracing {
  const random = new RandomIdGenerator()
  /** Ids of the span that is being started, which is done synchronously. */
  let given: Pick<CallSpan, 'traceId' | 'spanId'> | null = null
  const queue = createSpanQueue({
    exporter: new OTLPTraceExporter({
      url: `${collector.url}/v1/traces`,
      headers: { ...collector.headers },
      timeoutMillis: WITHIN_MS,
    }),
    logger,
    dropped,
  })
  const provider = new TracerProvider({
    sampler: samplerOf(sampling),
    resource: resourceFromAttributes(collector.resource),
    idGenerator: {
      generateTraceId: () => given?.traceId ?? random.generateTraceId(),
      generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [queue],
  })
  const started = provider.getTracer('placard')

  const tracer: Tracer = {
    current: recordedTrace,
    async span({ name, kind, attributes = {}, parent = askerNow().trace }, work) {
      const options = {
        kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
        attributes: { ...attributes } as OtelAttributes,
      }
      const span = started.startSpan(name, options, contextOf(parent))
      try {
        const within = { ...askerNow(), trace: traceparentOf(span) }
        return await asAsker(within, () => work((more) => void span.setAttributes({ ...more } as OtelAttributes)))
      } catch (error) {
        // The message may name people or hold what a service answered.
        fail(span, error instanceof Error ? error.name : typeof error)
        throw error
      } finally {
        span.end()
      }
    },
  }

  return {
    tracer,
    beginCall({ name, traceId, spanId, parent, attributes }) {
      given = { traceId, spanId }
      const options = { kind: SpanKind.SERVER, attributes: { ...attributes } as OtelAttributes }
      const span = started.startSpan(name, options, contextOf(parent ?? undefined))
      given = null
      return {
        isRecorded: span.isRecording(),
        end(more, failed) {
          span.setAttributes({ ...more } as OtelAttributes)
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    stop: () => provider.shutdown(),
  }
}

type OtelAttributes = Record<string, string | number | boolean | string[]>

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function traceparentOf(span: Span): string {
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-${span.isRecording() ? '01' : '00'}`
}

/** The context of a `traceparent` that this product wrote or checked. */
function contextOf(traceparent: SpanOf['parent']): Context {
  const [, traceId, spanId, flags = '00'] = traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  const traceFlags = (Number.parseInt(flags, 16) & 1) === 1 ? TraceFlags.SAMPLED : TraceFlags.NONE
  return spans.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** The standard samplers by their names in `OTEL_TRACES_SAMPLER`. */
function samplerOf({ sampler, ratio }: Sampling): Sampler {
  const name = sampler.replace('parentbased_', '')
  const root =
    name === 'always_on'
      ? new AlwaysOnSampler()
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
  return name === sampler ? root : new ParentBasedSampler({ root })
}
