import { sql, type Kysely } from 'kysely'
import type { Client } from 'pg'
import { openHealingClient } from '#eventstore/postgres/healing-client'
import type { Db } from '#migrations/db'

/**
 * Which process does what. A lease saves duplicate work and proves nothing: what must not happen twice is guarded where it is
 * written. It ends at once with the session of its holder (a killed process), and `LEASE_MS` after its last renewal (a process
 * that hangs).
 */
export type Leases = {
  /** Takes the names that are free and renews those held; returns the names this process holds now. */
  readonly take: (names: readonly string[]) => Promise<ReadonlySet<string>>
  /** `take` for one name. */
  readonly holds: (name: string) => Promise<boolean>
  readonly release: (name: string) => Promise<void>
  /** Releases everything. */
  readonly close: () => Promise<void>
}

const LEASE_MS = 2000
/** Name of the connection of a holder, before the name of its process. */
const LEASES_NAME = 'placard-leases'
const LEASE = `${LEASE_MS} milliseconds`

/** `holder` names the process to operators: it is in the name of its connection. */
export function createLeases(db: Kysely<Db>, url: string, holder = ''): Leases {
  let owner: string | null = null
  // Opened when the first lease is asked for: most processes ask for none.
  let opened: ReturnType<typeof openHealingClient> | null = null
  const openSession = () =>
    openHealingClient({
      url,
      applicationName: `${LEASES_NAME} ${holder}`.trim(),
      // A new session is a new owner: the leases of the broken one are free.
      onConnect: async (client: Client) => {
        const { rows } = await client.query<{ owner: string }>(
          "select pid || ':' || extract(epoch from backend_start) as owner from pg_stat_activity where pid = pg_backend_pid()",
        )
        owner = rows[0]?.owner ?? null
      },
      onNotification: () => {},
    })

  async function take(names: readonly string[]): Promise<ReadonlySet<string>> {
    if (names.length === 0) return new Set()
    opened ??= openSession()
    if (owner === null || opened.current() === null) return new Set()
    const { rows } = await sql<{ name: string }>`
      insert into es.leases as l (name, owner, until)
      select name, ${owner}, now() + ${LEASE}::interval from unnest(${[...names].sort()}::text[]) name
      on conflict (name) do update set owner = excluded.owner, until = excluded.until
        where l.owner = excluded.owner or l.until < now() or not ${alive(sql.ref('l.owner'))}
      returning name`.execute(db)
    return new Set(rows.map(({ name }) => name))
  }

  return {
    take,
    holds: async (name) => (await take([name])).has(name),
    async release(name) {
      if (owner !== null) await db.deleteFrom('es.leases').where('owner', '=', owner).where('name', '=', name).execute()
    },
    async close() {
      if (owner !== null) {
        const held = db.deleteFrom('es.leases').where('owner', '=', owner)
        await held.execute().catch(() => undefined)
      }
      await opened?.close()
    },
  }
}

/** The names of the processes that hold these leases now; the name is empty where the process gave none. */
export async function leaseHolders(db: Kysely<Db>, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; application: string }>`
    select l.name, a.application_name as application
    from es.leases l join pg_stat_activity a on a.pid || ':' || extract(epoch from a.backend_start) = l.owner
    where l.until > now() and l.name = any(${[...names]})`.execute(db)
  return new Map(rows.map(({ name, application }) => [name, application.slice(LEASES_NAME.length).trim()]))
}

/** Whether the session of an owner is still connected. */
const alive = (owner: ReturnType<typeof sql.ref>) =>
  sql`exists (select from pg_stat_activity a where a.pid || ':' || extract(epoch from a.backend_start) = ${owner})`
