import { expect, test } from 'vitest'
import { checkHistory, foldLog, type Counted, type Evidence } from './check-history.ts'
import { type Entry, type LoggedEvent, parseEntries } from './history.ts'

/**
 * Two writers and one subscriber with two lives. `a` has a refused, a repeated and an unanswered append; the events of the
 * unanswered one are stored. Position 3 is a hole.
 */
const log: readonly LoggedEvent[] = [
  { position: 1, stream: 'a', version: 1, id: 'a1' },
  { position: 2, stream: 'a', version: 2, id: 'a2' },
  { position: 4, stream: 'b', version: 1, id: 'b1' },
  { position: 5, stream: 'a', version: 3, id: 'a3' },
  { position: 6, stream: 'a', version: 4, id: 'a4' },
]

const history: readonly Entry[] = [
  { kind: 'invoke', process: 'one', op: 1, at: 10, stream: 'a', expected: 0, ids: ['a1', 'a2'] },
  { kind: 'ok', process: 'one', op: 1, at: 20, version: 2, position: 2 },
  { kind: 'invoke', process: 'two', op: 1, at: 15, stream: 'a', expected: 0, ids: ['lost'] },
  { kind: 'fail', process: 'two', op: 1, at: 25 },
  { kind: 'invoke', process: 'two', op: 2, at: 30, stream: 'b', expected: 0, ids: ['b1'] },
  { kind: 'unknown', process: 'two', op: 2, at: 35, error: 'connection lost' },
  { kind: 'invoke', process: 'two', op: 3, at: 40, stream: 'b', expected: 0, ids: ['b1'] },
  { kind: 'ok', process: 'two', op: 3, at: 45, version: 1, position: 4 },
  { kind: 'invoke', process: 'one', op: 2, at: 50, stream: 'a', expected: 2, ids: ['a3', 'a4'] },
  { kind: 'invoke', process: 'two', op: 4, at: 60, stream: 'b', expected: 1, ids: ['never'] },
  { kind: 'unknown', process: 'two', op: 4, at: 70, error: 'connection lost' },
  { kind: 'follow', process: 'reader.1', at: 1, subscriber: 'reader', after: 0 },
  ...log.slice(0, 2).map((event) => ({ kind: 'deliver' as const, process: 'reader.1', ...event })),
  { kind: 'checkpoint', process: 'reader.1', position: 2 },
  // Delivered, then killed before the checkpoint: the next life receives it again.
  ...log.slice(2, 3).map((event) => ({ kind: 'deliver' as const, process: 'reader.1', ...event })),
  { kind: 'follow', process: 'reader.2', at: 100, subscriber: 'reader', after: 2 },
  ...log.slice(2).map((event) => ({ kind: 'deliver' as const, process: 'reader.2', ...event })),
  { kind: 'checkpoint', process: 'reader.2', position: 6 },
]

const rows = foldLog(log)
/** One correct read model and one faulty one, in either order. */
const models = (over: Partial<Counted> = {}): Pick<Evidence, 'readModels'> => ({
  readModels: [
    { name: 'one', live: rows, rebuilt: rows },
    { name: 'other', live: rows, rebuilt: rows, ...over },
  ],
})
const sound: Evidence = { history, log, ...models() }

const check = (over: Partial<Evidence>) => checkHistory({ ...sound, ...over })
const found = (over: Partial<Evidence>): readonly string[] => [...new Set(check(over).map(({ property }) => property))]

/** The log after a fault of the store, and the read models that result from it. */
const stored = (fault: (log: readonly LoggedEvent[]) => readonly LoggedEvent[]): Partial<Evidence> => {
  const log = fault(sound.log)
  return { log, readModels: [{ name: 'one', live: foldLog(log), rebuilt: foldLog(log) }] }
}
const change = (log: readonly LoggedEvent[], id: string, over: Partial<LoggedEvent>): readonly LoggedEvent[] =>
  log.map((event) => (event.id === id ? { ...event, ...over } : event))
const altered = (pick: (entry: Entry) => boolean, put: (entry: Entry) => readonly Entry[]): Partial<Evidence> => ({
  history: history.flatMap((entry) => (pick(entry) ? put(entry) : [entry])),
})
const delivery = (process: string, id: string) => (entry: Entry) =>
  entry.kind === 'deliver' && entry.process === process && entry.id === id

test('accepts a correct history', () => {
  expect(check({})).toEqual([])
})

test('accepts an unanswered append both stored and not stored', () => {
  const without = stored((log) => log.filter(({ id }) => id !== 'a3' && id !== 'a4'))
  const unanswered = altered(
    (entry) => (entry.kind === 'deliver' && (entry.id === 'a3' || entry.id === 'a4')) || entry.kind === 'checkpoint',
    (entry) => (entry.kind === 'checkpoint' ? [{ ...entry, position: Math.min(entry.position, 4) }] : []),
  )
  expect(check({ ...without, ...unanswered })).toEqual([])
})

test('reports an acknowledged event that is not stored', () => {
  expect(found(stored((log) => log.filter(({ id }) => id !== 'b1')))).toContain('acknowledged events are stored once')
})

test('reports an acknowledged event that is stored twice', () => {
  const twice = stored((log) => [...log, { position: 7, stream: 'b', version: 2, id: 'b1' }])
  expect(found(twice)).toContain('acknowledged events are stored once')
})

test('reports an answer with a position other than the stored one', () => {
  const misreported = altered(
    (entry) => entry.kind === 'ok' && entry.process === 'one',
    (entry) => [{ ...entry, position: 1 } as Entry],
  )
  expect(found(misreported)).toEqual(['an answer names version and position that are stored'])
})

