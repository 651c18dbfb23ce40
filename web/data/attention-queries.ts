import { queryOptions } from '@tanstack/react-query'
import { readAttention } from '#contract/attention'
import { call } from './client.ts'

export const attentionQueries = {
  all: () => ['attention'] as const,
  mine: () =>
    queryOptions({
      queryKey: attentionQueries.all(),
      queryFn: ({ signal }) => call(readAttention, { signal }),
      refetchInterval: 60_000,
    }),
}
