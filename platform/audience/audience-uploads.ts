import { createHash } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { HASH_BYTES, type AudienceUploads, type PendingUpload, type RejectedRow } from '#commands/audience/audience-port'
import { EVERY_BUCKET, sortedOnce } from '#commands/audience/members'
import type { Db } from '#migrations/db'
import { noteSize } from './audience-sets.ts'

/** Pause between two notes of the progress of a merge, milliseconds. */
const PROGRESS_EVERY_MS = 2000

const PENDING = sql`
  id, audience_id as "audienceId", version, space_id as "spaceId", whitelabel_id as "whitelabelId", context, name, rows, rejected,
  reasons, state = 'stored' as stored, to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "receivedAt"`

/** Files on their way to a version, in PostgreSQL. */
export const createAudienceUploads = (db: Kysely<Db>): AudienceUploads => ({
  begin: async (id, { audienceId, spaceId, whitelabelId }, at) => {
    await sql`
      insert into app.audience_uploads (id, audience_id, space_id, whitelabel_id, state, received_at)
      values (${id}, ${audienceId}, ${spaceId}, ${whitelabelId}, 'receiving', ${at})`.execute(db)
  },

  add: (id, part, { members, rejected }, { rows, rejected: refused, reasons }) =>
    db.transaction().execute(async (tx) => {
      await sql`
        insert into app.audience_parts (upload_id, part, bucket, members)
        select ${id}, ${part}, bucket, members
        from unnest(${members.map(({ bucket }) => bucket)}::int[], ${members.map((one) => one.members)}::bytea[]) as t(bucket, members)`.execute(
        tx,
      )
      if (rejected.length > 0)
        await sql`
          insert into app.audience_rejected_rows (upload_id, part, rows) values (${id}, ${part}, ${JSON.stringify(rejected)}::json)`.execute(
          tx,
        )
      await sql`
        update app.audience_uploads
        set rows = ${rows}, rejected = ${refused}, reasons = ${JSON.stringify(reasons)}::json, alive_at = now()
        where id = ${id} and state = 'receiving'`.execute(tx)
    }),

  async received(id, { audienceId, spaceId, whitelabelId, name, context, rows, rejected, reasons }) {
    const { numAffectedRows } = await sql`
      update app.audience_uploads
      set state = 'received', audience_id = ${audienceId}, space_id = ${spaceId}, whitelabel_id = ${whitelabelId}, name = ${name}, context = ${JSON.stringify(context)}::json, rows = ${rows},
          rejected = ${rejected}, reasons = ${JSON.stringify(reasons)}::json, alive_at = now()
      where id = ${id} and state = 'receiving'`.execute(db)
    // A process that stood still for long may find that its upload was removed as abandoned.
    if (numAffectedRows !== 1n) throw new Error(`upload ${id} was abandoned and removed`)
  },

  discard: async (id) => {
    await sql`delete from app.audience_uploads where id = ${id} and state = 'receiving'`.execute(db)
  },

  numbered: async (id, version) => {
    await sql`update app.audience_uploads set version = ${version}, alive_at = now() where id = ${id}`.execute(db)
  },

  async merge(upload, room, signal) {
    const progress = noteProgress(db, upload)
    try {
      return await db.transaction().execute((tx) => merged(tx, { upload, room, signal, onBucket: progress.reached }))
    } finally {
      await progress.stop()
    }
  },

  recorded: async (id) => {
    await sql`update app.audience_uploads set state = 'recorded', alive_at = now() where id = ${id} and state = 'stored'`.execute(
      db,
    )
  },

  failed: async (id) => {
    // An earlier try may have found room for them.
    await sql`
      delete from app.audience_sets s using app.audience_uploads u
      where u.id = ${id} and s.audience_id = u.audience_id and s.version = u.version`.execute(db)
    await sql`update app.audience_uploads set state = 'failed', alive_at = now() where id = ${id}`.execute(db)
    await sql`delete from app.audience_parts where upload_id = ${id}`.execute(db)
  },

  async removeAbandoned(seconds) {
    const { numAffectedRows } = await sql`
      delete from app.audience_uploads
      where state = 'receiving' and alive_at < now() - make_interval(secs => ${seconds})`.execute(db)
    return Number(numAffectedRows ?? 0n)
  },

  async pending(seconds, limit) {
    const { rows } = await sql<PendingUpload>`
      select ${PENDING} from app.audience_uploads
      where state in ('received', 'stored') and alive_at < now() - make_interval(secs => ${seconds}) order by received_at limit ${limit}`.execute(
      db,
    )
    return rows
  },

  async find(id) {
    const { rows } = await sql<PendingUpload>`
      select ${PENDING} from app.audience_uploads where id = ${id} and state in ('received', 'stored')`.execute(db)
    return rows[0] ?? null
  },

  async progress(audienceId) {
    const { rows } = await sql<{ readonly rows: number; readonly done: number }>`
      select rows, merged as done from app.audience_uploads
      where audience_id = ${audienceId} and state in ('received', 'receiving') order by received_at desc limit 1`.execute(db)
    return rows[0] ?? null
  },

  async *rejectedRows(audienceId, version) {
    for (let after = -1; ;) {
      const { rows } = await sql<{ readonly part: number; readonly rows: readonly RejectedRow[] }>`
        select r.part, r.rows from app.audience_rejected_rows r join app.audience_uploads u on u.id = r.upload_id
        where u.audience_id = ${audienceId} and u.version = ${version} and r.part > ${after} order by r.part limit 4`.execute(db)
      if (rows.length === 0) return
      for (const page of rows) yield page.rows
      after = rows.at(-1)?.part ?? after
    }
  },
})

