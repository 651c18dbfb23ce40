/**
 * A minimal model of lifecycle.md and the fine print, written from those texts and not from the decider under test: a
 * difference is a fault in one of them.
 */

export type Content = {
  readonly name: string
  readonly url: number
  /** Banner number to the number of its material. */
  readonly banners: Readonly<Record<string, number>>
  /** The number of the native ad's material; 0 without one. */
  readonly native: number
  /** Whether native ads are switched on. Banners have no switch. */
  readonly nativeOn: boolean
  /** Micros. */
  readonly budget: number
  readonly type: 1 | 2
  readonly start: number | null
  readonly end: number | null
  readonly exchanges: readonly string[]
}
export type Reviewed = Pick<Content, 'url' | 'banners' | 'native' | 'nativeOn'>
export type Verdict = 'approved' | 'disapproved' | 'pending'

type Review = { readonly kind: 'none' | 'pending' | 'approved' } | { readonly kind: 'rejected'; readonly what: Reviewed }
type Commit = { readonly content: Content; readonly paths: readonly string[]; readonly before: Content }

export type Model = {
  readonly archived: boolean
  readonly head: Content
  readonly approved: Reviewed | null
  readonly review: Review
  readonly submissions: number
  readonly intent: boolean
  readonly verdicts: Readonly<Record<string, Readonly<Record<string, Verdict>>>>
  readonly flight: 'upcoming' | 'open' | 'ended'
  readonly endedAt: number
  readonly dayReached: boolean
  readonly totalSpent: boolean
  readonly spentAt: number
  readonly short: boolean
  readonly launched: boolean
  readonly revision: number
  /** The newest save. Approvals choose exchanges too, but make no save stale (fine print 3). */
  readonly contentRevision: number
  /** The content after every revision, and the fields that it changed. */
  readonly commits: readonly Commit[]
}

/** The environment of a campaign at one moment. Money in micros, time in milliseconds. */
export type Outside = {
  readonly now: number
  readonly spentToday: number
  readonly spentTotal: number
  /** When spend reached the total budget, if delivery reports it. */
  readonly totalSpentAt?: number
  readonly available: number
}

export type Asked =
  | { readonly do: 'update' | 'publish'; readonly patch: Partial<Content>; readonly expected: number | null }
  | { readonly do: 'approve'; readonly token: 'right' | 'wrong' | 'none'; readonly exchanges: readonly string[] | null }
  | { readonly do: 'reject'; readonly token: 'right' | 'wrong' | 'none'; readonly comment: string }
  | { readonly do: 'run' | 'pause' | 'toggle' | 'policies' }
  | { readonly do: 'exchange'; readonly exchange: string; readonly creative: string; readonly verdict: Verdict }
  | { readonly do: 'restore' | 'undo'; readonly revision: number }

export type Answer = { readonly refused: number } | { readonly model: Model }

const EXCHANGES = ['google', 'verve', 'taboola', 'yandex', '3rdpresence']
const ZONE = 3_600_000
const DAY = 86_400_000
const CPX = 350_000
const refused = (code: number): Answer => ({ refused: code })
const localDay = (instant: number): number => Math.floor((instant + ZONE) / DAY)
const chosen = (content: Content): readonly string[] => (content.exchanges.length === 0 ? EXCHANGES : content.exchanges)

/** The materials of all creatives by id. */
const materialsOf = ({ banners, native }: Reviewed): Readonly<Record<string, number>> =>
  native === 0 ? banners : { ...banners, native }

/**
 * True when `head` has a reviewed value or creative that `known` does not have: removals do not count, and neither does switching a
 * type of creatives off (fine print 8).
 */
const beyond = (head: Reviewed, known: Reviewed): boolean =>
  head.url !== known.url ||
  (head.nativeOn && !known.nativeOn) ||
  Object.entries(materialsOf(head)).some(([id, material]) => materialsOf(known)[id] !== material)
const same = (a: Reviewed, b: Reviewed): boolean => !beyond(a, b) && !beyond(b, a)
const reviewedOf = ({ url, banners, native, nativeOn }: Content): Reviewed => ({ url, banners, native, nativeOn })

/** Native ads serve while they are on, and a moderator approved that they are. */
export const servesNative = ({ approved, head }: Model): boolean => approved !== null && approved.nativeOn && head.nativeOn

