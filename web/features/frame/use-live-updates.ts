import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { mayEnter } from '../../domain/permissions.ts'
import { useMe } from '../../domain/session-queries.ts'
import { moderationQueries } from '../../domain/moderation-queries.ts'
import { campaignQueries } from '../campaigns/campaign-queries.ts'

/** Changes are shown at most this often, milliseconds: a list that flickers cannot be read. */
const CALM_MS = 1000

/** What is on the screen follows what others do with it. */
export function useLiveUpdates() {
  const client = useQueryClient()
  const reads = mayEnter(useMe().roles, 'campaign.read')
  useEffect(() => {
    if (!reads) return undefined
    let changed: Set<string> | null = new Set()
    let timer: ReturnType<typeof setTimeout> | null = null
    const show = () => {
      timer = null
      const ids = changed
      changed = new Set()
      void askAnew(
        client,
        ({ queryKey }) =>
          startsWith(queryKey, campaignQueries.lists()) ||
          startsWith(queryKey, moderationQueries.all()) ||
          ((startsWith(queryKey, campaignQueries.details()) || startsWith(queryKey, campaignQueries.logs())) &&
            (ids === null || ids.has(String(queryKey[2])))),
      )
    }
    const change = (ids: readonly string[] | null) => {
      changed = ids === null || changed === null ? null : new Set([...changed, ...ids])
      timer ??= setTimeout(show, CALM_MS)
    }
    let leave: (() => void) | null = () => {}
    // The page comes first, what keeps it fresh after it.
    void import('../../api/live.ts').then(({ follow }) => {
      if (leave !== null) leave = follow(change)
    })
    return () => {
      leave?.()
      leave = null
      if (timer !== null) clearTimeout(timer)
    }
  }, [client, reads])
}

/**
 * A first read that is under way may have begun before the change, and is not begun anew while it is: that comes once it has ended
 * ("a first read that takes longer than the news of a change is made again").
 */
async function askAnew(client: QueryClient, concerned: (query: Query) => boolean): Promise<void> {
  const firstReads = client
    .getQueryCache()
    .findAll({ predicate: concerned, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  void client.invalidateQueries({ predicate: concerned })
  if (firstReads.length === 0) return
  await Promise.allSettled(firstReads.map(async (query) => query.promise))
  void client.invalidateQueries({ predicate: (query) => firstReads.includes(query) })
}

const startsWith = (key: readonly unknown[], start: readonly unknown[]) => start.every((part, i) => key[i] === part)
