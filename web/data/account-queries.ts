import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  accountDetails,
  accountHistory,
  accountPeople,
  accountTotals,
  adminUser,
  getSpace,
  listAccounts,
  staff,
  type AccountsAsked,
} from '#contract/accounts'
import { balance } from '#contract/balance'
import { readPicture } from '#contract/profile'
import { call, download } from './client.ts'

/** Timeout for reading a balance, milliseconds. */
const BALANCE_TIMEOUT_MS = 3000

export const accountQueries = {
  all: () => ['accounts'] as const,
  balances: () => ['accounts', 'balance'] as const,
  balance: (spaceId: string) =>
    queryOptions({
      queryKey: [...accountQueries.balances(), spaceId],
      queryFn: ({ signal }) =>
        call(balance, { params: { id: spaceId }, signal: AbortSignal.any([signal, AbortSignal.timeout(BALANCE_TIMEOUT_MS)]) }),
      staleTime: 10_000,
      retry: false,
    }),
  /** Every account that the user can access. */
  list: () =>
    queryOptions({
      queryKey: ['accounts', 'list'],
      queryFn: async ({ signal }) => {
        const asked = { status: 'opened', page_size: 150 } as const
        const first = await call(listAccounts, { body: asked, signal })
        const pages = [first]
        for (let page = 1; page * first.page_size < first.total_size; page++)
          pages.push(await call(listAccounts, { body: { ...asked, page }, signal }))
        return { ...first, data: pages.flatMap(({ data }) => data) }
      },
      staleTime: 60_000,
    }),
  page: (asked: AccountsAsked) =>
    queryOptions({
      queryKey: ['accounts', 'page', asked],
      queryFn: ({ signal }) => call(listAccounts, { body: asked, signal }),
      placeholderData: keepPreviousData,
    }),
  totals: (asked: AccountsAsked) =>
    queryOptions({
      queryKey: ['accounts', 'totals', asked],
      queryFn: ({ signal }) => call(accountTotals, { body: asked, signal }),
      placeholderData: keepPreviousData,
    }),
  /** An account by the id of one of its users. */
  ofUser: (userId: string) =>
    queryOptions({
      queryKey: ['accounts', 'user', userId],
      queryFn: ({ signal }) => call(adminUser, { params: { id: userId }, signal }),
    }),
  details: (spaceId: string) =>
    queryOptions({
      queryKey: ['accounts', 'details', spaceId],
      queryFn: ({ signal }) => call(accountDetails, { params: { id: spaceId }, signal }),
    }),
  people: (spaceId: string) =>
    queryOptions({
      queryKey: ['accounts', 'people', spaceId],
      queryFn: ({ signal }) => call(accountPeople, { params: { id: spaceId }, signal }),
    }),
  history: (spaceId: string, page: number) =>
    queryOptions({
      queryKey: ['accounts', 'history', spaceId, page],
      queryFn: ({ signal }) => call(accountHistory, { params: { id: spaceId }, query: { page }, signal }),
      placeholderData: keepPreviousData,
    }),
  staff: (whitelabelId: string) =>
    queryOptions({
      queryKey: ['accounts', 'staff', whitelabelId],
      queryFn: ({ signal }) => call(staff, { query: { whitelabel_id: whitelabelId }, signal }),
      staleTime: 60_000,
    }),
  /** Facts of an account that campaigns need. */
  space: (spaceId: string) =>
    queryOptions({
      queryKey: ['accounts', 'space', spaceId],
      queryFn: ({ signal }) => call(getSpace, { params: { id: spaceId }, signal }),
      staleTime: 60_000,
    }),
  picture: (id: string) =>
    queryOptions({
      queryKey: ['pictures', id],
      queryFn: async ({ signal }) => URL.createObjectURL(await download(readPicture, { params: { id }, signal })),
      staleTime: Infinity,
      retry: false,
    }),
}
