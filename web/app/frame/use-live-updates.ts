import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCan } from '@/session/can'
import { moderationQueries } from '@/data/moderation-queries'
import { campaignQueries } from '@/data/campaign-queries'

/** Changes are shown at most this often, milliseconds: a list that flickers cannot be read. */
const CALM_MS = 1000
/** A read that has had no answer for so long has lost its connection, and nothing says so. Milliseconds. */
const SLOWEST_MS = 30_000

/** What is on the screen follows what others do with it. */
export function useLiveUpdates() {
  const client = useQueryClient()
  const reads = useCan()('campaign.read')
  useEffect(() => {
    if (!reads) return undefined
    const leaving = new AbortController()
    const askAnew = createAskAnew(client, leaving.signal)
    let changed: Set<string> | null = new Set()
    let timer: ReturnType<typeof setTimeout> | null = null
    const show = () => {
      timer = null
      const ids = changed
      changed = new Set()
      askAnew(
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
    // The page comes first, what keeps it fresh after it.
    void import('@/data/live').then(({ follow }) => {
      if (!leaving.signal.aborted) leaving.signal.addEventListener('abort', follow(change))
    })
    return () => {
      leaving.abort()
      if (timer !== null) clearTimeout(timer)
    }
  }, [client, reads])
}

/**
 * A read that is under way may have begun before the change. It is not broken off, or a slow one would never end while news keeps
 * coming ("a slow read ends although news keeps coming, and is made once more"): another follows it, once it ends or is given up.
 */
function createAskAnew(client: QueryClient, leaving: AbortSignal) {
  /** Reads that another follows already, however much news comes during them. */
  const followed = new WeakSet<Promise<unknown>>()
  const invalidate = (query: Query) => void client.invalidateQueries({ predicate: (other) => other === query })
  const follow = async (query: Query, read: Promise<unknown>) => {
    followed.add(read)
    await within(SLOWEST_MS, read)
    // What is being read again by now was begun after the change.
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

/** Resolves when the work ends, however it does, or when so much time has passed. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([Promise.allSettled([work]), passed])
  clearTimeout(timer)
}

const startsWith = (key: readonly unknown[], start: readonly unknown[]) => start.every((part, i) => key[i] === part)
