import type { QueryClient } from '@tanstack/react-query'
import { createDelayed } from '@/lib/delayed'
import { sendBeforeLeaving } from '@/lib/unsaved'
import { decisionMutation, type Decision, type Submission, type Verdict } from './use-decision.ts'

/** How long a decision can be undone, milliseconds. */
export const UNDO_MS = 5000

type Key = Pick<Submission, 'id' | 'moderation_start_at' | 'approval'>
/** A later submission of the same campaign is another one. */
export const keyOf = ({ id, moderation_start_at, approval }: Key) => `${id} ${approval ?? moderation_start_at ?? ''}`

/** By submission. */
type State = {
  /** Taken off the queue, whether sent already or not. */
  readonly decided: ReadonlyMap<string, Decision>
  readonly refusals: ReadonlyMap<string, Error>
  /** Input of a decision that came back. */
  readonly drafts: ReadonlyMap<string, Verdict>
}

const withEntry = <V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> => new Map(map).set(key, value)
const without = <V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> =>
  new Map([...map].filter(([other]) => other !== key))

type Outcome = { readonly onSent: () => void; readonly onRefused: (error: Error) => void }

function createDelayedDecisions(client: QueryClient) {
  const delayed = createDelayed(UNDO_MS)
  const listeners = new Set<() => void>()
  let state: State = { decided: new Map(), refusals: new Map(), drafts: new Map() }
  const change = (patch: Partial<State>) => {
    state = { ...state, ...patch }
    for (const listener of listeners) listener()
  }
  const comeBack = (key: string, { verdict }: Decision, refusal: Error | null) =>
    change({
      decided: without(state.decided, key),
      drafts: withEntry(state.drafts, key, verdict),
      refusals: refusal === null ? state.refusals : withEntry(state.refusals, key, refusal),
    })
  // The tab may close, and the session end, before the time to undo is over.
  window.addEventListener('pagehide', () => void delayed.flush())
  sendBeforeLeaving(delayed.flush)
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    state: () => state,
    /** Takes the submission off the queue now, and sends the decision when it can no longer be undone. */
    decide: (decision: Decision, { onSent, onRefused }: Outcome) => {
      const key = keyOf(decision.submission)
      change({
        decided: withEntry(state.decided, key, decision),
        drafts: without(state.drafts, key),
        refusals: without(state.refusals, key),
      })
      // Not by a component's hook: the screen that decided may be gone.
      delayed.add(key, async () => {
        onSent()
        const mutation = client.getMutationCache().build(client, decisionMutation)
        await mutation.execute(decision).catch((error: Error) => {
          comeBack(key, decision, error)
          onRefused(error)
        })
      })
    },
    /** Returns what was taken back; undefined when it is sent already. */
    takeBack: (key: string | undefined): Decision | undefined => {
      const decision = key === undefined ? undefined : state.decided.get(key)
      if (key === undefined || decision === undefined || !delayed.cancel(key)) return undefined
      comeBack(key, decision, null)
      return decision
    },
    /** Forgets the refusal and what was typed: the user starts again. */
    forget: (submission: Key) => {
      const key = keyOf(submission)
      change({ drafts: without(state.drafts, key), refusals: without(state.refusals, key) })
    },
    newest: delayed.newest,
    flush: delayed.flush,
  }
}
type DelayedDecisions = ReturnType<typeof createDelayedDecisions>

const stores = new WeakMap<QueryClient, DelayedDecisions>()

/** The decisions of an application: they outlive the screen that made them. */
export function delayedDecisionsOf(client: QueryClient): DelayedDecisions {
  const found = stores.get(client) ?? createDelayedDecisions(client)
  stores.set(client, found)
  return found
}
