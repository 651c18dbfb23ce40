import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Client } from 'pg'
import { openHealingClient } from '../../eventstore/postgres/healing-client.ts'

/**
 * Which process does what, so that work is shared out and not done twice. A lease saves work and proves nothing: what must not happen
 * twice is guarded where it is written. It ends at once with the session of its holder (a killed process), and after
 * `LEASE_MS` without renewal (a process that hangs).
 */
export type Leases = {
  /**
   * This process's share of the names within a group: what it holds, and what is free up to a fair part. Fair among those who ask for the
   * same names: together they may take all of them, whoever else asks for some, so none that anybody asks for stays free.
   */
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

  /** What it has said it works on, and what it held then. */
  let member: string | null = null
  let held: readonly string[] = []

  /** Whoever asks for nothing can take nothing, and counts for nobody. */
  async function join(group: string, names: readonly string[]): Promise<void> {
    const next = names.length === 0 ? null : `${setOf(group, names)}/${owner}`
    if (member !== null && member !== next) await giveBack([member])
    if (next !== null && member !== next) await clearAway(db)
    member = next
    if (next !== null) await take([next])
  }

  return {
    async share(group, names) {
      const me = owner
      if (me === null) return new Set()
      await join(group, names)
      const set = `${setOf(group, names)}/`
      const { rows } = await sql<{ name: string; owner: string }>`
        select name, owner from es.leases
        where (starts_with(name, ${set}) or name = any(${[...names]})) and until > now() and ${alive(sql.ref('owner'))}`.execute(
        db,
      )
      const workers = rows.filter(({ name }) => name.startsWith(set)).length
      const fair = Math.ceil(names.length / Math.max(1, workers))
      const ownerOf = new Map(rows.map((row) => [row.name, row.owner]))
      const mine = names.filter((name) => ownerOf.get(name) === me)
      const free = names.filter((name) => !ownerOf.has(name))
      const wanted = [...mine, ...free].slice(0, fair)
      // Also what it does not ask for any more: others need not wait until that runs out.
      await giveBack([...mine, ...held].filter((name) => !wanted.includes(name)))
      const taken = await take(wanted)
      held = [...taken]
      return taken
    },
    holds: async (name) => (await take([name])).has(name),
    async close() {
      if (owner !== null) await sql`delete from es.leases where owner = ${owner}`.execute(db).catch(() => undefined)
      await session.close()
    },
  }
}

/** Names everybody who asks for these. */
const setOf = (group: string, names: readonly string[]) =>
  `${group}/${createHash('sha256')
    .update(JSON.stringify([...names].sort()))
    .digest('hex')
    .slice(0, 16)}`

/**
 * What sessions that are gone have left. Others may do the same, or take one of them: nobody waits
 * ("what processes that are gone have left in the table of leases is cleared away").
 */
async function clearAway(db: Kysely<never>): Promise<void> {
  await sql`
    delete from es.leases where name in (
      select name from es.leases where until < now() - interval '1 minute' for update skip locked)`.execute(db)
}

/** Whether the session that an owner names is still connected. */
const alive = (owner: ReturnType<typeof sql.ref>) =>
  sql`exists (select from pg_stat_activity a where a.pid || ':' || extract(epoch from a.backend_start) = ${owner})`
