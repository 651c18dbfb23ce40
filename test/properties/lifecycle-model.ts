/**
 * The lifecycle in a second, independent form: a few facts, the table of statuses read from top to bottom, and for every
 * command its effect. It shares no code with the decider and knows no events and no content, only what affects the status.
 * Where the two disagreed, the specification decided which one was corrected.
 */
export type Model = {
  exists: boolean
  archived: boolean
  /** The approved content and the head: reviewed content is one letter here. */
  approved: string | null
  head: string
  /** Whether the banner exists: publishing requires one. */
  complete: boolean
  /** Whether native ads are on. There is always one, which never changes. */
  native: boolean
  approvedNative: boolean
  rejectedNative: boolean
  review: 'none' | 'pending' | 'approved' | 'rejected'
  rejected: string | null
  intent: boolean
  flight: 'upcoming' | 'open' | 'ended'
  dayReached: boolean
  totalSpent: boolean
  short: boolean
  /** The verdicts of all exchanges on the banner and the native ad. */
  verdict: Verdict
  nativeVerdict: Verdict
  launched: boolean
  /** Instants at which the two finished states became due, to tell which came first. */
  endedAt: number
  spentAt: number
}

export const unborn: Model = {
  exists: false,
  archived: false,
  approved: null,
  head: 'a',
  complete: true,
  native: false,
  approvedNative: false,
  rejectedNative: false,
  review: 'none',
  rejected: null,
  intent: false,
  flight: 'open',
  dayReached: false,
  totalSpent: false,
  short: false,
  verdict: 'none',
  nativeVerdict: 'none',
  launched: false,
  endedAt: 0,
  spentAt: 0,
}

type Verdict = 'none' | 'approved' | 'disapproved'

/** Native ads serve while they are on, and a moderator approved that they are. */
export const servesNative = (m: Model): boolean => m.approved !== null && m.approvedNative && m.native
const cleared = (m: Model): boolean => m.verdict === 'approved' || (servesNative(m) && m.nativeVerdict === 'approved')

/** The first row whose condition holds. */
export function statusOfModel(m: Model): number {
  if (m.archived) return 5
  if (m.approved === null) return m.review === 'pending' ? 1 : m.review === 'rejected' ? 2 : 0
  if (m.flight === 'ended' && (!m.totalSpent || m.endedAt <= m.spentAt)) return 43
  if (m.totalSpent) return 42
  if (!m.intent) return 41
  if (m.short) return m.launched ? 44 : 45
  if (!cleared(m)) return 6
  if (m.flight === 'upcoming') return 40
  if (m.dayReached) return 31
  return 3
}

/** The environment at the moment of a command. */
export type Outside = {
  /** When the flight ends, and when the total budget was spent. */
  readonly endsAt: number
  readonly spentAt: number
  readonly flight: Model['flight']
  readonly dayReached: boolean
  readonly totalSpent: boolean
  readonly short: boolean
  /** The local day of the start or end is in the past. */
  readonly startPast: boolean
  readonly endPast: boolean
}

export type Asked =
  | {
      readonly do: 'update' | 'publish'
      readonly head?: string
      readonly complete?: boolean
      readonly free?: boolean
      /** A campaign with native ads always has its banner too. */
      readonly native?: boolean
      readonly stale?: boolean
    }
  | { readonly do: 'approve' | 'reject'; readonly stale?: boolean; readonly silent?: boolean }
  | { readonly do: 'run' | 'pause' | 'toggle' }
  | { readonly do: 'exchanges'; readonly verdict: 'approved' | 'disapproved' }
  | { readonly do: 'policies' }

/** The code of a refusal, or the campaign afterwards. */
export type Expected = { readonly refused: number } | { readonly becomes: Model }

const refuse = (refused: number): Expected => ({ refused })
const seen = (m: Model, o: Outside): Model => ({
  ...m,
  endedAt: o.endsAt,
  spentAt: o.totalSpent && !m.totalSpent ? o.spentAt : m.spentAt,
  flight: o.flight,
  dayReached: o.dayReached,
  totalSpent: o.totalSpent,
  short: o.short,
})
/** A campaign that reached 3 counts as launched from then on. */
const settled = (m: Model): Expected => ({ becomes: { ...m, launched: m.launched || statusOfModel(m) === 3 } })

