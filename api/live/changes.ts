import { may, type Actor } from '../../domain/access.ts'
import { CAMPAIGN_STREAMS, idOfStream } from '../../domain/campaign/state.ts'
import type { EventStore, Page, Position, Subscription } from '../../eventstore/event-store.ts'
import type { Place } from '../campaigns/caller.ts'
import type { ChangedCampaigns } from '../contract/live.ts'

/** Least time between two tellings, milliseconds. */
const PAUSE_MS = 250
/** More ids than this are told as "many". */
const MOST_IDS = 200

export type ChangesDeps = {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>
  readonly placeOf: (campaignId: string) => Promise<Place | null>
  /** Resolves when every read model has reached the position, or false after a while. */
  readonly reached: (position: Position) => Promise<boolean>
  readonly onError: (error: unknown) => void
}

type Listener = { readonly actor: Actor; readonly tell: (changed: ChangedCampaigns) => void }

export type Changes = {
  /** Tells of every change from now on, until the returned function is called. */
  readonly listen: (actor: Actor, tell: Listener['tell']) => Promise<() => void>
  readonly stop: () => Promise<void>
}

/**
 * Which campaigns have changed, for those who look at them: told when the read models show it, so that whoever asks anew sees it.
 * The log is followed only while somebody listens.
 */
export function createChanges({ store, placeOf, reached, onError }: ChangesDeps): Changes {
  const listeners = new Set<Listener>()
  let following: Promise<Subscription> | null = null

  const follow = async (): Promise<Subscription> =>
    store.subscribe({
      after: await store.head(),
      streams: [CAMPAIGN_STREAMS],
      onPage: tellOf,
      onError: (error) => {
        following = null
        onError(error)
      },
    })

  async function tellOf({ events, upTo }: Page): Promise<void> {
    if (events.length === 0) return
    while (listeners.size > 0 && !(await reached(upTo)));
    const places = new Map<string, Place>()
    for (const id of new Set(events.map(({ stream }) => idOfStream(stream)))) {
      const place = await placeOf(id)
      if (place !== null) places.set(id, place)
    }
    for (const { actor, tell } of listeners) {
      const ids = [...places].filter(([, place]) => may(actor, 'campaign.read', place)).map(([id]) => id)
      if (ids.length > 0) tell({ ids: ids.length > MOST_IDS ? null : ids })
    }
    // What changes meanwhile comes in one page.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }

  function leave(listener: Listener): void {
    listeners.delete(listener)
    if (listeners.size === 0) void quiet()
  }

  async function quiet(): Promise<void> {
    const ending = following
    following = null
    await (await ending)?.stop()
  }

  return {
    async listen(actor, tell) {
      const listener = { actor, tell }
      listeners.add(listener)
      following ??= follow()
      try {
        await following
      } catch (error) {
        following = null
        listeners.delete(listener)
        throw error
      }
      return () => leave(listener)
    },
    async stop() {
      listeners.clear()
      await quiet()
    },
  }
}
