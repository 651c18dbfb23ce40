import { queryOptions } from '@tanstack/react-query'
import { logHead, logKeys } from '#contract/audit'
import { call } from '@/data/client'

export const proofQueries = {
  all: () => ['audit', 'proof'] as const,
  head: () => queryOptions({ queryKey: [...proofQueries.all(), 'head'], queryFn: ({ signal }) => call(logHead, { signal }) }),
  keys: () => queryOptions({ queryKey: [...proofQueries.all(), 'keys'], queryFn: ({ signal }) => call(logKeys, { signal }) }),
}
