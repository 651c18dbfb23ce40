import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { eventNames, listEvents, pixelKey } from '#contract/events'
import { call } from '@/data/client'
import type { DateRange } from '@/lib/date-range'
import { shownSpace } from '@/session/identity'

/** New events appear on the first page by themselves, milliseconds. */
const REFETCH_MS = 5000

/** Rows of a page (decisions G-227). */
export const EVENT_ROWS = 10

type Asked = {
  readonly range: DateRange
  readonly name: string | undefined
  readonly unconfirmed: boolean
  readonly page: number
}

/** Events of the account that the session acts in; of staff, of their whole white-label. */
export const eventsQueries = {
  page: ({ range: { start, end }, name, unconfirmed, page }: Asked) =>
    queryOptions({
      queryKey: ['events', shownSpace(), 'page', { start, end, name, unconfirmed, page }],
      queryFn: ({ signal }) =>
        call(listEvents, {
          body: { from_date: start, to_date: end, name: name ?? null, unconfirmed, page, page_size: EVENT_ROWS },
          signal,
        }),
      placeholderData: keepPreviousData,
      refetchInterval: page === 0 ? REFETCH_MS : false,
    }),
  names: (unconfirmed: boolean) =>
    queryOptions({
      queryKey: ['events', shownSpace(), 'names', unconfirmed],
      queryFn: ({ signal }) => call(eventNames, { query: unconfirmed ? { unconfirmed: 'true' } : {}, signal }),
      refetchInterval: 6 * REFETCH_MS,
    }),
  pixelKey: () =>
    queryOptions({
      queryKey: ['events', shownSpace(), 'pixel-key'],
      queryFn: ({ signal }) => call(pixelKey, { query: {}, signal }),
      staleTime: Infinity,
    }),
}
