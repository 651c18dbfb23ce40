import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { closeGuide, readGuide } from '#contract/guide'
import { call } from '@/data/client'

const queryKey = ['guide'] as const

export const guideQueries = {
  get: () => queryOptions({ queryKey, queryFn: ({ signal }) => call(readGuide, { signal }), refetchInterval: 15_000 }),
}

export const guideMutations = {
  close: () => mutationOptions({ meta: { invalidates: [queryKey] }, mutationFn: () => call(closeGuide) }),
}