type Numbered = PendingUpload & { readonly version: number }

type Merge = {
  readonly upload: Numbered
  readonly room: number
  readonly signal: AbortSignal | undefined
  readonly onBucket: (bucket: number) => void
}

async function merged(tx: Transaction<Db>, { upload, room, signal, onBucket }: Merge) {
  const { id, audienceId, version, spaceId, whitelabelId, rows, rejected, reasons } = upload
  // One process merges: another one waits here and then finds the members stored ("is merged once by two processes").
  await sql`select pg_advisory_xact_lock(hashtextextended(${`merge of ${id}`}, 0))`.execute(tx)
  const held = await sql<{ readonly state: string }>`select state from app.audience_uploads where id = ${id}`.execute(tx)
  const known = await sql<{ readonly members: number }>`
    select members from app.audience_sets where audience_id = ${audienceId} and version = ${version}`.execute(tx)
  const before = known.rows[0]?.members
  const counted = (accepted: number) => ({ rows, accepted, rejected, duplicates: rows - rejected - accepted, reasons })
  if (before !== undefined) return counted(before)
  if (held.rows[0]?.state !== 'received') throw new Error(`upload ${id} has no rows to merge`)

  await sql`
    insert into app.audience_sets (audience_id, version, space_id, whitelabel_id, members, etag)
    values (${audienceId}, ${version}, ${spaceId}, ${whitelabelId}, 0, '')`.execute(tx)
  const hash = createHash('sha256')
  let members = 0
  for (const bucket of EVERY_BUCKET) {
    signal?.throwIfAborted()
    onBucket(bucket)
    const parts = await sql<{ readonly members: Buffer }>`
      select members from app.audience_parts where upload_id = ${id} and bucket = ${bucket} order by part`.execute(tx)
    if (parts.rows.length === 0) continue
    const sorted = sortedOnce(Buffer.concat(parts.rows.map((part) => part.members)))
    members += sorted.length / HASH_BYTES
    if (members * HASH_BYTES > room) return undone(tx, upload)
    hash.update(sorted)
    await sql`
      insert into app.audience_members (audience_id, version, bucket, members)
      values (${audienceId}, ${version}, ${bucket}, ${sorted})`.execute(tx)
  }
  await sql`
    update app.audience_sets set members = ${members}, etag = ${hash.digest('base64url').slice(0, 22)}
    where audience_id = ${audienceId} and version = ${version}`.execute(tx)
  await noteSize(tx, { audienceId, version, members, at: upload.receivedAt })
  await sql`update app.audience_uploads set state = 'stored', merged = rows, alive_at = now() where id = ${id}`.execute(tx)
  await sql`delete from app.audience_parts where upload_id = ${id}`.execute(tx)
  return counted(members)
}

async function undone(tx: Transaction<Db>, { audienceId, version }: Numbered): Promise<null> {
  await sql`delete from app.audience_sets where audience_id = ${audienceId} and version = ${version}`.execute(tx)
  return null
}

/**
 * Writes from time to time how far a merge is: its own transaction shows nothing before its end. The merge does not wait for this
 * write, which needs another connection.
 */
function noteProgress(db: Kysely<Db>, { id, rows }: Numbered) {
  let done = 0
  let writing = Promise.resolve()
  const write = async () => {
    await sql`
      update app.audience_uploads set merged = ${done}, alive_at = now() where id = ${id} and state = 'received'`.execute(db)
  }
  const timer = setInterval(() => {
    writing = write().catch(() => undefined)
  }, PROGRESS_EVERY_MS)
  return {
    reached: (bucket: number): void => {
      done = Math.round((bucket / EVERY_BUCKET.length) * rows)
    },
    stop: async (): Promise<void> => {
      clearInterval(timer)
      await writing
    },
  }
}
