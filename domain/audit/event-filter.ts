import type { EventKind } from './event-kinds.ts'

/** Which events of the log are of interest. Null lets everything through. */
export type EventFilter = {
  /** Id of a person. */
  readonly actor: string | null
  readonly by: 'people' | 'staff' | 'advertisers' | 'system' | null
  readonly kind: EventKind | null
  readonly subject: string | null
  readonly space: string | null
  readonly types: readonly string[] | null
  /** Paths without the ids of elements. */
  readonly fields: readonly string[] | null
}
