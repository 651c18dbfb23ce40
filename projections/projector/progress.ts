import type { Kysely } from 'kysely'
import { openWakeUpConnection } from '#eventstore/postgres/wake-up-connection'
import { createSignal } from '#eventstore/signal'
import { anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import type { Checkpoint, ReadModel } from './read-model.ts'

/** Positions of the live read models, whichever process keeps them up. */
export type Progress = {
  /** Reports a position that this process has committed. */
  readonly note: (at: Checkpoint) => void
  /** This process no longer keeps the read model up, or failed with it. */
  readonly forget: (name: string) => void
  /** True once these read models, or all, have reached the position; false after `milliseconds`. */
  readonly reached: (position: bigint, milliseconds: number, of?: readonly string[]) => Promise<boolean>
  /** Position by read model. */
  readonly positions: () => Promise<ReadonlyMap<string, bigint>>
  /** Switches notifications of other processes on or off; each costs a statement. */
  readonly announce: (on: boolean) => void
  readonly close: () => Promise<void>
}

const CHANNEL = 'es_progress'
export const PROGRESS_SESSION = 'placard-progress'
/** Poll interval while `reached` waits, in case a notification is lost. */
const POLL_MS = 20

/** `own`: kept up by this process, which reports every move. */
type Known = Pick<Checkpoint, 'generation' | 'position'> & { readonly own: boolean }

export function createProgress(db: Kysely<Db>, url: string, models: readonly ReadModel[]): Progress {
  const moved = createSignal()
  const wakeUps = openWakeUpConnection(url, CHANNEL, moved, PROGRESS_SESSION)
  const names = models.map(({ name }) => name)
  const known = new Map<string, Known>()
  let announcing = false
  let reading: Promise<void> | null = null
  let knownSince: object | null = null

  /**
   * Checkpoints are committed asynchronously: a server that crashed may have lost the newest ones. A crash breaks this connection
   * too, so nothing is remembered across connections ("a position that the database lost in a crash is no longer reached").
   */
  function forgetAfterReconnect(): void {
    const session = wakeUps.session()
    if (session !== null && session === knownSince) return
    knownSince = session
    known.clear()
  }

  const isThere = (position: bigint, of: readonly string[]): boolean =>
    of.every((name) => (known.get(name)?.position ?? -1n) >= position)

  async function read(): Promise<void> {
    const rows = await db
      .selectFrom('es.subscriptions')
      .select(['name', 'generation', 'position'])
      .where('status', '=', 'live')
      .where('name', '=', anyOf(names))
      .execute()
    const found = new Set(rows.map(({ name }) => name))
    for (const name of known.keys()) if (!found.has(name)) known.delete(name)
    for (const row of rows) take(row)
  }

  /** A worker of this process may have reported a newer position while this was read. */
  function take({ name, generation, position }: Checkpoint): void {
    const before = known.get(name)
    if (before?.own === true) {
      if (generation < before.generation) return
      if (generation === before.generation && position <= before.position) return
    }
    known.set(name, { generation, position, own: before?.own === true && generation === before.generation })
  }
  const refresh = (): Promise<void> => (reading ??= read().finally(() => (reading = null)))

  async function reached(position: bigint, milliseconds: number, of: readonly string[] = names): Promise<boolean> {
    const end = Date.now() + milliseconds
    for (;;) {
      const seen = moved.count()
      forgetAfterReconnect()
      if (isThere(position, of)) return true
      const left = end - Date.now()
      if (left <= 0) return false
      if (!of.every((name) => known.get(name)?.own === true)) {
        // While the database is away, the timeout answers.
        await refresh().catch(() => undefined)
        if (isThere(position, of)) return true
      }
      await moved.wait(seen, Math.min(left, POLL_MS))
    }
  }

  return {
    note({ name, generation, position }) {
      known.set(name, { generation, position, own: true })
      moved.raise()
      if (announcing) wakeUps.announce()
    },
    forget: (name) => void known.delete(name),
    reached,
    async positions() {
      await refresh()
      return new Map([...known].map(([name, { position }]) => [name, position]))
    },
    announce: (on) => {
      announcing = on
    },
    close: () => wakeUps.close(),
  }
}
