import { queryOptions } from '@tanstack/react-query'
import { listApiKeys } from '#contract/api-keys'
import { listSessions, listSignIns, readSecondFactor } from '#contract/profile'
import { listPasskeys } from '#contract/passkeys'
import { call } from '@/data/client'

export const profileQueries = {
  sessions: () => queryOptions({ queryKey: ['profile', 'sessions'], queryFn: ({ signal }) => call(listSessions, { signal }) }),
  signIns: () => queryOptions({ queryKey: ['profile', 'sign-ins'], queryFn: ({ signal }) => call(listSignIns, { signal }) }),
  secondFactor: () =>
    queryOptions({ queryKey: ['profile', 'second-factor'], queryFn: ({ signal }) => call(readSecondFactor, { signal }) }),
  passkeys: () => queryOptions({ queryKey: ['profile', 'passkeys'], queryFn: ({ signal }) => call(listPasskeys, { signal }) }),
  apiKeys: () => queryOptions({ queryKey: ['profile', 'api-keys'], queryFn: ({ signal }) => call(listApiKeys, { signal }) }),
}
