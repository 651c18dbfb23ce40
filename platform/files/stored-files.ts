import { Readable } from 'node:stream'
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import { Away } from '#eventstore/away'
import { createBatchedReads } from '#eventstore/batched-reads'
import type { FileFacts } from '#domain/campaign/saving/references'
import type { BlobStore, ByteRange } from '#commands/files/media'
import { sha256 as hashOf } from '#commands/files/sha256'
import { PART_BYTES, rangeInParts, wholeInParts } from './file-parts.ts'
import { roomLeft, roomOf, takeRoom } from './space-quota.ts'
import { anyOf, NOW } from '#eventstore/postgres/expressions'
import type { AppFiles, Db } from '#migrations/db'
import { beginning } from '#domain/kit/text'

/** Held shared by uploads, exclusively by the removal of bytes. */
const BLOBS_LOCK = 4_902_611
const PURGED_AT_ONCE = 200

export type ArchiveEntry = { readonly sha256: string; readonly bytes: number; readonly content_type: string }
export type FileRecord = {
  readonly id: string
  readonly space_id: string
  /** A review approved content with this file: everybody may read it. */
  readonly reviewed: boolean
  readonly sha256: string
  readonly bytes: number
  readonly content_type: string
  readonly width: number | null
  readonly height: number | null
  readonly seconds: number | null
  /** Frames per second of a video; null for other files, and where it is not known. */
  readonly frame_rate: number | null
  readonly entries: Readonly<Record<string, ArchiveEntry>> | null
  /** Warnings, such as `clickLinks` and `av1`. */
  readonly warnings: readonly string[]
  readonly name: string
}

export type NewFile = {
  readonly bytes: Buffer
  readonly contentType: string
  readonly width: number | null
  readonly height: number | null
  readonly seconds: number | null
  readonly frameRate?: number | null
  /** Unpacked files of an HTML banner. */
  readonly entries?: readonly { readonly path: string; readonly bytes: Buffer; readonly contentType: string }[]
  readonly warnings?: readonly string[]
}
export type Owner = { readonly spaceId: string; readonly userId: string }

export type StoredFilesDeps = { readonly db: Kysely<Db>; readonly blobs: BlobStore; readonly newId: () => string }
export type StoredFiles = ReturnType<typeof createStoredFiles>

type Blob = { readonly sha256: string; readonly bytes: number }

/** With the first part read: until then, a failure is answered as one. */
async function started(parts: AsyncGenerator<Buffer>): Promise<Readable> {
  const first = await parts.next()
  async function* all() {
    if (first.done !== true) yield first.value
    yield* parts
  }
  return Readable.from(all(), { objectMode: false, highWaterMark: PART_BYTES })
}

