import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { AUDIENCE_STREAMS } from '#domain/audience/audience'
import { CAMPAIGN_STREAMS, idOfStream, type CampaignState } from '#domain/campaign/state'
import type { EventStore, Position } from '#eventstore/event-store'
import { runningCampaigns } from '#projections/campaign/list/money-queries'
import { hasExcluded, type ServedAudience } from '../audience/served-audiences.ts'
import type { Deliveries } from '#projections/campaign/list/deliveries'
import { createListeners } from '#eventstore/listeners'
import { followSteadily, type Following } from '#eventstore/steady-following'
import type { Db } from '#migrations/db'
import { deliverable } from './deliverable.ts'

/** Schedules and days begin at quarters of an hour in every time zone. Milliseconds. */
export const QUARTER_MS = 900_000
/** Pause after a failed read, milliseconds. */
const RETRY_MS = 1000
/** Campaigns in one notification. */
const AT_ONCE = 100

export type RunningChangesDeps = {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>
  readonly db: Kysely<Db>
  readonly deliveries: Deliveries
  /** The audiences that campaigns serve with. */
  readonly audiencesOf: (states: readonly CampaignState[]) => Promise<ReadonlyMap<string, readonly ServedAudience[]>>
  /** Resolves when the read models have reached the position, or false after a timeout. */
  readonly reached: (position: Position) => Promise<boolean>
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
  readonly onError: (error: unknown) => void
}

type Deliverable = ReturnType<typeof deliverable>
export type RunningChange = {
  /** Campaigns that may serve now, as they are now. */
  readonly campaigns: readonly Deliverable[]
  /** Ids of campaigns that may not serve any longer. */
  readonly stopped: readonly string[]
}

type Listener = { readonly whitelabelId: string | null; readonly notify: (change: RunningChange) => void }
type Known = { readonly whitelabelId: string; readonly hash: string }

/**
 * Reports changes of what may serve: by events, by what was delivered (the budget that is left), and by time. Each campaign is compared
 * with what was reported last. Follows the log only while there are listeners.
 */
export function createRunningChanges({ store, db, deliveries, audiencesOf, reached, now, onError }: RunningChangesDeps) {
  async function follow(listeners: ReadonlySet<Listener>): Promise<Following> {
    const known = new Map<string, Known>()
    /** Campaigns to check; null is all of them. */
    let pending: Set<string> | null = new Set()
    let checking = Promise.resolve()
    let isChecking = false
    let stopped = false

    function recheck(ids: Iterable<string> | null): void {
      pending = ids === null || pending === null ? null : new Set([...pending, ...ids])
      if (isChecking || stopped) return
      isChecking = true
      checking = run()
    }

    async function run(): Promise<void> {
      while (!stopped && (pending === null || pending.size > 0)) {
        const ids: readonly string[] | null = pending === null ? null : [...pending]
        pending = new Set()
        try {
          report(await changesOf(ids))
        } catch (error) {
          onError(error)
          pending = ids === null ? null : new Set([...ids, ...pending])
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        }
      }
      isChecking = false
    }

    /** Differences from the last report, by white-label. */
    async function changesOf(ids: readonly string[] | null): Promise<ReadonlyMap<string, Changed>> {
      const instant = now()
      const changes = new Map<string, Changed>()
      const of = (whitelabelId: string): Changed => {
        const change = changes.get(whitelabelId) ?? { campaigns: [], stopped: [] }
        changes.set(whitelabelId, change)
        return change
      }
      const found = await runningCampaigns(db, { whitelabelId: null, ids }, instant)
      const audiences = await audiencesOf(found.map(({ state }) => state))
      const running = found.filter(({ id, state }) => hasExcluded(state, audiences.get(id) ?? []))
      for (const row of running) {
        const campaign = deliverable(row, audiences.get(row.id) ?? [], instant)
        const hash = createHash('sha256').update(JSON.stringify(campaign)).digest('base64')
        if (known.get(row.id)?.hash === hash) continue
        known.set(row.id, { whitelabelId: row.whitelabel_id, hash })
        of(row.whitelabel_id).campaigns.push(campaign)
      }
      const alive = new Set(running.map(({ id }) => id))
      for (const id of ids ?? known.keys()) {
        const before = known.get(id)
        if (before === undefined || alive.has(id)) continue
        known.delete(id)
        of(before.whitelabelId).stopped.push(id)
      }
      return changes
    }

    function report(changes: ReadonlyMap<string, Changed>): void {
      for (const [whitelabelId, change] of changes)
        for (const listener of listeners)
          if (listener.whitelabelId === null || listener.whitelabelId === whitelabelId)
            for (const part of parts(change)) listener.notify(part)
    }

    const head = await store.head()
    // The first read is no change: a listener reads the same itself.
    await changesOf(null)
    const events = followSteadily(store, {
      after: head,
      streams: [CAMPAIGN_STREAMS, AUDIENCE_STREAMS],
      onPage: async (page) => {
        while (listeners.size > 0 && !(await reached(page.upTo)));
        const isOfCampaigns = page.events.every(({ stream }) => stream.startsWith(CAMPAIGN_STREAMS))
        recheck(isOfCampaigns ? page.events.map(({ stream }) => idOfStream(stream)) : null)
      },
      onError,
    })
    const leave = await deliveries.listen((delivered) => recheck(delivered.map(({ id }) => id)))
    let quarter = Math.floor(Date.parse(now()) / QUARTER_MS)
    const clock = setInterval(() => {
      const next = Math.floor(Date.parse(now()) / QUARTER_MS)
      if (next !== quarter) recheck(null)
      quarter = next
    }, RETRY_MS)
    clock.unref()
    // Delivery between the first read and the subscription is in neither.
    recheck(null)
    return {
      stop: async () => {
        stopped = true
        leave()
        clearInterval(clock)
        await events.stop()
        await checking
      },
    }
  }

  const { listen, stop } = createListeners(follow)
  return {
    /** Notifies of every change from now on, until the returned function is called. Null for every white-label. */
    listen: (whitelabelId: string | null, notify: Listener['notify']) => listen({ whitelabelId, notify }),
    stop,
  }
}

type Changed = { readonly campaigns: Deliverable[]; readonly stopped: string[] }

function* parts({ campaigns, stopped }: Changed): Iterable<RunningChange> {
  if (campaigns.length <= AT_ONCE) yield { campaigns, stopped }
  else
    for (let start = 0; start < campaigns.length; start += AT_ONCE)
      yield { campaigns: campaigns.slice(start, start + AT_ONCE), stopped: start === 0 ? stopped : [] }
}
