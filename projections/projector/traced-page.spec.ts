import { expect, it } from 'vitest'
import { NO_TRACES, type SpanOf, type Tracer } from '#eventstore/tracer'
import type { StoredEvent } from '#eventstore/event-store'
import type { ReadModel } from './read-model.ts'
import { tracedPage } from './traced-page.ts'

const MODEL = { name: 'campaign-list', concerns: ({ type }: StoredEvent) => type !== 'Other' } as ReadModel
const traceOf = (n: number) => `00-${String(n).padStart(32, '0')}-${'b'.repeat(16)}-01`
const eventOf = (trace: string | null, type = 'CampaignApproved') =>
  ({ type, metadata: JSON.stringify({ actor: 'a', ...(trace === null ? {} : { trace }) }) }) as StoredEvent

/** Applies a page of these events; returns the spans, and how many were open while it was applied. */
async function apply(events: readonly StoredEvent[]) {
  const spans: SpanOf[] = []
  let open = 0
  let during = -1
  const tracer: Tracer = {
    current: () => undefined,
    async span(of, work) {
      spans.push(of)
      open += 1
      return work(() => {}).finally(() => (open -= 1))
    },
  }
  await tracedPage(tracer, MODEL, { events, upTo: 9n }, async () => void (during = open))
  return { spans, during }
}

it('applies a page once, within a span of each trace whose events the read model concerns', async () => {
  const events = [eventOf(traceOf(1)), eventOf(traceOf(2)), eventOf(traceOf(1)), eventOf(traceOf(3), 'Other'), eventOf(null)]
  const { spans, during } = await apply(events)
  expect(during).toBe(2)
  expect(new Map(spans.map(({ parent, attributes }) => [parent, attributes?.['placard.events']]))).toEqual(
    new Map([
      [traceOf(1), 2],
      [traceOf(2), 1],
    ]),
  )
  expect(spans[0]).toMatchObject({ name: 'project campaign-list', attributes: { 'placard.page': 5 } })
})

it('a page without a recorded trace has no span, and other pages have spans for sixteen traces at most', async () => {
  expect(await apply([eventOf(null), eventOf(traceOf(1), 'Other')])).toEqual({ spans: [], during: 0 })
  expect((await apply(Array.from({ length: 40 }, (_, n) => eventOf(traceOf(n))))).during).toBe(16)
})

it('reads no metadata without a collector', async () => {
  const unread = {
    type: 'CampaignApproved',
    get metadata(): string {
      throw new Error('was read')
    },
  } as StoredEvent
  let applied = 0
  await tracedPage(NO_TRACES, MODEL, { events: [unread], upTo: 1n }, async () => void (applied += 1))
  expect(applied).toBe(1)
})
