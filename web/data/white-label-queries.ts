import { queryOptions } from '@tanstack/react-query'
import { listWhiteLabels } from '#contract/white-label'
import { call } from './client.ts'

export const whiteLabelQueries = {
  all: ['white-labels'] as const,
  /** For system administrators alone. */
  list: () =>
    queryOptions({
      queryKey: [...whiteLabelQueries.all, 'list'],
      queryFn: ({ signal }) => call(listWhiteLabels, { signal }),
    }),
}
