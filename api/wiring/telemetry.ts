import { randomUUID } from 'node:crypto'
import { NO_TRACES } from '#eventstore/tracer'
import type { Collector } from '#platform/telemetry/collector'
import { createDroppedSpans, type DroppedSpans } from '#platform/telemetry/dropped-spans'
import type { Tracing } from '#platform/telemetry/tracing'
import type { Wired } from '../areas/services.ts'
import type { Config } from '../config.ts'
import { VERSION } from '../version.ts'

export type Telemetry = {
  readonly tracer: Tracing['tracer']
  /** Null without a collector. */
  readonly beginCall: Tracing['beginCall'] | null
  readonly collector: Collector | null
  readonly dropped: DroppedSpans
}

export type TelemetryDeps = Pick<Wired, 'logger' | 'stops'> & {
  /** Counter of another thread, which counts for this process too. */
  readonly dropped?: SharedArrayBuffer
}

/** Traces of this thread. Without a collector no package of OpenTelemetry is loaded. */
export async function openTelemetry(
  { otlp, role }: Pick<Config, 'otlp' | 'role'>,
  { logger, stops, dropped: shared }: TelemetryDeps,
): Promise<Telemetry> {
  const dropped = createDroppedSpans(shared)
  if (otlp === null) return { tracer: NO_TRACES, beginCall: null, collector: null, dropped }
  const resource = {
    'service.name': otlp.serviceName,
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
    'placard.role': role,
  }
  const collector = { url: otlp.url, headers: otlp.headers, resource }
  const { createTracing } = await import('#platform/telemetry/tracing')
  const { tracer, beginCall, stop } = createTracing({ collector, sampling: otlp.sampling, logger, dropped })
  stops.add(stop)
  return { tracer, beginCall, collector, dropped }
}
