/** A form on the screen that may hold unsaved changes. */
type Guard = {
  readonly holds: () => boolean
  /** Asks the user; true when the changes may be discarded. */
  readonly ask: () => Promise<boolean>
}

/** The newest is the last one: a dialog lies above the form of its page. */
let guards: readonly Guard[] = []

/** Registers the form until the returned function is called. */
export function guardUnsaved(next: Guard): () => void {
  guards = [...guards, next]
  return () => {
    guards = guards.filter((guard) => guard !== next)
  }
}

export const hasUnsaved = (): boolean => guards.some((guard) => guard.holds())

const senders = new Set<() => Promise<void>>()

/** Calls `send` before the user signs out or switches the account, until the returned function is called. */
export function sendBeforeLeaving(send: () => Promise<void>): () => void {
  senders.add(send)
  return () => {
    senders.delete(send)
  }
}

/** True when nothing would be lost or the user confirms. For leaving without a navigation: what is still to be sent is sent. */
export async function mayLeave(): Promise<boolean> {
  for (const guard of guards.toReversed()) if (guard.holds() && !(await guard.ask())) return false
  await Promise.all([...senders].map((send) => send()))
  return true
}

/** True when the newest form would lose nothing or the user confirms. For closing a dialog. */
export async function mayClose(): Promise<boolean> {
  const guard = guards.at(-1)
  return guard === undefined || !guard.holds() || guard.ask()
}
