import { sql, type Kysely } from 'kysely'
import { openWakeUpConnection } from '../../eventstore/postgres/wake-up-connection.ts'
import { createSignal } from '../../eventstore/signal.ts'
import type { ReadModel } from './read-model.ts'

/** How far the live read models are, in whatever process they are kept up. */
export type Progress = {
  /** A shard that this process keeps up has reached a position. */
  readonly note: (name: string, shard: number, position: bigint) => void
  /** This process keeps the shard up no more. */
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

export function createProgress(db: Kysely<never>, url: string, models: readonly ReadModel[]): Progress {
  const moved = createSignal()
  const wakeUps = openWakeUpConnection(url, CHANNEL, moved, PROGRESS_SESSION)
  const names = models.map(({ name }) => name)
  /** By `name shard`. */
  const known = new Map<string, bigint>()
  const local = new Set<string>()
  let announcing = false
  let reading: Promise<void> | null = null

  const isOf = (key: string, name: string): boolean => key.startsWith(name) && key[name.length] === ' '
  const there = (position: bigint, of: readonly string[]): boolean =>
    of.every((name) => {
      const shards = [...known].filter(([key]) => isOf(key, name))
      return shards.length > 0 && shards.every(([, at]) => at >= position)
    })
  /** What this process keeps up it hears of itself; what others do is asked for. */
  const hearsOf = (name: string): boolean => {
    const shards = [...known.keys()].filter((key) => isOf(key, name))
    return shards.length > 0 && shards.every((key) => local.has(key))
  }

  async function read(): Promise<void> {
    const { rows } = await sql<{ name: string; shard: number; position: bigint }>`
      select name, shard, position from es.subscriptions where status = 'live' and name = any(${names})`.execute(db)
    const found = new Set(rows.map(({ name, shard }) => `${name} ${shard}`))
    for (const key of known.keys()) if (!found.has(key)) known.delete(key)
    for (const { name, shard, position } of rows) known.set(`${name} ${shard}`, position)
  }
  const refresh = (): Promise<void> => (reading ??= read().finally(() => (reading = null)))

  async function reached(position: bigint, milliseconds: number, of: readonly string[] = names): Promise<boolean> {
    const end = Date.now() + milliseconds
    for (;;) {
      const seen = moved.count()
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
    note(name, shard, position) {
      const key = `${name} ${shard}`
      local.add(key)
      known.set(key, position)
      moved.raise()
      if (announcing) wakeUps.announce()
    },
    forget: (name, shard) => {
      local.delete(`${name} ${shard}`)
    },
    reached,
    async positions() {
      await refresh()
      const result = new Map<string, bigint>()
      for (const [key, position] of known) {
        const name = key.slice(0, key.lastIndexOf(' '))
        const low = result.get(name)
        if (low === undefined || position < low) result.set(name, position)
      }
      return result
    },
    announce: (on) => {
      announcing = on
    },
    close: () => wakeUps.close(),
  }
}