/** Served: approved creatives of types that serve, as long as they are in the head. */
export const servedOf = (model: Model): readonly string[] =>
  model.approved === null
    ? []
    : Object.keys(materialsOf(model.approved)).filter(
        (id) => materialsOf(model.head)[id] !== undefined && (id !== 'native' || servesNative(model)),
      )

export const needsModeration = ({ approved, head }: Model): boolean => approved !== null && beyond(head, approved)

export const clearedByExchange = (model: Model): boolean =>
  servedOf(model).some((id) => chosen(model.head).some((exchange) => model.verdicts[exchange]?.[id] === 'approved'))

/** The table of lifecycle.md, row by row. */
export function statusOfModel(model: Model): number {
  if (model.archived) return 5
  if (model.approved === null) return model.review.kind === 'pending' ? 1 : model.review.kind === 'rejected' ? 2 : 0
  const ended = model.flight === 'ended'
  if (ended && model.totalSpent) return model.spentAt < (model.head.end ?? 0) ? 42 : 43
  if (ended) return 43
  if (model.totalSpent) return 42
  if (!model.intent) return 41
  if (model.short) return model.launched ? 44 : 45
  if (!clearedByExchange(model)) return 6
  if (model.flight === 'upcoming') return 40
  return model.dayReached ? 31 : 3
}

const flightOf = ({ start, end }: Content, now: number): Model['flight'] => {
  if (end !== null && now >= end) return 'ended'
  return start !== null && now < start ? 'upcoming' : 'open'
}

/** Current facts of time and money: what the commits of fine print 1 write besides their own effect. */
function withFacts(model: Model, out: Outside): Model {
  const { budget, type } = model.head
  const flight = flightOf(model.head, out.now)
  const totalSpent = type === 1 && out.spentTotal >= budget
  const left = type === 2 ? budget - out.spentToday : budget - out.spentTotal
  return {
    ...model,
    flight,
    dayReached: type === 2 && out.spentToday >= budget,
    totalSpent,
    spentAt: totalSpent && !model.totalSpent ? (out.totalSpentAt ?? out.now) : model.spentAt,
    short: out.available <= 0 || out.available < left,
  }
}

const launchedIf3 = (model: Model): Model => (statusOfModel(model) === 3 ? { ...model, launched: true } : model)

/** The fields that differ; banners count one by one. */
function pathsOf(a: Content, b: Content): readonly string[] {
  const fields = (['name', 'url', 'native', 'nativeOn', 'budget', 'type', 'start', 'end'] as const).filter(
    (key) => a[key] !== b[key],
  )
  const ids = [...new Set([...Object.keys(a.banners), ...Object.keys(b.banners)])]
  const banners = ids.filter((id) => a.banners[id] !== b.banners[id]).map((id) => `banner ${id}`)
  const exchanges = a.exchanges.join() === b.exchanges.join() ? [] : ['exchanges']
  return [...fields, ...banners, ...exchanges]
}

/** One commit: a change is one more revision. */
function committed(before: Model, after: Model, by: 'save' | 'moderator' = 'save'): Answer {
  const paths = pathsOf(before.head, after.head)
  const revision = before.revision + 1
  const commit = { content: after.head, paths, before: before.head }
  const contentRevision = by === 'save' && paths.length > 0 ? revision : before.contentRevision
  return { model: { ...after, revision, contentRevision, commits: [...before.commits, commit] } }
}

type Mode = { readonly publishing: boolean; readonly submitting: boolean }

/** Codes of a save, by precedence. */
function faultOf(model: Model, next: Content, mode: Mode, out: Outside): number | null {
  const { head, launched } = model
  const strict = mode.publishing || model.review.kind === 'pending' || model.approved !== null
  const past = (key: 'start' | 'end') => {
    const date = next[key]
    return date !== null && (mode.submitting || date !== head[key]) && localDay(date) < localDay(out.now)
  }
  if (launched && next.type !== head.type) return 1307
  if (next.start !== null && next.end !== null && next.start >= next.end) return 1303
  if (past('start')) return 1304
  if (past('end')) return 1305
  if (launched && next.start !== head.start) return 1306
  if (strict && next.budget < CPX) return 1302
  const incomplete = next.nativeOn ? next.native === 0 : Object.keys(next.banners).length === 0
  return strict && incomplete ? 135 : null
}

