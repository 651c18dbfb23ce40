import { sql, type Kysely } from 'kysely'
import { openWakeUpConnection } from '../../eventstore/postgres/wake-up-connection.ts'
import { createSignal } from '../../eventstore/signal.ts'
import type { Place, ReadModel } from './read-model.ts'

/** How far the live read models are, in whatever process they are kept up. */
export type Progress = {
  /** A shard that this process keeps up has reached its position. */
  readonly note: (at: Place) => void
  /** This process keeps the shard up no more, or has lost its way with it. */
  readonly forget: (name: string, shard: number) => void
  /** True once every shard of these read models, or of all, has reached the position; false when `milliseconds` pass before. */
  readonly reached: (position: bigint, milliseconds: number, of?: readonly string[]) => Promise<boolean>
  /** Lowest position over its shards, by read model. */
  readonly positions: () => Promise<ReadonlyMap<string, bigint>>
  /** Tells other processes whenever this one gets on; costs a statement a time, so only while somebody listens. */
  readonly announce: (on: boolean) => void
  readonly close: () => Promise<void>
}

const CHANNEL = 'es_progress'
export const PROGRESS_SESSION = 'placard-progress'
/** How long a lost announcement may go unnoticed by somebody who waits. */
const POLL_MS = 20

type Row = Pick<Place, 'name' | 'generation' | 'shards' | 'shard' | 'position'>

/** What is known of a read model's live generation, by shard. */
type Known = {
  readonly generation: number
  readonly positions: (bigint | undefined)[]
  /** Shards of it that workers of this process have spoken of. */
  readonly own: Set<number>
}

const nothingOf = (generation: number, shards: number): Known => ({
  generation,
  positions: Array.from<bigint | undefined>({ length: shards }).fill(undefined),
  own: new Set(),
})

export function createProgress(db: Kysely<never>, url: string, models: readonly ReadModel[]): Progress {
  const moved = createSignal()
  const wakeUps = openWakeUpConnection(url, CHANNEL, moved, PROGRESS_SESSION)
  const names = models.map(({ name }) => name)
  const known = new Map<string, Known>()
  let announcing = false
  let reading: Promise<void> | null = null
  let heardOn: object | null = null

  /**
   * Checkpoints do not wait for the disk: a server that came back from a crash may have lost the newest rows, and what they had been.
   * Its connections broke when it crashed, this one too; until there is another one nothing is remembered
   * ("a position that the database has lost in a crash is not reached any more").
   */
  function forgetWhatMayBeLost(): void {
    const session = wakeUps.session()
    if (session !== null && session === heardOn) return
    heardOn = session
    known.clear()
  }

  const there = (position: bigint, of: readonly string[]): boolean =>
    of.every((name) => known.get(name)?.positions.every((at) => at !== undefined && at >= position) === true)
  /**
   * What this process keeps up it hears of itself; what others do, and what nobody does yet, is asked for
   * ("a read model that was given more shards has not reached what only its first shard has").
   */
  const hearsOf = (name: string): boolean => {
    const one = known.get(name)
    return one !== undefined && one.own.size === one.positions.length
  }

  async function read(): Promise<void> {
    const { rows } = await sql<Row>`
      select name, generation, shards, shard, position from es.subscriptions
      where status = 'live' and name = any(${names})`.execute(db)
    const found = new Set(rows.map(({ name }) => name))
    for (const name of known.keys()) if (!found.has(name)) known.delete(name)
    for (const row of rows) take(row)
  }

  /** What was read may have been overtaken by what workers here have said since: it takes nothing of that back. */
  function take({ name, generation, shards, shard, position }: Row): void {
    const before = known.get(name)
    if (before !== undefined && before.own.size > 0 && generation < before.generation) return
    const one = before?.generation === generation ? before : nothingOf(generation, shards)
    if (one !== before) known.set(name, one)
    const said = one.own.has(shard) ? one.positions[shard] : undefined
    one.positions[shard] = said !== undefined && said > position ? said : position
  }
  const refresh = (): Promise<void> => (reading ??= read().finally(() => (reading = null)))

  async function reached(position: bigint, milliseconds: number, of: readonly string[] = names): Promise<boolean> {
    const end = Date.now() + milliseconds
    for (;;) {
      const seen = moved.count()
      forgetWhatMayBeLost()
      if (there(position, of)) return true
      const left = end - Date.now()
      if (left <= 0) return false
      if (!of.every(hearsOf)) {
        // While the database is away nobody gets anywhere: whoever waits is told so when his time is over.
        await refresh().catch(() => undefined)
        if (there(position, of)) return true
      }
      await moved.wait(seen, Math.min(left, POLL_MS))
    }
  }

  return {
    note({ name, generation, shards, shard, position }) {
      const before = known.get(name)
      const one = before?.generation === generation ? before : nothingOf(generation, shards)
      if (one !== before) known.set(name, one)
      one.own.add(shard)
      one.positions[shard] = position
      moved.raise()
      if (announcing) wakeUps.announce()
    },
    forget: (name, shard) => {
      const one = known.get(name)
      // What is live by now may have fewer shards than the worker knew of: nobody would ever say anything of one more
      // ("a worker that stops after its read model was cut into fewer shards keeps nobody waiting").
      if (one === undefined || shard >= one.positions.length) return
      one.own.delete(shard)
      one.positions[shard] = undefined
    },
    reached,
    async positions() {
      await refresh()
      const result = new Map<string, bigint>()
      for (const [name, { positions }] of known) {
        const all = positions.filter((position) => position !== undefined)
        const low = all.reduce((least, position) => (position < least ? position : least), all[0] ?? 0n)
        if (all.length === positions.length) result.set(name, low)
      }
      return result
    },
    announce: (on) => {
      announcing = on
    },
    close: () => wakeUps.close(),
  }
}
