import { createHash } from 'node:crypto'
import type { Entry, LoggedEvent } from './history.ts'

/** A row of the counting read model: the number of events of a stream, and a digest over their ids in order. */
export type CountedStream = { readonly stream: string; readonly events: number; readonly digest: string }

export type Evidence = {
  readonly history: readonly Entry[]
  /** The final log by position, read with plain SQL instead of the reader under test. */
  readonly log: readonly LoggedEvent[]
  readonly readModels: readonly Counted[]
}

/** Rows of a live read model and of its rebuild from the same log. */
export type Counted = {
  readonly name: string
  readonly live: readonly CountedStream[]
  readonly rebuilt: readonly CountedStream[]
}

export type Violation = { readonly property: keyof typeof PROPERTIES; readonly detail: string }

/** Returns the violated guarantees of a run, in a fixed order; empty when all hold. Pure. */
export function checkHistory(evidence: Evidence): readonly Violation[] {
  const context: Context = {
    ...evidence,
    appends: appendsOf(evidence.history),
    byId: byIdOf(evidence.log),
  }
  return Object.entries(PROPERTIES).flatMap(([property, check]) =>
    [...check(context)].map((detail) => ({ property: property as Violation['property'], detail })),
  )
}

/** All attempts with the same event ids together: an append in doubt and its retry are one append. */
type Append = {
  readonly stream: string
  readonly expected: number
  readonly ids: readonly string[]
  readonly invoked: number
  answers: Exclude<Extract<Entry, { op: number }>, { kind: 'invoke' }>[]
}

type Context = Evidence & {
  readonly appends: readonly Append[]
  readonly byId: ReadonlyMap<string, readonly LoggedEvent[]>
}

const PROPERTIES = {
  'acknowledged events are stored once': acknowledgedAreStoredOnce,
  'an answer names version and position that are stored': answersAreTrue,
  'refused events are not stored': refusedAreNotStored,
  'stored events were asked for, there': storedWereAskedFor,
  'an event holds what was sent with its id': eventsAreAsSent,
  'an append is stored whole or not at all': appendsAreWhole,
  'versions of a stream are dense and rise with positions': versionsAreDense,
  'one winner per version': oneWinnerPerVersion,
  'what was acknowledged before stands before': realTimeOrder,
  'a subscriber continues after its last checkpoint': livesContinue,
  'a subscriber sees the stored events once, in order': deliveriesAreTheLog,
  'a subscriber reaches the end': subscribersReachTheEnd,
  'a read model has applied every event once, in order': readModelsAreTheLog,
  'a read model equals its rebuild': readModelsAreTheirRebuilds,
} satisfies Record<string, (context: Context) => Iterable<string>>

function* acknowledgedAreStoredOnce({ appends, byId }: Context): Iterable<string> {
  for (const { answers, ids } of appends) {
    if (!answers.some(({ kind }) => kind === 'ok')) continue
    for (const id of ids) {
      const copies = byId.get(id)?.length ?? 0
      if (copies !== 1) yield `${id} was acknowledged and is stored ${copies} times`
    }
  }
}

function* answersAreTrue({ appends, byId }: Context): Iterable<string> {
  for (const { answers, ids, expected } of appends) {
    const last = byId.get(ids.at(-1) ?? '')?.[0]
    for (const answer of answers) {
      if (answer.kind !== 'ok' || last === undefined) continue
      if (answer.version !== expected + ids.length || answer.version !== last.version || answer.position !== last.position) {
        yield `${last.id} was said to be version ${answer.version} at ${answer.position}, and is ${last.version} at ${last.position}`
      }
    }
  }
}

function* refusedAreNotStored({ appends, byId }: Context): Iterable<string> {
  for (const { answers, ids } of appends) {
    if (!answers.some(({ kind }) => kind === 'fail')) continue
    for (const id of ids) if (byId.has(id)) yield `${id} was refused and is stored`
  }
}

function* storedWereAskedFor({ appends, log }: Context): Iterable<string> {
  const asked = new Map(
    appends.flatMap(({ stream, expected, ids }) => ids.map((id, index) => [id, `${stream} ${expected + index + 1}`])),
  )
  for (const { id, stream, version } of log) {
    const place = asked.get(id)
    if (place === undefined) yield `${id} is stored but was never appended`
    else if (place !== `${stream} ${version}`) yield `${id} was meant for ${place} and is ${stream} ${version}`
  }
}

