import { createHash } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { HASH_BYTES, type AudienceSet, type AudienceSets, type Bucketed } from '#commands/audience/audience-port'
import { EVERY_BUCKET } from '#commands/audience/members'
import type { Db } from '#migrations/db'

/** Buckets that one statement reads or writes. */
const AT_ONCE = 16
/** A transaction that stores events may commit this much after its time. */
const LATE_SECONDS = 10

/** Members of versions, in PostgreSQL. */
export const createAudienceSets = (db: Kysely<Db>): AudienceSets => ({
  async find(keys) {
    if (keys.length === 0) return []
    const { rows } = await sql<AudienceSet>`
      select s.audience_id, s.version, s.space_id, s.whitelabel_id, s.members, s.etag
      from app.audience_sets s
      join unnest(${keys.map(({ audienceId }) => audienceId)}::text[], ${keys.map(({ version }) => version)}::int[]) as k(id, version)
        on k.id = s.audience_id and k.version = s.version`.execute(db)
    return rows
  },

  async buckets({ audienceId, version }, buckets) {
    const { rows } = await sql<{ readonly members: Buffer }>`
      select members from app.audience_members
      where audience_id = ${audienceId} and version = ${version} and bucket = any(${[...buckets]}::int[]) order by bucket`.execute(
      db,
    )
    return Buffer.concat(rows.map(({ members }) => members))
  },

  async *read({ audienceId, version }) {
    for (let from = 0; from < EVERY_BUCKET.length; from += AT_ONCE) {
      const { rows } = await sql<{ readonly members: Buffer }>`
        select members from app.audience_members
        where audience_id = ${audienceId} and version = ${version} and bucket >= ${from} and bucket < ${from + AT_ONCE}
        order by bucket`.execute(db)
      if (rows.length > 0) yield Buffer.concat(rows.map(({ members }) => members))
    }
  },

  replace: ({ audienceId, version, spaceId, whitelabelId, rules }, members, { now: at, seenUntil }) =>
    db.transaction().execute(async (tx) => {
      const hash = createHash('sha256')
      for (const part of members) hash.update(part.members)
      const etag = hash.digest('base64url').slice(0, 22)
      const count = members.reduce((sum, part) => sum + part.members.length / HASH_BYTES, 0)
      // Two processes that compute the same set take turns: the row is inserted or locked here.
      const { rows } = await sql<{ readonly etag: string }>`
        insert into app.audience_sets (audience_id, version, space_id, whitelabel_id, rules, members, etag, seen_until)
        values (${audienceId}, ${version}, ${spaceId}, ${whitelabelId}, ${JSON.stringify(rules)}::json, 0, '', ${seenUntil})
        on conflict (audience_id, version) do update set computed_at = now(), seen_until = excluded.seen_until returning etag`.execute(
        tx,
      )
      if (rows[0]?.etag === etag) return false
      await sql`delete from app.audience_members where audience_id = ${audienceId} and version = ${version}`.execute(tx)
      for (let from = 0; from < members.length; from += AT_ONCE)
        await insert(tx, { audienceId, version }, members.slice(from, from + AT_ONCE))
      await sql`
        update app.audience_sets set members = ${count}, etag = ${etag}, changed_at = now()
        where audience_id = ${audienceId} and version = ${version}`.execute(tx)
      await noteSize(tx, { audienceId, version, members: count, at })
      return true
    }),

  async seenUntil() {
    const { rows } = await sql<{ readonly at: Date }>`
      select now() - make_interval(secs => ${LATE_SECONDS}) as at`.execute(db)
    return (rows[0]?.at ?? new Date(0)).toISOString()
  },

  async sizes(audienceId) {
    const { rows } = await sql<{ readonly at: string; readonly version: number; readonly members: number }>`
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, version, members
      from app.audience_sizes where audience_id = ${audienceId} order by at desc limit 500`.execute(db)
    return rows.toReversed()
  },

  remove: (audienceId) =>
    db.transaction().execute(async (tx) => {
      for (const table of ['audience_uploads', 'audience_sets', 'audience_sizes', 'audience_names'])
        await sql`delete from app.${sql.raw(table)} where audience_id = ${audienceId}`.execute(tx)
    }),
})

async function insert(
  tx: Transaction<Db>,
  { audienceId, version }: { readonly audienceId: string; readonly version: number },
  members: readonly Bucketed[],
): Promise<void> {
  await sql`
    insert into app.audience_members (audience_id, version, bucket, members)
    select ${audienceId}, ${version}, bucket, members
    from unnest(${members.map(({ bucket }) => bucket)}::int[], ${members.map((one) => one.members)}::bytea[]) as t(bucket, members)`.execute(
    tx,
  )
}

type Sized = { readonly audienceId: string; readonly version: number; readonly members: number; readonly at: string }

/** One size for each hour: the last of it. */
export async function noteSize(tx: Transaction<Db>, { audienceId, version, members, at }: Sized): Promise<void> {
  await sql`
    insert into app.audience_sizes (audience_id, at, version, members)
    values (${audienceId}, date_trunc('hour', ${at}::timestamptz), ${version}, ${members})
    on conflict (audience_id, at) do update set version = excluded.version, members = excluded.members`.execute(tx)
}
