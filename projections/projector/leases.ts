import { sql, type Kysely } from 'kysely'
import type { Client } from 'pg'
import { openHealingClient } from '../../eventstore/postgres/healing-client.ts'

/**
 * Which process does what, so that work is shared out and not done twice. A lease saves work and proves nothing: what must not happen
 * twice is guarded where it is written. It ends at once with the session of its holder (a killed process), and after
 * `LEASE_MS` without renewal (a process that hangs).
 */
export type Leases = {
  /** This process's share of the names within a group: what it holds, and what is free up to a fair part. */
  readonly share: (group: string, names: readonly string[]) => Promise<ReadonlySet<string>>
  /** True while this process holds the name. */
  readonly holds: (name: string) => Promise<boolean>
  /** Gives everything back. */
  readonly close: () => Promise<void>
}

const LEASE_MS = 2000
const LEASE = `${LEASE_MS} milliseconds`

export function createLeases(db: Kysely<never>, url: string): Leases {
  let owner: string | null = null
  const session = openHealingClient({
    url,
    applicationName: 'placard-leases',
    // Another session is another owner: what the broken one held is free.
    onConnect: async (client: Client) => {
      const { rows } = await client.query<{ owner: string }>(
        "select pid || ':' || extract(epoch from backend_start) as owner from pg_stat_activity where pid = pg_backend_pid()",
      )
      owner = rows[0]?.owner ?? null
    },
    onNotification: () => {},
  })

  /** Takes what is free and renews what is held; answers what is held then. */
  async function take(names: readonly string[]): Promise<ReadonlySet<string>> {
    if (owner === null || session.current() === null || names.length === 0) return new Set()
    const { rows } = await sql<{ name: string }>`
      insert into es.leases as l (name, owner, until)
      select name, ${owner}, now() + ${LEASE}::interval from unnest(${[...names].sort()}::text[]) name
      on conflict (name) do update set owner = excluded.owner, until = excluded.until
        where l.owner = excluded.owner or l.until < now() or not ${alive(sql.ref('l.owner'))}
      returning name`.execute(db)
    return new Set(rows.map(({ name }) => name))
  }

  async function giveBack(names: readonly string[]): Promise<void> {
    if (owner !== null && names.length > 0)
      await sql`delete from es.leases where owner = ${owner} and name = any(${[...names]})`.execute(db)
  }

  return {
    async share(group, names) {
      const me = owner
      if (me === null) return new Set()
      await take([`${group}/${me}`])
      const { rows } = await sql<{ name: string; owner: string }>`
        select name, owner from es.leases
        where (name like ${`${group}/%`} or name = any(${[...names]})) and until > now() and ${alive(sql.ref('owner'))}`.execute(
        db,
      )
      const workers = rows.filter(({ name }) => name.startsWith(`${group}/`)).length
      const fair = Math.ceil(names.length / Math.max(1, workers))
      const ownerOf = new Map(rows.map((row) => [row.name, row.owner]))
      const held = names.filter((name) => ownerOf.get(name) === me)
      const free = names.filter((name) => !ownerOf.has(name))
      const wanted = [...held, ...free].slice(0, fair)
      await giveBack(held.filter((name) => !wanted.includes(name)))
      return take(wanted)
    },
    holds: async (name) => (await take([name])).has(name),
    async close() {
      if (owner !== null) await sql`delete from es.leases where owner = ${owner}`.execute(db).catch(() => undefined)
      await session.close()
    },
  }
}

/** Whether the session that an owner names is still connected. */
const alive = (owner: ReturnType<typeof sql.ref>) =>
  sql`exists (select from pg_stat_activity a where a.pid || ':' || extract(epoch from a.backend_start) = ${owner})`