export function expected(m: Model, asked: Asked, outside: Outside): Expected {
  const status = statusOfModel(m)
  switch (asked.do) {
    case 'update':
    case 'publish':
      return afterSave(m, asked, outside)
    case 'approve':
      if (m.archived) return refuse(134)
      if (m.review !== 'pending') return refuse(136)
      if (asked.stale) return refuse(138)
      // The creatives never change here, so the verdicts on them stay.
      return settled(seen({ ...m, approved: m.head, approvedNative: m.native, review: 'approved', rejected: null }, outside))
    case 'reject':
      if (m.archived) return refuse(134)
      if (m.review !== 'pending') return refuse(136)
      if (asked.stale) return refuse(138)
      if (asked.silent) return refuse(1301)
      return { becomes: { ...m, review: 'rejected', rejected: m.head, rejectedNative: m.native } }
    case 'run':
      if (status === 41) return settled(seen({ ...m, intent: true }, outside))
      if (status === 40 || status === 44 || status === 45) return { becomes: m }
      if (status === 5) return m.approved === null ? refuse(137) : settled(seen({ ...m, archived: false, intent: true }, outside))
      return refuse(status === 0 || status === 2 ? 137 : 134)
    case 'pause':
      return [3, 6, 31, 40, 44, 45].includes(status) ? { becomes: { ...m, intent: false } } : refuse(134)
    case 'toggle':
      if (m.archived) return settled(seen({ ...m, archived: false, intent: false }, outside))
      return {
        becomes: {
          ...m,
          archived: true,
          review: m.review === 'pending' ? (m.approved === null ? 'none' : 'approved') : m.review,
        },
      }
    case 'exchanges':
      if (m.approved === null) return refuse(134)
      if (m.verdict === asked.verdict && (!servesNative(m) || m.nativeVerdict === asked.verdict)) return { becomes: m }
      return settled(
        seen({ ...m, verdict: asked.verdict, nativeVerdict: servesNative(m) ? asked.verdict : m.nativeVerdict }, outside),
      )
    case 'policies':
      return m.approved === null ? { becomes: m } : settled(seen(m, outside))
  }
}

function afterSave(m: Model, asked: Asked & { do: 'update' | 'publish' }, outside: Outside): Expected {
  if (m.archived) return refuse(134)
  if (asked.stale) return refuse(140)
  const head = asked.head ?? m.head
  const native = asked.complete === false ? false : (asked.native ?? m.native)
  const complete = asked.complete ?? (asked.native === true || m.complete)
  const publishing = asked.do === 'publish'
  if (publishing && m.review === 'rejected' && complete && head === m.rejected && native === m.rejectedNative) return refuse(139)
  const exposed = publishing || m.review === 'pending' || m.approved !== null
  // A first publication validates dates again; during a review, publishing is an update.
  const first = publishing && m.approved === null && m.review !== 'pending'
  if (first && outside.startPast) return refuse(1304)
  if (first && outside.endPast) return refuse(1305)
  if (exposed && !complete) return refuse(135)
  const changed = head !== m.head || complete !== m.complete || native !== m.native || asked.free === true
  let next: Model = { ...m, head, complete, native }
  let submitted = false
  // Switching native ads off needs no review.
  const unchanged = m.approved === head && (!native || m.approvedNative)
  if (m.review === 'pending') {
    if (unchanged) next = { ...next, review: 'approved' }
    else if (head !== m.head || (native && !m.native)) submitted = true
    const withdrawn = next.review !== 'pending'
    if (!changed && !submitted && !withdrawn) return { becomes: m }
  } else if (publishing && !unchanged) {
    next = { ...next, review: 'pending', intent: m.approved === null ? true : m.intent }
    submitted = true
  }
  return changed || submitted ? settled(seen(next, outside)) : { becomes: m }
}
