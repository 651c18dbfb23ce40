import { keepPreviousData, mutationOptions, queryOptions, skipToken } from '@tanstack/react-query'
import type { z } from '#contract/zod'
import { bidRequest } from '#contract/bid-request'
import { maxMargin } from '#contract/campaign'
import { explainBidding, replayBidding } from '#contract/bidding'
import { adminDetails, saveAdminDetails } from '#contract/moderation'
import { dictionary } from '#contract/reference'
import { call } from './client.ts'
import { wireLocaleOf, type Language } from '#domain/kit/languages'

/** Campaign data visible to white-label staff only. */
export const administrationQueries = {
  all: () => ['administration'] as const,
  details: (id: string) =>
    queryOptions({
      queryKey: [...administrationQueries.all(), 'details', id],
      queryFn: ({ signal }) => call(adminDetails, { params: { id }, signal }),
    }),
  maxMargin: (userId: string) =>
    queryOptions({
      queryKey: [...administrationQueries.all(), 'max-margin', userId],
      queryFn: ({ signal }) => call(maxMargin, { query: { 'user-id': userId }, signal }),
      staleTime: 5 * 60_000,
    }),
  categories: (language: Language) =>
    queryOptions({
      queryKey: [...administrationQueries.all(), 'categories', language],
      queryFn: ({ signal }) => call(dictionary, { params: { name: 'iab_categories', locale: wireLocaleOf(language) }, signal }),
      staleTime: Infinity,
    }),
}

export const administrationMutations = {
  comment: (id: string) =>
    mutationOptions({
      mutationFn: (comment: string) => call(saveAdminDetails, { params: { id }, body: { comment } }),
    }),
}

type BidRequest = z.input<typeof bidRequest>
export type BiddingExplained = z.output<typeof explainBidding.output>

/** A bid request, and the entries of advanced bidding as they stand in the form, as JSON text. */
type Question = { readonly id: string; readonly body: BidRequest; readonly entries: string }

export const biddingMutations = {
  explain: () =>
    mutationOptions({
      meta: { silent: true },
      mutationFn: ({ id, body, entries }: Question) =>
        call(explainBidding, { params: { id }, body: { ...body, traffic_targeting: entries } }),
    }),
}

export type BiddingReplayed = z.output<typeof replayBidding.output>

export const biddingQueries = {
  /**
   * Effect of the saved entries and these on sampled impressions. `revision` is that of the saved entries; null does not ask, and
   * keeps the last answer.
   */
  replay: (saved: { readonly id: string; readonly revision: number } | null, entries: string) =>
    queryOptions({
      queryKey: [...administrationQueries.all(), 'replay', saved?.id, saved?.revision, entries],
      queryFn:
        saved === null
          ? skipToken
          : ({ signal }) => call(replayBidding, { params: { id: saved.id }, body: { traffic_targeting: entries }, signal }),
      placeholderData: keepPreviousData,
      staleTime: 60_000,
      retry: false,
      meta: { silent: true },
    }),
}

/** Parses a pasted bid request, or returns why it is not JSON or where it is invalid. */
export function readBidRequest(
  text: string,
): { readonly body: BidRequest } | { readonly notJson: string } | { readonly at: string } {
  try {
    const read = bidRequest.safeParse(JSON.parse(text))
    return read.success ? { body: read.data } : { at: read.error.issues[0]?.path.join('.') ?? '' }
  } catch (error) {
    return { notJson: error instanceof Error ? error.message : '' }
  }
}
