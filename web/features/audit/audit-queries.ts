import { infiniteQueryOptions } from '@tanstack/react-query'
import { auditFeed, type FeedEntry } from '#contract/audit-feed'
import { readSecurityEvents } from '#contract/security'
import { call, download } from '@/data/client'
import { questionOf, type AuditFilters } from './audit-search.ts'

/** Entries that one press adds. */
const ENTRIES = 50
/** A call reads a bounded part of the log; so many calls follow each other before the user is asked. */
const CALLS = 5

export type FeedPage = { readonly entries: readonly FeedEntry[]; readonly next: string | null }

export const auditQueries = {
  /** Entries of the log, newest first. */
  feed: (filters: AuditFilters) =>
    infiniteQueryOptions({
      queryKey: ['audit', 'feed', filters],
      queryFn: async ({ signal, pageParam }): Promise<FeedPage> => {
        const entries: FeedEntry[] = []
        let before = pageParam
        for (let calls = 0; calls < CALLS && entries.length < ENTRIES; calls++) {
          const answer = await call(auditFeed, {
            query: {
              ...questionOf(filters),
              order: 'desc',
              limit: ENTRIES - entries.length,
              ...(before === null ? {} : { before }),
            },
            signal,
          })
          entries.push(...answer.entries)
          before = answer.next
          if (before === null) break
        }
        return { entries, next: before }
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      staleTime: 0,
    }),
  /** Security events, newest first. */
  security: () =>
    infiniteQueryOptions({
      queryKey: ['audit', 'security'],
      queryFn: ({ signal, pageParam }) =>
        call(readSecurityEvents, {
          query: { order: 'desc', limit: ENTRIES, ...(pageParam === null ? {} : { before: pageParam }) },
          signal,
        }),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => (page.length < ENTRIES ? null : (page.at(-1)?.id ?? null)),
      staleTime: 0,
    }),
}

/** The answer to the question as a file, over all pages. */
export const feedCsv = (filters: AuditFilters): Promise<Blob> =>
  download(auditFeed, { query: { ...questionOf(filters), order: 'desc', format: 'csv' } })
