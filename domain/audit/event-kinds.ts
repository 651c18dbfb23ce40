/** Kinds of subjects that have events. The stream of a subject is its kind, a dash, and its id. */
export const EVENT_KINDS = [
  'account',
  'audience',
  'campaign',
  'invoice',
  'ledger',
  'payment',
  'registration',
  'white-label',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export const streamOfSubject = (kind: EventKind, id: string): string => `${kind}-${id}`

/** The kind and id of a stream; null for a stream of another kind. */
export function subjectOf(stream: string): { readonly kind: EventKind; readonly id: string } | null {
  const kind = EVENT_KINDS.find((known) => stream.startsWith(known) && stream[known.length] === '-')
  return kind === undefined ? null : { kind, id: stream.slice(kind.length + 1) }
}