test('reports a refused event that is stored', () => {
  const refused = altered(
    (entry) => entry.kind === 'invoke' && entry.process === 'one' && entry.op === 2,
    (entry) => [entry, { kind: 'fail', process: 'one', op: 2, at: 55 }],
  )
  expect(found(refused)).toEqual(['refused events are not stored'])
})

test('reports an event that was never appended, and one in the wrong stream', () => {
  const phantom = stored((log) => [...log, { position: 7, stream: 'c', version: 1, id: 'phantom' }])
  expect(found(phantom)).toContain('stored events were asked for, there')
  expect(found(stored((log) => change(log, 'b1', { stream: 'c' })))).toContain('stored events were asked for, there')
})

test('reports an event stored or delivered with the content of another', () => {
  const mixedUp = '{"note":"a2"} {"of":"a1"}'
  expect(found(stored((log) => change(log, 'a1', { mixedUp })))).toEqual(['an event holds what was sent with its id'])
  const delivered = altered(delivery('reader.1', 'a1'), (entry) => [{ ...entry, mixedUp } as Entry])
  expect(found(delivered)).toEqual(['an event holds what was sent with its id'])
})

test('reports a partial append', () => {
  expect(found(stored((log) => log.filter(({ id }) => id !== 'a4')))).toContain('an append is stored whole or not at all')
})

test('reports a missing version, and versions against the order of positions', () => {
  const property = 'versions of a stream are dense and rise with positions'
  expect(found(stored((log) => log.filter(({ id }) => id !== 'a2')))).toContain(property)
  const swapped = stored((log) => change(change(log, 'a3', { version: 4 }), 'a4', { version: 3 }))
  expect(found(swapped)).toContain(property)
})

test('reports two winners of one version', () => {
  const both = altered(
    (entry) => entry.kind === 'fail',
    (entry) => [{ kind: 'ok', process: 'two', op: 1, at: entry.kind === 'fail' ? entry.at : 0, version: 1, position: 1 }],
  )
  expect(found(both)).toContain('one winner per version')
  expect(found(stored((log) => change(log, 'a2', { version: 1 })))).toContain('one winner per version')
})

test('reports an append stored before one acknowledged earlier', () => {
  const late = altered(
    (entry) => entry.kind === 'invoke' && entry.process === 'one' && entry.op === 1,
    (entry) => [{ ...entry, at: 46 } as Entry],
  )
  expect(found(late)).toEqual(['what was acknowledged before stands before'])
})

test('reports a subscriber that does not start at its last checkpoint', () => {
  const skipping = altered(
    (entry) => entry.kind === 'follow' && entry.process === 'reader.2',
    (entry) => [{ ...entry, after: 4 } as Entry],
  )
  expect(found(skipping)).toContain('a subscriber continues after its last checkpoint')
})

test.each([
  ['a missing event', delivery('reader.2', 'a3'), () => []],
  ['a repeated event', delivery('reader.2', 'a3'), (entry: Entry) => [entry, entry]],
  ['an event with another version', delivery('reader.2', 'a3'), (entry: Entry) => [{ ...entry, version: 9 } as Entry]],
  ['an event dropped before a kill', delivery('reader.1', 'a2'), () => []],
])('reports a wrong delivery to a subscriber: %s', (_, pick, put) => {
  expect(found(altered(pick, put))).toEqual(['a subscriber sees the stored events once, in order'])
})

test('reports deliveries out of order', () => {
  const [a3, a4] = log.slice(3)
  const swapped = altered(
    (entry) => entry.kind === 'deliver' && entry.process === 'reader.2' && entry.id !== 'b1',
    (entry) => {
      const other = entry.kind === 'deliver' && entry.id === 'a3' ? a4 : a3
      return other === undefined ? [] : [{ kind: 'deliver', process: 'reader.2', ...other }]
    },
  )
  expect(found(swapped)).toEqual(['a subscriber sees the stored events once, in order'])
})

test('reports a subscriber that stopped early', () => {
  const short = altered(
    (entry) => (entry.kind === 'deliver' && entry.id === 'a4') || (entry.kind === 'checkpoint' && entry.position === 6),
    () => [],
  )
  expect(found(short)).toEqual(['a subscriber reaches the end'])
})

test('reports an event that the read model counted twice or never', () => {
  const count = (events: number) => models({ live: rows.map((row) => (row.stream === 'a' ? { ...row, events } : row)) })
  for (const events of [3, 5]) {
    expect(found(count(events))).toEqual([
      'a read model has applied every event once, in order',
      'a read model equals its rebuild',
    ])
  }
})

test('reports two events that the read model applied in the wrong order', () => {
  const swapped = foldLog([...log.slice(0, 3), ...log.slice(3).toReversed()])
  expect(found(models({ live: swapped, rebuilt: swapped }))).toEqual(['a read model has applied every event once, in order'])
})

test('reports a row that a rebuild does not produce', () => {
  const stray = { stream: 'stray', events: 1, digest: '' }
  expect(found(models({ rebuilt: rows.slice(1) }))).toEqual(['a read model equals its rebuild'])
  expect(found(models({ live: [...rows, stray], rebuilt: [...rows, stray] }))).toEqual([
    'a read model has applied every event once, in order',
  ])
})

test('parses a history whose last line was truncated by a kill', () => {
  const line = JSON.stringify(history[0])
  expect(parseEntries(`${line}\n${line.slice(0, 30)}`)).toEqual([history[0]])
})
