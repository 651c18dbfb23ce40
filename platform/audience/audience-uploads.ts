import { createHash } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { HASH_BYTES, type AudienceUploads, type PendingUpload, type RejectedRow } from '#commands/audience/audience-port'
import { UPLOAD_JOB } from '#commands/audience/finish-upload'
import { EVERY_BUCKET, sortedOnce } from '#commands/audience/members'
import { isoText, NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { storeWithJob } from '../jobs/job-queue.ts'
import { noteSize } from './audience-sets.ts'

/** Pause between two notes of the progress of a merge, milliseconds. */
const PROGRESS_EVERY_MS = 2000

const pendingIn = (db: Kysely<Db>) =>
  db
    .selectFrom('app.audience_uploads')
    .select((eb) => [
      'id',
      'audience_id as audienceId',
      'version',
      'space_id as spaceId',
      'whitelabel_id as whitelabelId',
      'context',
      'name',
      'rows',
      'rejected',
      'reasons',
      eb('state', '=', 'stored').as('stored'),
      isoText(eb.ref('received_at')).as('receivedAt'),
    ])
    .where('state', 'in', ['received', 'stored'])
    .$castTo<PendingUpload>()

/** Files on their way to a version, in PostgreSQL. */
export const createAudienceUploads = (db: Kysely<Db>): AudienceUploads => ({
  begin: async (id, { audienceId, spaceId, whitelabelId }, at) => {
    await db
      .insertInto('app.audience_uploads')
      .values({
        id,
        audience_id: audienceId,
        space_id: spaceId,
        whitelabel_id: whitelabelId,
        state: 'receiving',
        received_at: at,
      })
      .execute()
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
        await tx
          .insertInto('app.audience_rejected_rows')
          .values({ upload_id: id, part, rows: JSON.stringify(rejected) })
          .execute()
      await tx
        .updateTable('app.audience_uploads')
        .set({ rows, rejected: refused, reasons: JSON.stringify(reasons), alive_at: NOW })
        .where('id', '=', id)
        .where('state', '=', 'receiving')
        .execute()
    }),

  async received(id, { audienceId, spaceId, whitelabelId, name, context, rows, rejected, reasons }) {
    const row = db
      .updateTable('app.audience_uploads')
      .set({
        state: 'received',
        audience_id: audienceId,
        space_id: spaceId,
        whitelabel_id: whitelabelId,
        name,
        context: JSON.stringify(context),
        rows,
        rejected,
        reasons: JSON.stringify(reasons),
      })
      .where('id', '=', id)
      .where('state', '=', 'receiving')
      .returning('id as key')
    // A process that stood still for long may find that its upload was removed as abandoned.
    if (!(await storeWithJob(db, row, { kind: UPLOAD_JOB, payload: {} })))
      throw new Error(`upload ${id} was abandoned and removed`)
  },

  discard: async (id) => {
    await db.deleteFrom('app.audience_uploads').where('id', '=', id).where('state', '=', 'receiving').execute()
  },

  numbered: async (id, version) => {
    await db.updateTable('app.audience_uploads').set({ version }).where('id', '=', id).execute()
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
    await db
      .updateTable('app.audience_uploads')
      .set({ state: 'recorded' })
      .where('id', '=', id)
      .where('state', '=', 'stored')
      .execute()
  },

  failed: async (id) => {
    // An earlier try may have found room for them.
    await db
      .deleteFrom('app.audience_sets as s')
      .using('app.audience_uploads as u')
      .where('u.id', '=', id)
      .whereRef('s.audience_id', '=', 'u.audience_id')
      .whereRef('s.version', '=', 'u.version')
      .execute()
    await db.updateTable('app.audience_uploads').set({ state: 'failed' }).where('id', '=', id).execute()
    await db.deleteFrom('app.audience_parts').where('upload_id', '=', id).execute()
  },

  async removeAbandoned(seconds) {
    const { numDeletedRows } = await db
      .deleteFrom('app.audience_uploads')
      .where('state', '=', 'receiving')
      .where('alive_at', '<', sql<Date>`now() - make_interval(secs => ${seconds})`)
      .executeTakeFirst()
    return Number(numDeletedRows)
  },

  async find(id) {
    return (await pendingIn(db).where('id', '=', id).executeTakeFirst()) ?? null
  },

  async progress(audienceId) {
    const newest = await db
      .selectFrom('app.audience_uploads')
      .select(['rows', 'merged as done'])
      .where('audience_id', '=', audienceId)
      .where('state', 'in', ['received', 'receiving'])
      .orderBy('received_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return newest ?? null
  },

  async removeRejectedRows(days, limit) {
    await sql`
      delete from app.audience_rejected_rows r using (
        select r.upload_id, r.part from app.audience_uploads u join app.audience_rejected_rows r on r.upload_id = u.id
        where u.received_at < now() - make_interval(days => ${days}) limit ${limit}
      ) as old
      where r.upload_id = old.upload_id and r.part = old.part`.execute(db)
  },

  async *rejectedRows(audienceId, version) {
    for (let after = -1; ;) {
      const rows = await db
        .selectFrom('app.audience_rejected_rows as r')
        .innerJoin('app.audience_uploads as u', 'u.id', 'r.upload_id')
        .select(['r.part', 'r.rows'])
        .where('u.audience_id', '=', audienceId)
        .where('u.version', '=', version)
        .where('r.part', '>', after)
        .orderBy('r.part')
        .limit(4)
        .$castTo<{ readonly part: number; readonly rows: readonly RejectedRow[] }>()
        .execute()
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
  const held = await tx.selectFrom('app.audience_uploads').select('state').where('id', '=', id).executeTakeFirst()
  const sets = tx.selectFrom('app.audience_sets').select('members').where('audience_id', '=', audienceId)
  const before = (await sets.where('version', '=', version).executeTakeFirst())?.members
  const counted = (accepted: number) => ({ rows, accepted, rejected, duplicates: rows - rejected - accepted, reasons })
  if (before !== undefined) return counted(before)
  if (held?.state !== 'received') throw new Error(`upload ${id} has no rows to merge`)

  await tx
    .insertInto('app.audience_sets')
    .values({ audience_id: audienceId, version, space_id: spaceId, whitelabel_id: whitelabelId, members: 0, etag: '' })
    .execute()
  const hash = createHash('sha256')
  let members = 0
  for (const bucket of EVERY_BUCKET) {
    signal?.throwIfAborted()
    onBucket(bucket)
    const parts = await tx
      .selectFrom('app.audience_parts')
      .select('members')
      .where('upload_id', '=', id)
      .where('bucket', '=', bucket)
      .orderBy('part')
      .execute()
    if (parts.length === 0) continue
    const sorted = sortedOnce(Buffer.concat(parts.map((part) => part.members)))
    members += sorted.length / HASH_BYTES
    if (members * HASH_BYTES > room) return undone(tx, upload)
    hash.update(sorted)
    await tx.insertInto('app.audience_members').values({ audience_id: audienceId, version, bucket, members: sorted }).execute()
  }
  await tx
    .updateTable('app.audience_sets')
    .set({ members, etag: hash.digest('base64url').slice(0, 22) })
    .where('audience_id', '=', audienceId)
    .where('version', '=', version)
    .execute()
  await noteSize(tx, { audienceId, version, members, at: upload.receivedAt })
  await tx
    .updateTable('app.audience_uploads')
    .set((eb) => ({ state: 'stored', merged: eb.ref('rows') }))
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('app.audience_parts').where('upload_id', '=', id).execute()
  return counted(members)
}

async function undone(tx: Transaction<Db>, { audienceId, version }: Numbered): Promise<null> {
  await tx.deleteFrom('app.audience_sets').where('audience_id', '=', audienceId).where('version', '=', version).execute()
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
    await db
      .updateTable('app.audience_uploads')
      .set({ merged: done })
      .where('id', '=', id)
      .where('state', '=', 'received')
      .execute()
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
