import { queryOptions } from '@tanstack/react-query'
import { getRegistration, verifyToken } from '#contract/registration'
import { AppError } from '@/data/app-error'
import { call } from '@/data/client'

export const registrationQueries = {
  all: () => ['registrations'] as const,
  /** The registration of a confirmation link. A link that does not work stays so. */
  verified: (token: string) =>
    queryOptions({
      queryKey: [...registrationQueries.all(), 'verified', token],
      queryFn: ({ signal }) => call(verifyToken, { params: { token }, signal }),
      retry: (failures, error) => !(error instanceof AppError) && failures < 2,
      staleTime: Infinity,
    }),
  detail: (id: string) =>
    queryOptions({
      queryKey: [...registrationQueries.all(), 'detail', id],
      queryFn: ({ signal }) => call(getRegistration, { params: { id }, signal }),
    }),
}