function* eventsAreAsSent({ log, history }: Context): Iterable<string> {
  for (const { id, mixedUp } of log) if (mixedUp !== undefined) yield `${id} is stored with ${mixedUp}`
  for (const entry of history)
    if (entry.kind === 'deliver' && entry.mixedUp !== undefined) yield `${entry.process} got ${entry.id} with ${entry.mixedUp}`
}

function* appendsAreWhole({ appends, byId }: Context): Iterable<string> {
  for (const { ids, stream } of appends) {
    const stored = ids.filter((id) => byId.has(id)).length
    if (stored !== 0 && stored !== ids.length) yield `${stored} of ${ids.length} events of one append to ${stream} are stored`
  }
}

function* versionsAreDense({ log }: Context): Iterable<string> {
  const versions = new Map<string, number>()
  for (const { stream, version, position } of log) {
    const before = versions.get(stream) ?? 0
    if (version !== before + 1) yield `${stream} goes from version ${before} to ${version} at ${position}`
    versions.set(stream, version)
  }
}

function* oneWinnerPerVersion({ log, appends }: Context): Iterable<string> {
  const stored = new Set<string>()
  for (const { stream, version } of log) {
    if (stored.has(`${stream} ${version}`)) yield `${stream} ${version} is stored twice`
    stored.add(`${stream} ${version}`)
  }
  const won = new Set<string>()
  for (const { answers, ids, stream, expected } of appends) {
    if (!answers.some(({ kind }) => kind === 'ok')) continue
    for (const index of ids.keys()) {
      const place = `${stream} ${expected + index + 1}`
      if (won.has(place)) yield `${place} was acknowledged to two writers`
      won.add(place)
    }
  }
}

/** Sweeps both ends of all appends in time order, with the highest position acknowledged so far. */
function* realTimeOrder({ appends, byId }: Context): Iterable<string> {
  const ends = appends.flatMap(({ answers, ids }) => {
    const at = Math.min(...answers.filter(({ kind }) => kind === 'ok').map((answer) => answer.at))
    const position = byId.get(ids.at(-1) ?? '')?.[0]?.position
    return Number.isFinite(at) && position !== undefined ? [{ at, position }] : []
  })
  const starts = appends.flatMap(({ invoked, ids }) => {
    const position = byId.get(ids[0] ?? '')?.[0]?.position
    return position === undefined ? [] : [{ at: invoked, position }]
  })
  ends.sort((a, b) => a.at - b.at)
  starts.sort((a, b) => a.at - b.at)
  let acknowledged = 0
  let next = 0
  for (const start of starts) {
    for (let end = ends[next]; end !== undefined && end.at < start.at; end = ends[next]) {
      acknowledged = Math.max(acknowledged, end.position)
      next += 1
    }
    if (start.position < acknowledged) {
      yield `an append begun after ${acknowledged} was acknowledged stands at ${start.position}`
    }
  }
}

function* livesContinue({ history }: Context): Iterable<string> {
  for (const [subscriber, lives] of subscribersOf(history)) {
    let checkpoint = 0
    for (const { process, after, checkpoints } of lives) {
      if (after !== checkpoint) yield `${process} begins after ${after}, and ${subscriber} had reached ${checkpoint}`
      checkpoint = checkpoints.at(-1) ?? after
    }
  }
}

function* deliveriesAreTheLog({ history, log }: Context): Iterable<string> {
  for (const [, lives] of subscribersOf(history)) {
    for (const { process, after, checkpoints, deliveries } of lives) {
      const upTo = Math.max(after, checkpoints.at(-1) ?? 0, deliveries.at(-1)?.position ?? 0)
      const due = log.filter(({ position }) => position > after && position <= upTo)
      for (let index = 0; index < Math.max(due.length, deliveries.length); index += 1) {
        const [want, got] = [describe(due[index]), describe(deliveries[index])]
        if (want === got) continue
        yield `${process} should have got ${want}, and got ${got}`
        break
      }
    }
  }
}

