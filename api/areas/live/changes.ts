import { may, type Actor } from '../../../domain/kit/access.ts'
import { CAMPAIGN_STREAMS, idOfStream } from '../../../domain/campaign/state.ts'
import type { EventStore, Page, Position, StoredEvent } from '../../../eventstore/event-store.ts'
import type { Place } from '../../kit/caller.ts'
import type { ChangedCampaigns } from '../../contract/live.ts'
import { followSteadily, type Following } from '../../kit/steady-following.ts'

/** Least time between two tellings, milliseconds. */
const PAUSE_MS = 250
/** More ids than this are told as "many". */
const MOST_IDS = 200
/** How often it is tried to find out where the campaigns of a page belong, before everybody is told that anything may have changed. */
const PLACE_TRIES = 6

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

export type ChangesDeps = {
  readonly store: Pick<EventStore, 'head' | 'subscribe'>
  readonly placeOf: (campaignId: string) => Promise<Place | null>
  /** Resolves when every read model has reached the position, or false after a while. */
  readonly reached: (position: Position) => Promise<boolean>
  /** Told of what went wrong and is tried again. */
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
  let following: Promise<Following> | null = null

  /**
   * Read models stand behind nothing that may still come: what they show is all there will ever be up to there. What they do not show yet,
   * and what has taken a position below the head and is still being written, is in no page that follows
   * ("a change that was being written when somebody came is told of once it is there").
   */
  async function follow(): Promise<Following> {
    const head = await store.head()
    const shown = await reached(head)
    const behind = shown ? null : tellOnceShown(head)
    const ahead = followSteadily(store, { after: head, streams: [CAMPAIGN_STREAMS], onPage: tellOf, onError })
    return { stop: async () => void (await Promise.all([ahead.stop(), behind?.stop()])) }
  }

  /** Nobody asks which campaigns have changed up to there: it may be a long history. */
  function tellOnceShown(position: Position): Following {
    let stopped = false
    async function run(): Promise<void> {
      while (!stopped && !(await reached(position).catch(failed))) await pause()
      if (!stopped) for (const { tell } of listeners) tell({ ids: null })
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

  async function tellOf({ events, upTo }: Page, failures: number): Promise<void> {
    if (events.length === 0) return
    while (listeners.size > 0 && !(await reached(upTo)));
    const places = await placesOf(events, failures)
    for (const { actor, tell } of listeners) {
      const ids = places?.filter(([, place]) => may(actor, 'campaign.read', place)).map(([id]) => id)
      if (ids === undefined || ids.length > 0) tell({ ids: ids === undefined || ids.length > MOST_IDS ? null : ids })
    }
    // What changes meanwhile comes in one page.
    await pause()
  }

  /** Null when it cannot be found out: one campaign that nobody can read must not keep the others from being told of. */
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

  function leave(listener: Listener): void {
    listeners.delete(listener)
    if (listeners.size === 0) void quiet()
  }

  async function quiet(): Promise<void> {
    const ending = following
    following = null
    // What could not begin has told its listeners so.
    await (await ending?.catch(() => null))?.stop()
  }

  return {
    async listen(actor, tell) {
      const listener = { actor, tell }
      listeners.add(listener)
      const own = (following ??= follow())
      try {
        await own
      } catch (error) {
        if (following === own) following = null
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
