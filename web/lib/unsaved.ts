/** The form on the screen that may hold unsaved changes. */
type Guard = {
  readonly holds: () => boolean
  /** Asks the user; true when the changes may be discarded. */
  readonly ask: () => Promise<boolean>
}

let guard: Guard | null = null

/** Registers the form until the returned function is called. Only one form is registered at a time. */
export function guardUnsaved(next: Guard): () => void {
  guard = next
  return () => {
    if (guard === next) guard = null
  }
}

export const hasUnsaved = (): boolean => guard?.holds() ?? false

/** True when nothing would be lost or the user confirms. For leaving without a navigation. */
export const mayLeave = async (): Promise<boolean> => guard === null || !guard.holds() || (await guard.ask())