const describe = (event: LoggedEvent | undefined): string =>
  event === undefined ? 'nothing more' : `${event.stream} ${event.version} (${event.id}) at ${event.position}`

function* subscribersReachTheEnd({ history, log }: Context): Iterable<string> {
  const end = log.at(-1)?.position ?? 0
  for (const [subscriber, lives] of subscribersOf(history)) {
    const last = lives.at(-1)
    const reached = last?.checkpoints.at(-1) ?? last?.after ?? 0
    if (reached < end) yield `${subscriber} stands at ${reached} of ${end}`
  }
}

function* readModelsAreTheLog({ log, readModels }: Context): Iterable<string> {
  for (const { name, live } of readModels) yield* differences(name, foldLog(log), live)
}

function* readModelsAreTheirRebuilds({ readModels }: Context): Iterable<string> {
  for (const { name, live, rebuilt } of readModels) yield* differences(name, rebuilt, live)
}

/** The rows of a counting read model for this log. The digest is md5(previous digest, id). */
export function foldLog(log: readonly LoggedEvent[]): CountedStream[] {
  const rows = new Map<string, CountedStream>()
  for (const { stream, id } of log) {
    const { events, digest } = rows.get(stream) ?? { events: 0, digest: '' }
    rows.set(stream, { stream, events: events + 1, digest: createHash('md5').update(`${digest}${id}`).digest('hex') })
  }
  return [...rows.values()]
}

function* differences(name: string, wanted: readonly CountedStream[], found: readonly CountedStream[]): Iterable<string> {
  const rows = new Map(found.map((row) => [row.stream, row]))
  for (const { stream, events, digest } of wanted) {
    const row = rows.get(stream)
    rows.delete(stream)
    if (row?.events !== events) yield `${stream} has ${events} events, and ${row?.events ?? 'none'} in ${name}`
    else if (row.digest !== digest) yield `the ${events} events of ${stream} are others, or in another order, in ${name}`
  }
  for (const stream of rows.keys()) yield `${stream} is in ${name} alone`
}

function byIdOf(log: readonly LoggedEvent[]): ReadonlyMap<string, readonly LoggedEvent[]> {
  const events = new Map<string, LoggedEvent[]>()
  for (const event of log) {
    const copies = events.get(event.id)
    if (copies === undefined) events.set(event.id, [event])
    else copies.push(event)
  }
  return events
}

function appendsOf(history: readonly Entry[]): Append[] {
  const appends = new Map<string, Append>()
  const attempts = new Map<string, Append>()
  for (const entry of history) {
    if (entry.kind !== 'invoke') continue
    const { stream, expected, ids, at } = entry
    const key = ids.join()
    const known = appends.get(key)
    const append = { stream, expected, ids, invoked: Math.min(at, known?.invoked ?? at), answers: known?.answers ?? [] }
    appends.set(key, append)
    attempts.set(`${entry.process} ${entry.op}`, append)
  }
  for (const entry of history) {
    if (entry.kind === 'ok' || entry.kind === 'fail' || entry.kind === 'unknown') {
      attempts.get(`${entry.process} ${entry.op}`)?.answers.push(entry)
    }
  }
  return [...appends.values()]
}

type Life = {
  readonly process: string
  readonly at: number
  readonly after: number
  readonly deliveries: LoggedEvent[]
  readonly checkpoints: number[]
}

/** The lives of every subscriber, oldest first. */
function subscribersOf(history: readonly Entry[]): Map<string, Life[]> {
  const subscribers = new Map<string, Life[]>()
  const lives = new Map<string, Life>()
  for (const entry of history) {
    if (entry.kind !== 'follow') continue
    const { process, at, after, subscriber } = entry
    const life = { process, at, after, deliveries: [], checkpoints: [] }
    lives.set(process, life)
    subscribers.set(
      subscriber,
      [...(subscribers.get(subscriber) ?? []), life].toSorted((a, b) => a.at - b.at),
    )
  }
  for (const entry of history) {
    if (entry.kind === 'deliver') lives.get(entry.process)?.deliveries.push(entry)
    if (entry.kind === 'checkpoint') lives.get(entry.process)?.checkpoints.push(entry.position)
  }
  return subscribers
}
