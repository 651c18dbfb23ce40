import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { placingStream } from '#domain/audit/event-place'
import { readMetadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { tablesOf, type Memory, type ReadModel, type Tables } from '#projections/projector/read-model'
import { logOf, rolledBack, textsOf, type Commit } from './given-events.ts'
import { expectSame, limit, runs } from './properties.ts'

/** Laws of every read model, over the lives of the golden corpus, which contain every type of event. */

const STREAMS = fileURLToPath(new URL('../golden/streams', import.meta.url))

type Life = { readonly stream: string; readonly events: readonly (StoredEvent & { readonly schema_version: number })[] }

/** Life of one subject, commit by commit, with the books of an account after it: nothing is settled before it is opened. */
type Commits = readonly (readonly StoredEvent[])[]

function commitsOf(events: readonly StoredEvent[]): Commits {
  const commits = new Map<string, StoredEvent[]>()
  for (const event of events) {
    const key = `${readMetadata(event.metadata).revision} ${event.stream}`
    commits.set(key, [...(commits.get(key) ?? []), event])
  }
  return [...commits.values()]
}

/** Each life on streams of its own. */
const LIVES: readonly Commits[] = [
  ...readdirSync(STREAMS)
    .filter((file) => !file.endsWith('.state.json'))
    .sort()
    .reduce((lives, file) => {
      const text = readFileSync(join(STREAMS, file), 'utf8')
      const { stream: first } = JSON.parse(text) as Life
      const [id = ''] = /[0-9a-f-]{36}$/.exec(first) ?? []
      const { stream, events } = JSON.parse(lives.has(first) ? text.replaceAll(id, file.replace('.json', '')) : text) as Life
      const stored = events.map(({ schema_version: schemaVersion, ...event }, i) => ({
        ...event,
        schemaVersion,
        stream,
        version: i + 1,
      }))
      const subject = placingStream(stream)
      return lives.set(subject, [...(lives.get(subject) ?? []), ...commitsOf(stored)])
    }, new Map<string, Commits>())
    .values(),
]

/** A log of these lives: `turns` says whose commit is next, in the order of each. */
function interleaved(lives: readonly Commits[], turns: readonly number[]): readonly StoredEvent[] {
  const rest = lives.map((commits) => [...commits])
  const events: StoredEvent[] = []
  for (let n = 0; rest.some((commits) => commits.length > 0); n++) {
    const open = rest.filter((commits) => commits.length > 0)
    events.push(...(open[(turns[n % turns.length] ?? 0) % open.length]?.shift() ?? []))
  }
  return events.map((event, i) => ({ ...event, position: BigInt(i + 1) }))
}

/** The events in pages of these sizes, which repeat. */
function pagesOf(events: readonly StoredEvent[], sizes: readonly number[]): readonly (readonly StoredEvent[])[] {
  const pages: (readonly StoredEvent[])[] = []
  for (let from = 0; from < events.length;) {
    const size = sizes[pages.length % sizes.length] ?? 1
    pages.push(events.slice(from, from + size))
    from += size
  }
  return pages
}

type Pages = readonly (readonly StoredEvent[])[]
type Build = (tx: Kysely<Db>, model: ReadModel, tables: Tables, pages: Pages) => Promise<void>

/** `memory` as in `ReadModel`; without it, nothing is remembered from page to page. */
const applied =
  (times = 1, memory?: Memory): Build =>
  async (tx, model, tables, pages) => {
    for (const page of pages) for (let n = 0; n < times; n++) await model.apply(tx, tables, page, memory ?? new Map())
  }
const remembered: Build = (...args) => applied(1, new Map())(...args)

const loaded: Build = async (tx, model, tables, pages) => {
  const loader = model.load?.(tables, (read) => read(tx))
  for (const page of pages) {
    await loader?.add(page)
    await loader?.take(false)(tx)
  }
  await loader?.take(true)(tx)
}

/** The rows of each table of a generation that is filled so. */
async function built(tx: Kysely<Db>, model: ReadModel, generation: number, fill: (tables: Tables) => Promise<void>) {
  const tables = tablesOf(model, generation)
  await fill(tables)
  const texts = await Promise.all(Object.entries(tables).map(async ([base, table]) => [base, await textsOf(tx, table)]))
  return Object.fromEntries(texts) as Readonly<Record<string, readonly string[]>>
}

/** Tests that a read model has the same rows however the log reaches it, with this life in it too, and that other events leave them. */
export function itKeepsTheLaws(model: ReadModel, life: readonly Commit[] = []): void {
  const lives = [...LIVES, commitsOf(logOf(life))]
  const ours = lives.filter((commits) => commits.flat().some(model.concerns))
  const withTables = <T>(work: (tx: Kysely<Db>) => Promise<T>) =>
    rolledBack(
      [1, 2].map((generation) => [model, generation] as const),
      work,
    )
  const log = fc.array(fc.nat({ max: 100 }), { minLength: 1, maxLength: 30 }).map((turns) => interleaved(ours, turns))
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })

  /** The rows are those that one page with the whole log makes. */
  const itHasTheSameRows = (title: string, build: Build, of = sizes, times = 4): void =>
    it(
      title,
      () =>
        fc.assert(
          fc.asyncProperty(log, of, (events, cuts) =>
            withTables(async (tx) => {
              const whole = await built(tx, model, 1, (tables) => applied()(tx, model, tables, [events]))
              const rows = await built(tx, model, 2, (tables) => build(tx, model, tables, pagesOf(events, cuts)))
              expectSame(rows, whole)
              for (const base of model.tables) expect([base, whole[base]?.length]).not.toEqual([base, 0])
            }),
          ),
          { numRuns: runs(times) },
        ),
      limit(),
    )

  itHasTheSameRows('makes the same rows when each event is a page', applied(), fc.constant([1]), 1)
  itHasTheSameRows('makes the same rows in pages of any sizes', applied())
  if (model.apply.length > 3) itHasTheSameRows('makes the same rows when it remembers what it wrote', remembered)
  itHasTheSameRows('makes the same rows when each page is applied twice', applied(2))
  if (model.load !== undefined) itHasTheSameRows('loads the rows that it applies', loaded)

  const streams = new Set(
    ours
      .flat(2)
      .filter(model.concerns)
      .map(({ stream }) => stream),
  )
  const isOwn = ({ stream }: StoredEvent): boolean => streams.has(stream)

  it('concerns events of a later build, which it must not pass over', () => {
    const later = ours.flat(2).filter(isOwn)
    expect(later.filter((event) => !model.concerns({ ...event, type: 'Later' }))).toEqual([])
    expect(later.filter((event) => !model.concerns({ ...event, schemaVersion: 99 }))).toEqual([])
  })

  if (!lives.flat(2).every(isOwn))
    it('rows are not changed by events that do not concern them', () =>
      withTables(async (tx) => {
        const all = interleaved(lives, [0, 7, 3, 11])
        const alone = all.filter(isOwn)
        const rows = await built(tx, model, 1, (tables) => applied()(tx, model, tables, [alone]))
        expectSame(await built(tx, model, 2, (tables) => applied()(tx, model, tables, [all])), rows)
      }))
}
