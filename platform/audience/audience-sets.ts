import { createHash } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { HASH_BYTES, type AudienceSet, type AudienceSets, type Bucketed } from '#commands/audience/audience-port'
import { SMALLEST_SERVED } from '#domain/audience/audience'
import { EVERY_BUCKET } from '#commands/audience/members'
import { isoText, NOW } from '#eventstore/postgres/expressions'
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

  async small(spaceId, ids) {
    // Not from a read model, which may be late: the newest version whose members are stored, of audiences that have files.
    const { rows } = await sql`
      select from unnest(${[...ids]}::text[]) as asked(id)
      left join lateral (
        select s.members from app.audience_sets s
        where s.audience_id = asked.id order by s.version desc limit 1
      ) newest on true
      where coalesce(newest.members, 0) < ${SMALLEST_SERVED}
        and exists (select from app.audience_uploads u where u.audience_id = asked.id and u.space_id = ${spaceId} and u.state <> 'receiving')
        and not exists (select from app.audience_uploads u where u.audience_id = asked.id and u.state in ('received', 'stored'))
      limit 1`.execute(db)
    return rows.length > 0
  },

  async buckets({ audienceId, version }, buckets) {
    const rows = await membersOf(db, { audienceId, version })
      .where('bucket', '=', sql<number>`any(${[...buckets]}::int[])`)
      .execute()
    return Buffer.concat(rows.map(({ members }) => members))
  },

  async *read({ audienceId, version }) {
    for (let from = 0; from < EVERY_BUCKET.length; from += AT_ONCE) {
      const rows = await membersOf(db, { audienceId, version })
        .where('bucket', '>=', from)
        .where('bucket', '<', from + AT_ONCE)
        .execute()
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
      const known = await tx
        .insertInto('app.audience_sets')
        .values({
          audience_id: audienceId,
          version,
          space_id: spaceId,
          whitelabel_id: whitelabelId,
          rules: JSON.stringify(rules),
          members: 0,
          etag: '',
          seen_until: seenUntil,
        })
        .onConflict((conflict) =>
          conflict.columns(['audience_id', 'version']).doUpdateSet({ computed_at: NOW, seen_until: seenUntil }),
        )
        .returning('etag')
        .executeTakeFirst()
      if (known?.etag === etag) return false
      await tx.deleteFrom('app.audience_members').where('audience_id', '=', audienceId).where('version', '=', version).execute()
      for (let from = 0; from < members.length; from += AT_ONCE)
        await insert(tx, { audienceId, version }, members.slice(from, from + AT_ONCE))
      await tx
        .updateTable('app.audience_sets')
        .set({ members: count, etag, changed_at: NOW })
        .where('audience_id', '=', audienceId)
        .where('version', '=', version)
        .execute()
      await noteSize(tx, { audienceId, version, members: count, at })
      return true
    }),

  async seenUntil() {
    const { rows } = await sql<{ readonly at: Date }>`
      select now() - make_interval(secs => ${LATE_SECONDS}) as at`.execute(db)
    return (rows[0]?.at ?? new Date(0)).toISOString()
  },

  async sizes(audienceId) {
    const rows = await db
      .selectFrom('app.audience_sizes as s')
      .select((eb) => [isoText(eb.ref('s.at')).as('at'), 's.version', 's.members'])
      .where('s.audience_id', '=', audienceId)
      .orderBy('s.at', 'desc')
      .limit(500)
      .execute()
    return rows.toReversed()
  },

  remove: (audienceId) =>
    db.transaction().execute(async (tx) => {
      const tables = ['app.audience_uploads', 'app.audience_sets', 'app.audience_sizes', 'app.audience_names'] as const
      for (const table of tables) await tx.deleteFrom(table).where('audience_id', '=', audienceId).execute()
    }),
})

const membersOf = (db: Kysely<Db>, { audienceId, version }: { readonly audienceId: string; readonly version: number }) =>
  db
    .selectFrom('app.audience_members')
    .select('members')
    .where('audience_id', '=', audienceId)
    .where('version', '=', version)
    .orderBy('bucket')

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
  await tx
    .insertInto('app.audience_sizes')
    .values({ audience_id: audienceId, at: sql`date_trunc('hour', ${at}::timestamptz)`, version, members })
    .onConflict((conflict) => conflict.columns(['audience_id', 'at']).doUpdateSet({ version, members }))
    .execute()
}
