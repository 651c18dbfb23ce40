import { AUDIENCE_STATUS } from '#domain/audience/audience-status'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { audienceOverlap, getAudience, listAudiences } from '#contract/audiences'
import type { Input } from './client.ts'
import { call } from './client.ts'
import { shownSpace } from '@/session/identity'

/** While something is processed, and for members that rules change, milliseconds. */
const PROCESSING_MS = 1000
const REFETCH_MS = 15_000

/** Key of every query about audiences, for mutations that change them. */
export const AUDIENCES_KEY = ['audiences'] as const

type Asked = NonNullable<Input<typeof listAudiences>['body']>

export const audienceQueries = {
  page: (body: Asked) =>
    queryOptions({
      queryKey: [...AUDIENCES_KEY, shownSpace(), 'page', body],
      queryFn: ({ signal }) => call(listAudiences, { body, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.data.some(({ status_key: status }) => status === AUDIENCE_STATUS.processing) === true
          ? PROCESSING_MS
          : REFETCH_MS,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: [...AUDIENCES_KEY, shownSpace(), 'one', id],
      queryFn: ({ signal }) => call(getAudience, { params: { id }, signal }),
      refetchInterval: ({ state }) => (state.data?.status_key === AUDIENCE_STATUS.processing ? PROCESSING_MS : REFETCH_MS),
    }),
  overlap: (id: string, version: number | null) =>
    queryOptions({
      queryKey: [...AUDIENCES_KEY, shownSpace(), 'overlap', id, version],
      queryFn: ({ signal }) => call(audienceOverlap, { params: { id }, signal }),
      staleTime: 60_000,
    }),
}