/** Files of spaces: records in PostgreSQL, bytes in the blob store under the hash of their content. */
export function createStoredFiles({ db, blobs, newId }: StoredFilesDeps) {
  // Every answer about a campaign under work names files that no review approved.
  const isReviewed = createBatchedReads<string, boolean>({
    lanes: 2,
    most: 2000,
    load: async (ids) => {
      const files = db
        .selectFrom('app.files')
        .select('id')
        .where('id', '=', anyOf(new Set(ids)))
      const rows = await files.where('reviewed_at', 'is not', null).execute()
      const reviewed = new Set(rows.map(({ id }) => id))
      return ids.map((id) => reviewed.has(id))
    },
  })

  /** Removes these records, and bytes that no other record refers to. */
  async function forget(trx: Transaction<Db>, ids: readonly string[]): Promise<void> {
    await sql`
      insert into app.blob_garbage (sha256) select distinct sha256 from app.file_blobs where file_id = any(${[...ids]})
      on conflict do nothing`.execute(trx)
    await trx.deleteFrom('app.file_grants').where('file_id', '=', anyOf(ids)).execute()
    await trx.deleteFrom('app.files').where('id', '=', anyOf(ids)).execute()
  }

  /** Removes unreferenced bytes. After a crash they remain listed as garbage and are removed next time. */
  async function collectGarbage(): Promise<void> {
    await db.transaction().execute(async (trx) => {
      // An upload must not find bytes while they are being removed: it records them first, under the shared side of this lock.
      await sql`select pg_advisory_xact_lock(${BLOBS_LOCK})`.execute(trx)
      const { rows } = await sql<{ sha256: string; named: boolean }>`
        select sha256, exists (select 1 from app.file_blobs b where b.sha256 = g.sha256)
                    or exists (select 1 from app.files f where f.sha256 = g.sha256) as named
        from app.blob_garbage g limit ${PURGED_AT_ONCE}`.execute(trx)
      for (const { sha256, named } of rows) if (!named) await blobs.remove(sha256)
      await trx
        .deleteFrom('app.blob_garbage')
        .where('sha256', '=', anyOf(rows.map(({ sha256 }) => sha256)))
        .execute()
    })
  }

  return {
    /** Bytes that an account may still store. */
    roomLeft: (spaceId: string) => roomLeft(db, spaceId),

    /**
     * Stores a valid file. Refuses with 181 when the space has no room, before any byte is written; a refused or failed upload
     * leaves neither a record nor bytes.
     */
    async add(file: NewFile, name: string, { spaceId, userId }: Owner): Promise<FileRecord> {
      const hashed = []
      for (const entry of file.entries ?? []) hashed.push({ ...entry, sha256: await hashOf(entry.bytes) })
      const entries = file.entries === undefined ? null : hashed
      const sha256 = await hashOf(file.bytes)
      const contents = new Map([[sha256, file.bytes], ...(entries ?? []).map((entry) => [entry.sha256, entry.bytes] as const)])
      const record: FileRecord = {
        id: newId(),
        space_id: spaceId,
        reviewed: false,
        sha256,
        bytes: file.bytes.length,
        content_type: file.contentType,
        width: file.width,
        height: file.height,
        seconds: file.seconds,
        frame_rate: file.frameRate ?? null,
        entries:
          entries &&
          Object.fromEntries(
            entries.map(({ path, sha256: hash, bytes, contentType }) => [
              path,
              { sha256: hash, bytes: bytes.length, content_type: contentType },
            ]),
          ),
        warnings: file.warnings ?? [],
        name: beginning(name, 300),
      }
      const room = roomOf([...contents.values()])
      await db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock_shared(${BLOBS_LOCK})`.execute(trx)
        await takeRoom(trx, spaceId, room)
        const { reviewed: _, ...columns } = record
        await trx
          .insertInto('app.files')
          .values({
            ...columns,
            entries: record.entries === null ? null : JSON.stringify(record.entries),
            warnings: JSON.stringify(record.warnings),
            created_by: userId,
            disk_bytes: room.bytes,
            disk_files: room.files,
            stored: false,
          })
          .execute()
        await sql`
          insert into app.file_blobs (file_id, sha256) select ${record.id}, unnest(${[...contents.keys()]}::text[])`.execute(trx)
      })
      try {
        for (const [hash, bytes] of contents) await blobs.put(hash, bytes)
        await db.updateTable('app.files').set({ stored: true }).where('id', '=', record.id).execute()
      } catch (error) {
        await db.transaction().execute((trx) => forget(trx, [record.id]))
        // A store that is away would not answer: the bytes stay listed as garbage.
        if (!(error instanceof Away)) await collectGarbage().catch(() => undefined)
        throw error
      }
      return record
    },

    /** Removes files unused by any save for a day, and remains of aborted uploads (fine print 49). Returns their number. */
    async purge(): Promise<number> {
      const removed = await db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ id: string }>`
          select id from app.files
          where (claimed_at is null or not stored) and created_at < now() - interval '24 hours'
            and created_at >= (select since from app.file_purge)
          order by created_at limit ${PURGED_AT_ONCE} for update skip locked`.execute(trx)
        const ids = rows.map(({ id }) => id)
        if (ids.length > 0) await forget(trx, ids)
        return ids.length
      })
      await collectGarbage()
      return removed
    },

    /** Marks files as permanent before a save refers to them; false when one of them is missing. */
    async claim(ids: readonly string[]): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('app.files')
        .set((eb) => ({ claimed_at: eb.fn.coalesce('claimed_at', NOW) }))
        .where('id', '=', anyOf(ids))
        .where('stored', '=', true)
        .executeTakeFirst()
      return Number(numUpdatedRows) === new Set(ids).size
    },

    /** Opens files to everybody: a review approved content with them. */
    async review(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return
      await db
        .updateTable('app.files')
        .set({ reviewed_at: NOW })
        .where('id', '=', anyOf(ids))
        .where('reviewed_at', 'is', null)
        .execute()
    },

    /** Those of these files that everybody may read. */
    async reviewedOf(ids: readonly string[]): Promise<readonly string[]> {
      const reviewed = await Promise.all(ids.map(isReviewed))
      return ids.filter((_, index) => reviewed[index])
    },

    async find(id: string): Promise<FileRecord | null> {
      const found = await db
        .selectFrom('app.files')
        .select([
          'id',
          'space_id',
          'sha256',
          'bytes',
          'content_type',
          'width',
          'height',
          'seconds',
          'frame_rate',
          'entries',
          'warnings',
          'name',
        ])
        .select((eb) => eb('reviewed_at', 'is not', null).as('reviewed'))
        .where('id', '=', id)
        .where('stored', '=', true)
        .$castTo<FileRecord>()
        .executeTakeFirst()
      return found ?? null
    },

    /** Stores what others read from the file store under a name of the product; replaces what was there. */
    publish: (name: string, bytes: Buffer): Promise<void> => blobs.publish(name, bytes),

    /** The whole file, checked against its hash. */
    read: ({ sha256 }: { readonly sha256: string }): Promise<Buffer> => blobs.get(sha256),

    /** The whole file for a client, checked against its hash; a long one as the client takes it. */
    async send({ sha256, bytes }: Blob): Promise<Buffer | Readable> {
      return bytes <= PART_BYTES ? blobs.get(sha256) : started(wholeInParts(blobs, sha256, bytes))
    },

    /** Bytes from one offset to another, both included, unchecked; many of them as the client takes them. */
    async sendRange({ sha256 }: Blob, range: ByteRange): Promise<Buffer | Readable> {
      return range.to - range.from < PART_BYTES ? blobs.range(sha256, range) : started(rangeInParts(blobs, sha256, range))
    },

    /** Throws when the file is missing or has another length, without reading it. */
    async check({ sha256, bytes }: Blob): Promise<void> {
      const length = await blobs.length(sha256)
      if (length !== bytes) throw new Error(`file ${sha256} has ${length ?? 'no'} bytes instead of ${bytes}`)
    },

    /** The files that one of the spaces may use: its own, granted ones, and uploads of its white-label's staff. */
    async usable(ids: readonly string[], spaceIds: readonly string[]): Promise<ReadonlyMap<string, FileFacts>> {
      const { rows } = await sql<Pick<Selectable<AppFiles>, 'id' | 'bytes' | 'content_type' | 'width' | 'height' | 'seconds'>>`
        select id, bytes, content_type, width, height, seconds from app.files f where id = any(${[...ids]}) and stored and (space_id = any(${[...spaceIds]})
          or exists (select 1 from app.file_grants g where g.file_id = f.id and g.space_id = any(${[...spaceIds]}))
          or exists (select 1 from rm_accounts h join rm_accounts a on a.whitelabel_id = h.whitelabel_id
                     where h.house and h.space_id = f.space_id and a.space_id = any(${[...spaceIds]})))`.execute(db)
      return new Map(
        rows.map(({ id, bytes, content_type, width, height, seconds }) => [
          id,
          { contentType: content_type, size: bytes, width, height, seconds },
        ]),
      )
    },

    /** Lets a space use files of another: a replicate into another account keeps its pictures. */
    async grant(ids: readonly string[], spaceId: string): Promise<void> {
      if (ids.length === 0) return
      await sql`
        insert into app.file_grants (file_id, space_id) select id, ${spaceId} from app.files where id = any(${[...ids]})
        on conflict do nothing`.execute(db)
    },
  }
}
