import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getAutoRefill, listPaymentMethods, refillHistory } from '#contract/payments'
import { call } from '@/data/client'

export const REFILL_ROWS = 10
/** A refill that waits shows its result by itself, milliseconds. */
const REFETCH_MS = 10_000

export const cardQueries = {
  /** Everything of an account's cards and refills. */
  all: (spaceId: string) => ['billing', spaceId, 'cards'] as const,
  methods: (spaceId: string) =>
    queryOptions({
      queryKey: [...cardQueries.all(spaceId), 'methods'],
      queryFn: ({ signal }) => call(listPaymentMethods, { query: { space_id: spaceId }, signal }),
    }),
  refills: (spaceId: string, page: number) =>
    queryOptions({
      queryKey: [...cardQueries.all(spaceId), 'refills', page],
      queryFn: ({ signal }) => call(refillHistory, { query: { space_id: spaceId, page, page_size: REFILL_ROWS }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: page === 0 ? REFETCH_MS : false,
    }),
  autoRefill: (spaceId: string) =>
    queryOptions({
      queryKey: [...cardQueries.all(spaceId), 'auto'],
      queryFn: ({ signal }) => call(getAutoRefill, { query: { space_id: spaceId }, signal }),
    }),
}

/** Queries that a refill or a change of cards makes out of date. */
export const changedByCards = (spaceId: string) => [['billing', spaceId], ['accounts'], ['campaigns']] as const
