import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  listFailedJobs,
  listLicences,
  listServerErrors,
  readProcesses,
  readQueues,
  readReadModels,
  readSettings,
} from '#contract/operations'
import { call } from '@/data/client'

/** While the page is visible, milliseconds. */
const REFETCH_MS = 10_000

/** Rows of a page. */
export const OPERATIONS_ROWS = 20

const fresh = { refetchInterval: REFETCH_MS, staleTime: 0 } as const
export const OPERATIONS_KEY = ['operations'] as const

export const operationsQueries = {
  queues: () =>
    queryOptions({ queryKey: [...OPERATIONS_KEY, 'queues'], queryFn: ({ signal }) => call(readQueues, { signal }), ...fresh }),
  jobs: (page: number) =>
    queryOptions({
      queryKey: [...OPERATIONS_KEY, 'jobs', page],
      queryFn: ({ signal }) => call(listFailedJobs, { query: { page, page_size: OPERATIONS_ROWS }, signal }),
      placeholderData: keepPreviousData,
      ...fresh,
    }),
  readModels: () =>
    queryOptions({
      queryKey: [...OPERATIONS_KEY, 'read-models'],
      queryFn: ({ signal }) => call(readReadModels, { signal }),
      ...fresh,
    }),
  processes: () =>
    queryOptions({
      queryKey: [...OPERATIONS_KEY, 'processes'],
      queryFn: ({ signal }) => call(readProcesses, { signal }),
      ...fresh,
    }),
  settings: () =>
    queryOptions({ queryKey: [...OPERATIONS_KEY, 'settings'], queryFn: ({ signal }) => call(readSettings, { signal }) }),
  licences: (page: number) =>
    queryOptions({
      queryKey: [...OPERATIONS_KEY, 'licences', page],
      queryFn: ({ signal }) => call(listLicences, { query: { page, page_size: OPERATIONS_ROWS }, signal }),
      placeholderData: keepPreviousData,
      staleTime: Infinity,
    }),
  errors: (page: number, request: string | undefined) =>
    queryOptions({
      queryKey: [...OPERATIONS_KEY, 'errors', page, request ?? null],
      queryFn: ({ signal }) =>
        call(listServerErrors, {
          query: { page, page_size: OPERATIONS_ROWS, ...(request === undefined ? {} : { request_id: request }) },
          signal,
        }),
      placeholderData: keepPreviousData,
      ...fresh,
    }),
}
