import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sessionQueries, useMe } from '@/session/session-queries'
import { moderationQueries } from '@/data/moderation-queries'
import { accountQueries } from '@/data/account-queries'
import { attentionQueries } from '@/data/attention-queries'
import { campaignQueries } from '@/data/campaign-queries'
import { notificationQueries } from '@/data/notification-queries'
import type { ChangeKind } from '@/data/live'

/** Minimum interval between visible updates, milliseconds: a flickering list cannot be read. */
const CALM_MS = 1000
/** Interval between updates of figures, which arrive all the time. Milliseconds. */
const FIGURES_MS = 5000
/** A read without an answer for this long is treated as a lost connection. Milliseconds. */
const SLOWEST_MS = 30_000

/** Refetches what is on the screen when other users change it. */
export function useLiveUpdates() {
  const client = useQueryClient()
  const { space_id: space } = useMe()
  useEffect(() => {
    // The connection belongs to the account that the session acts in.
    if (space === '') return undefined
    const leaving = new AbortController()
    const refetch = createRefetch(client, leaving.signal)
    let changed: Set<string> | null = new Set()
    let isConnected = false
    let timer: ReturnType<typeof setTimeout> | null = null
    const show = () => {
      timer = null
      const ids = changed
      changed = new Set()
      refetch(
        ({ queryKey }) =>
          startsWith(queryKey, campaignQueries.lists()) ||
          startsWith(queryKey, moderationQueries.all()) ||
          startsWith(queryKey, attentionQueries.all()) ||
          (ids === null && startsWith(queryKey, notificationQueries.all())) ||
          ((startsWith(queryKey, campaignQueries.details()) || startsWith(queryKey, campaignQueries.logs())) &&
            (ids === null || ids.has(String(queryKey[2])))),
      )
    }
    let delivered: ReturnType<typeof setTimeout> | null = null
    const showFigures = () => {
      delivered = null
      refetch(({ queryKey }) => isOfFigures(queryKey))
    }
    const showNotifications = () => refetch(({ queryKey }) => startsWith(queryKey, notificationQueries.all()))
    const change = (ids: readonly string[] | null, kind: ChangeKind) => {
      if (kind === 'notifications') {
        showNotifications()
        return
      }
      if (kind === 'reviews') {
        refetch(({ queryKey }) => startsWith(queryKey, moderationQueries.all()))
        return
      }
      if (kind === 'figures') {
        delivered ??= setTimeout(showFigures, FIGURES_MS)
        return
      }
      // The server ends the stream of a user whose rights change.
      if (ids === null && isConnected) refetch(({ queryKey }) => startsWith(queryKey, sessionQueries.me().queryKey))
      isConnected = true
      changed = ids === null || changed === null ? null : new Set([...changed, ...ids])
      timer ??= setTimeout(show, CALM_MS)
    }
    // The page loads first, live updates after it.
    void import('@/data/live').then(({ follow }) => {
      if (!leaving.signal.aborted) leaving.signal.addEventListener('abort', follow(change))
    })
    return () => {
      leaving.abort()
      if (timer !== null) clearTimeout(timer)
      if (delivered !== null) clearTimeout(delivered)
    }
  }, [client, space])
}

/**
 * Returns a function that refetches queries. A read in progress may have begun before the change. It is not cancelled, or a slow
 * read would never end under steady change notifications ("lets a slow refetch finish under further notifications, and refetches once more").
 * Another read follows once it ends or is given up.
 */
function createRefetch(client: QueryClient, leaving: AbortSignal) {
  /** Reads that already have a follow-up scheduled, however many change notifications arrive during them. */
  const followed = new WeakSet<Promise<unknown>>()
  const invalidate = (query: Query) => void client.invalidateQueries({ predicate: (other) => other === query })
  const follow = async (query: Query, read: Promise<unknown>) => {
    followed.add(read)
    await within(SLOWEST_MS, read)
    // Skip queries that were refetched in the meantime: that read began after the change.
    if (!leaving.aborted && [undefined, read].includes(query.promise)) invalidate(query)
  }
  return (concerned: (query: Query) => boolean) => {
    for (const query of client.getQueryCache().findAll({ predicate: concerned })) {
      const read = query.promise
      if (read === undefined) invalidate(query)
      else if (!followed.has(read)) void follow(query, read)
    }
  }
}

/** Resolves when the work settles, or after the given time. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([Promise.allSettled([work]), passed])
  clearTimeout(timer)
}

/** True for queries that show what was delivered. */
const isOfFigures = (key: readonly unknown[]): boolean =>
  startsWith(key, campaignQueries.lists()) ||
  startsWith(key, accountQueries.balances()) ||
  key[0] === 'reports' ||
  (startsWith(key, campaignQueries.details()) && key[3] === 'total')

const startsWith = (key: readonly unknown[], start: readonly unknown[]) => start.every((part, i) => key[i] === part)
