import { traceOf } from '#domain/kit/event-metadata'
import type { Page } from '#eventstore/event-store'
import { NO_TRACES, type Tracer } from '#eventstore/tracer'
import type { ReadModel } from './read-model.ts'

/** Traces of a page that get a span: a page of a read model that catches up may hold events of thousands. */
const MOST_TRACES = 16

/** Applies a page within a span of each trace whose events may change rows of this read model. */
export function tracedPage(tracer: Tracer, { name, concerns }: ReadModel, { events }: Page, apply: () => Promise<void>) {
  if (tracer === NO_TRACES) return apply()
  const traces = new Map<string, number>()
  for (const event of events) {
    const trace = concerns(event) ? traceOf(event.metadata) : undefined
    if (trace !== undefined && (traces.has(trace) || traces.size < MOST_TRACES)) traces.set(trace, (traces.get(trace) ?? 0) + 1)
  }
  return [...traces].reduce<() => Promise<void>>(
    (work, [parent, own]) =>
      () =>
        tracer.span(
          {
            name: `project ${name}`,
            kind: 'consumer',
            parent,
            attributes: { 'placard.read_model': name, 'placard.events': own, 'placard.page': events.length },
          },
          work,
        ),
    apply,
  )()
}
