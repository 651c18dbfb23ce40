import { may, type Actor } from '#domain/kit/access'
import { CAMPAIGN_STREAMS, idOfStream } from '#domain/campaign/state'
import type { EventStore, Page, Position, StoredEvent } from '#eventstore/event-store'
import type { Place } from '#domain/kit/access'
import type { ChangedCampaigns } from '#contract/live'
import { createListeners } from '#eventstore/listeners'
import { followSteadily, type Following } from '#eventstore/steady-following'

/** Least time between two notifications, milliseconds. */
const PAUSE_MS = 250
/** More ids than this are reported as "many". */
export const MOST_IDS = 200
/** Attempts to find the place of a page's campaigns, before every listener is notified that anything may have changed. */
const PLACE_TRIES = 6

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

export type ChangesDeps = {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>
  readonly placeOf: (campaignId: string) => Promise<Place | null>
  /** Resolves when every read model has reached the position, or false after a timeout. */
  readonly reached: (position: Position) => Promise<boolean>
  /** Receives errors that are retried. */
  readonly onError: (error: unknown) => void
}

type Listener = { readonly actor: Actor; readonly notify: (changed: ChangedCampaigns) => void }

export type Changes = {
  /** Notifies of every change from now on, until the returned function is called. */
  readonly listen: (actor: Actor, notify: Listener['notify']) => Promise<() => void>
  readonly stop: () => Promise<void>
}

/**
 * Notifies listeners of changed campaigns once the read models show the change, so a refetch sees it. Follows the log only while
 * there are listeners.
 */
export function createChanges({ store, placeOf, reached, onError }: ChangesDeps): Changes {
  /**
   * Read models are complete up to their position. Everything after it is in a later page, including an event that has a position
   * below the head but is not committed yet ("a change that was being written at the subscription is reported once it is committed").
   */
  async function follow(listeners: ReadonlySet<Listener>): Promise<Following> {
    const head = await store.head()
    const shown = await reached(head)
    const behind = shown ? null : notifyOnceShown(listeners, head)
    const ahead = followSteadily(store, {
      after: head,
      streams: [CAMPAIGN_STREAMS],
      onPage: (page, failures) => notifyOfPage(listeners, page, failures),
      onError,
    })
    return { stop: async () => void (await Promise.all([ahead.stop(), behind?.stop()])) }
  }

  /** Changes up to this position need no notification: the history may be long. */
  function notifyOnceShown(listeners: ReadonlySet<Listener>, position: Position): Following {
    let stopped = false
    async function run(): Promise<void> {
      while (!stopped && !(await reached(position).catch(failed))) await pause()
      if (!stopped) for (const { notify } of listeners) notify({ ids: null })
    }
    const ended = run()
    return {
      stop: () => {
        stopped = true
        return ended
      },
    }
  }

  function failed(error: unknown): false {
    onError(error)
    return false
  }

  async function notifyOfPage(listeners: ReadonlySet<Listener>, { events, upTo }: Page, failures: number): Promise<void> {
    if (events.length === 0) return
    while (listeners.size > 0 && !(await reached(upTo)));
    const places = await placesOf(events, failures)
    for (const { actor, notify } of listeners) {
      const ids = places?.filter(([, place]) => may(actor, 'campaign.read', place)).map(([id]) => id)
      if (ids === undefined || ids.length > 0) notify({ ids: ids === undefined || ids.length > MOST_IDS ? null : ids })
    }
    // Changes that arrive during this work come in one page.
    await pause()
  }

  /** Null when the place cannot be found: one unreadable campaign must not block notifications of the others. */
  async function placesOf(
    events: readonly StoredEvent[],
    failures: number,
  ): Promise<readonly (readonly [string, Place])[] | null> {
    const places: [string, Place][] = []
    try {
      for (const id of new Set(events.map(({ stream }) => idOfStream(stream)))) {
        const place = await placeOf(id)
        if (place !== null) places.push([id, place])
      }
      return places
    } catch (error) {
      if (failures + 1 < PLACE_TRIES) throw error
      onError(error)
      return null
    }
  }

  const { listen, stop } = createListeners(follow)
  return { listen: (actor, notify) => listen({ actor, notify }), stop }
}
