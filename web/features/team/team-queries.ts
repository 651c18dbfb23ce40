import { queryOptions } from '@tanstack/react-query'
import type { z } from '#contract/zod'
import { getTeam, listInvitations } from '#contract/team'
import { call } from '@/data/client'

/** The people of an account and what the user may do with them. */
export type Team = z.output<typeof getTeam.output>

export const teamQueries = {
  all: () => ['team'] as const,
  invitations: () =>
    queryOptions({
      queryKey: ['invitations'],
      queryFn: ({ signal }) => call(listInvitations, { signal }),
    }),
  of: (spaceId: string) =>
    queryOptions({
      queryKey: [...teamQueries.all(), spaceId],
      queryFn: ({ signal }) => call(getTeam, { params: { id: spaceId }, signal }),
    }),
}
