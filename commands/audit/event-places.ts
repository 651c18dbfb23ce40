import { accountStream } from '#domain/account/account'
import { LEDGER_STREAMS, spaceOfLedger } from '#domain/account/ledger'
import type { EventStore, StoredEvent } from '#eventstore/event-store'

/** Where a stream belongs; `space` is null for a white-label's own stream, both for a stream of no white-label. */
export type StreamPlace = { readonly whiteLabel: string | null; readonly space: string | null }

const NOWHERE: StreamPlace = { whiteLabel: null, space: null }
/** Streams whose places are kept. */
const REMEMBERED = 50_000

/** The places of the streams of a page of events, by stream. The first event of a stream fixes its place. */
export function createEventPlaces(store: Pick<EventStore, 'readStream'>) {
  const known = new Map<string, StreamPlace>()

  async function find(stream: string): Promise<StreamPlace> {
    const found = known.get(stream)
    if (found !== undefined) return found
    const place = stream.startsWith(LEDGER_STREAMS) ? await find(accountStream(spaceOfLedger(stream))) : await firstPlace(stream)
    known.set(stream, place)
    return place
  }
  async function firstPlace(stream: string): Promise<StreamPlace> {
    const [first] = await store.readStream(stream, 0, 1)
    return first === undefined ? NOWHERE : placeIn(first)
  }

  return async (events: readonly StoredEvent[]): Promise<ReadonlyMap<string, StreamPlace>> => {
    if (known.size > REMEMBERED) known.clear()
    for (const event of events)
      if (event.version === 1 && !event.stream.startsWith(LEDGER_STREAMS)) known.set(event.stream, placeIn(event))
    const streams = [...new Set(events.map(({ stream }) => stream))]
    // At once: the store reads them in one statement.
    const places = await Promise.all(streams.map(find))
    return new Map(streams.map((stream, i) => [stream, places[i] ?? NOWHERE]))
  }
}

function placeIn({ data }: StoredEvent): StreamPlace {
  const { whitelabel_id, space_id }: { readonly whitelabel_id?: unknown; readonly space_id?: unknown } = JSON.parse(data)
  return {
    whiteLabel: typeof whitelabel_id === 'string' ? whitelabel_id : null,
    space: typeof space_id === 'string' ? space_id : null,
  }
}