function save(model: Model, next: Content, mode: Mode, out: Outside): Answer {
  const { head, approved, review } = model
  if (mode.publishing && review.kind === 'rejected' && same(next, review.what)) return refused(139)
  const fault = faultOf(model, next, mode, out)
  if (fault !== null) return refused(fault)
  const first = approved === null
  const back = approved !== null && !beyond(next, approved)
  const submits = review.kind === 'pending' ? !back && beyond(next, head) : mode.publishing && !back
  const withdrawn = review.kind === 'pending' && back
  if (pathsOf(head, next).length === 0 && !submits && !withdrawn) return { model }
  const facts = {
    ...model,
    head: next,
    review: submits ? ({ kind: 'pending' } as const) : withdrawn ? ({ kind: 'approved' } as const) : review,
    submissions: model.submissions + (submits ? 1 : 0),
    intent: model.intent || (mode.publishing && first),
  }
  return committed(model, launchedIf3(withFacts(facts, out)))
}

/** Fields of an older content that may no longer change keep their present value (fine print 13). */
export function withKept(model: Model, wanted: Content, now: number): { content: Content; kept: readonly string[] } {
  const { head, launched } = model
  const past = (date: number | null) => date !== null && localDay(date) < localDay(now)
  const forbidden = new Set<'start' | 'end' | 'type'>()
  if (wanted.start !== head.start && (launched || past(wanted.start))) forbidden.add('start')
  if (wanted.end !== head.end && past(wanted.end)) forbidden.add('end')
  if (wanted.type !== head.type && launched) forbidden.add('type')
  const start = forbidden.has('start') ? head.start : wanted.start
  const end = forbidden.has('end') ? head.end : wanted.end
  // A date that cannot change may conflict with the other one: then both stay.
  if (start !== null && end !== null && start >= end)
    for (const key of ['start', 'end'] as const) if (wanted[key] !== head[key]) forbidden.add(key)
  const kept = [...forbidden]
  return { content: { ...wanted, ...Object.fromEntries(kept.map((key) => [key, head[key]])) }, kept }
}

function restoreOrUndo(asked: Asked & { do: 'restore' | 'undo' }, model: Model, out: Outside): Answer {
  if (model.archived) return refused(134)
  const own = model.commits[asked.revision - 1]
  if (own === undefined) throw new Error('a revision that never was')
  let wanted = own.content
  if (asked.do === 'undo') {
    const later = model.commits.slice(asked.revision)
    if (later.some(({ paths }) => paths.some((path) => own.paths.includes(path)))) return refused(140)
    wanted = undone(model.head, own)
  }
  const { content } = withKept(model, wanted, out.now)
  return save(model, content, { publishing: false, submitting: false }, out)
}

function undone(head: Content, { paths, before }: Commit): Content {
  const fields = paths.filter((path) => Object.hasOwn(before, path)) as (keyof Content)[]
  const { banners } = paths.reduce<Content>((content, path) => {
    const id = path.startsWith('banner ') ? path.slice(7) : null
    if (id === null) return content
    const { [id]: _gone, ...rest } = content.banners
    const old = before.banners[id]
    return { ...content, banners: old === undefined ? rest : { ...rest, [id]: old } }
  }, head)
  return { ...head, ...Object.fromEntries(fields.map((key) => [key, before[key]])), banners }
}

/** Verdicts on creatives whose material stays approved unchanged, by exchanges that are still chosen. */
function keptVerdicts(model: Model, head: Content): Model['verdicts'] {
  const before = model.approved === null ? {} : materialsOf(model.approved)
  const unchanged = (id: string) => before[id] !== undefined && before[id] === materialsOf(head)[id]
  const entries = Object.entries(model.verdicts).filter(([exchange]) => chosen(head).includes(exchange))
  return Object.fromEntries(
    entries.map(([exchange, byBanner]) => [
      exchange,
      Object.fromEntries(Object.entries(byBanner).filter(([id]) => unchanged(id))),
    ]),
  )
}

/** The command table: the result of a command in a state. */
export function expected(asked: Asked, model: Model, out: Outside): Answer {
  const status = statusOfModel(model)
  switch (asked.do) {
    case 'update':
    case 'publish': {
      if (status === 5) return refused(134)
      if (asked.expected !== null && model.contentRevision > asked.expected) return refused(140)
      const publishing = asked.do === 'publish'
      const submitting = publishing && model.approved === null && model.review.kind !== 'pending'
      return save(model, { ...model.head, ...asked.patch }, { publishing, submitting }, out)
    }
    case 'approve': {
      if (status === 5) return refused(134)
      if (model.review.kind !== 'pending') return refused(136)
      if (asked.token !== 'right') return refused(138)
      const head = { ...model.head, exchanges: asked.exchanges ?? model.head.exchanges }
      const verdicts = keptVerdicts(model, head)
      const approved = { ...model, head, approved: reviewedOf(head), review: { kind: 'approved' } as const, verdicts }
      return committed(model, launchedIf3(withFacts(approved, out)), 'moderator')
    }
    case 'reject':
      if (status === 5) return refused(134)
      if (model.review.kind !== 'pending') return refused(136)
      if (asked.token !== 'right') return refused(138)
      if (asked.comment.trim() === '') return refused(1301)
      return committed(model, { ...model, review: { kind: 'rejected', what: reviewedOf(model.head) } })
    case 'run':
      if ([40, 44, 45].includes(status)) return { model }
      if (status === 0 || status === 2 || (status === 5 && model.approved === null)) return refused(137)
      if (status !== 41 && status !== 5) return refused(134)
      return committed(model, launchedIf3(withFacts({ ...model, archived: false, intent: true }, out)))
    case 'pause':
      return [3, 6, 31, 40, 44, 45].includes(status) ? committed(model, { ...model, intent: false }) : refused(134)
    case 'toggle': {
      if (model.archived) return committed(model, withFacts({ ...model, archived: false, intent: false }, out))
      const rest = model.approved === null ? 'none' : 'approved'
      return committed(model, {
        ...model,
        archived: true,
        review: model.review.kind === 'pending' ? { kind: rest } : model.review,
      })
    }
    case 'exchange':
      return decideExchange(asked, model, out)
    case 'policies': {
      if (model.approved === null) return { model }
      const next = launchedIf3(withFacts(model, out))
      return sameFacts(model, next) ? { model } : committed(model, next)
    }
    case 'restore':
    case 'undo':
      return restoreOrUndo({ ...asked, do: asked.do }, model, out)
  }
}

function decideExchange({ exchange, creative, verdict }: Asked & { do: 'exchange' }, model: Model, out: Outside): Answer {
  if (model.approved === null) return refused(134)
  if (!chosen(model.head).includes(exchange)) return refused(131)
  if (!servedOf(model).includes(creative)) return refused(132)
  if (model.verdicts[exchange]?.[creative] === verdict) return { model }
  const verdicts = { ...model.verdicts, [exchange]: { ...model.verdicts[exchange], [creative]: verdict } }
  return committed(model, launchedIf3(withFacts({ ...model, verdicts }, out)))
}

const FACTS = ['flight', 'dayReached', 'totalSpent', 'short', 'launched'] as const
const sameFacts = (a: Model, b: Model): boolean => FACTS.every((key) => a[key] === b[key])

/** Revision 1. */
export function created(content: Content, publish: boolean, out: Outside): Answer {
  const unborn: Model = {
    archived: false,
    head: { ...content, start: null, end: null },
    approved: null,
    review: { kind: 'none' },
    submissions: 0,
    intent: false,
    verdicts: {},
    flight: 'open',
    endedAt: 0,
    dayReached: false,
    totalSpent: false,
    spentAt: 0,
    short: false,
    launched: false,
    revision: 0,
    contentRevision: 0,
    commits: [],
  }
  const fault = faultOf(unborn, content, { publishing: publish, submitting: publish }, out)
  if (fault !== null) return refused(fault)
  const review = { kind: publish ? 'pending' : 'none' } as const
  const model = { ...unborn, head: content, review, submissions: publish ? 1 : 0, intent: publish }
  const commit = { content, paths: [], before: content }
  return { model: { ...withFacts(model, out), revision: 1, contentRevision: 1, commits: [commit] } }
}
