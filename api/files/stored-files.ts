import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { FileFacts } from '../../domain/campaign/references.ts'
import { refused } from '../refused.ts'
import type { BlobStore } from './media.ts'

const SPACE_BYTES = 2 * 1024 ** 3
const SPACE_FILES = 10_000

export type ArchiveEntry = { readonly sha256: string; readonly bytes: number; readonly content_type: string }
export type FileRecord = {
  readonly id: string
  readonly sha256: string
  readonly bytes: number
  readonly content_type: string
  readonly width: number | null
  readonly height: number | null
  readonly seconds: number | null
  readonly entries: Readonly<Record<string, ArchiveEntry>> | null
  /** What is allowed but should be known, such as `clickLinks`. */
  readonly warnings: readonly string[]
  readonly name: string
}

export type NewFile = {
  readonly bytes: Buffer
  readonly contentType: string
  readonly width: number | null
  readonly height: number | null
  readonly seconds: number | null
  /** Unpacked files of an HTML banner. */
  readonly entries?: readonly { readonly path: string; readonly bytes: Buffer; readonly contentType: string }[]
  readonly warnings?: readonly string[]
}
export type Owner = { readonly spaceId: string; readonly userId: string }

export type StoredFilesDeps = { readonly db: Kysely<never>; readonly blobs: BlobStore; readonly newId: () => string }
export type StoredFiles = ReturnType<typeof createStoredFiles>

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Files of spaces: records in PostgreSQL, bytes in the blob store under the hash of their content. */
export function createStoredFiles({ db, blobs, newId }: StoredFilesDeps) {
  return {
    /** Stores a file that was found good; refuses with 181 when the space is full, and then nothing of it can be found. */
    async add(file: NewFile, name: string, { spaceId, userId }: Owner): Promise<FileRecord> {
      const entries = file.entries?.map((entry) => ({ ...entry, sha256: hashOf(entry.bytes) })) ?? null
      const size = file.bytes.length + (entries ?? []).reduce((sum, entry) => sum + entry.bytes.length, 0)
      const sha256 = hashOf(file.bytes)
      await blobs.put(sha256, file.bytes)
      for (const entry of entries ?? []) await blobs.put(entry.sha256, entry.bytes)
      const record: FileRecord = {
        id: newId(),
        sha256,
        bytes: file.bytes.length,
        content_type: file.contentType,
        width: file.width,
        height: file.height,
        seconds: file.seconds,
        entries:
          entries &&
          Object.fromEntries(
            entries.map(({ path, sha256: hash, bytes, contentType }) => [
              path,
              { sha256: hash, bytes: bytes.length, content_type: contentType },
            ]),
          ),
        warnings: file.warnings ?? [],
        name: name.slice(0, 300),
      }
      await db.transaction().execute(async (trx) => {
        // Uploads at once would each find room for themselves.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`files of ${spaceId}`}, 0))`.execute(trx)
        const { rows } = await sql<{ n: number; bytes: number }>`
          select count(*)::int as n, coalesce(sum(bytes), 0)::float8 as bytes from app.files where space_id = ${spaceId}`.execute(
          trx,
        )
        const used = rows[0] ?? { n: 0, bytes: 0 }
        if (used.n >= SPACE_FILES || used.bytes + size > SPACE_BYTES)
          throw refused(181, [{ path: 'file', code: 181, message: 'The storage of this account is full' }])
        await sql`
          insert into app.files (id, space_id, sha256, bytes, content_type, width, height, seconds, entries, warnings, name, created_by)
          values (${record.id}, ${spaceId}, ${sha256}, ${record.bytes}, ${record.content_type}, ${record.width}, ${record.height},
                  ${record.seconds}, ${record.entries === null ? null : JSON.stringify(record.entries)}::json,
                  ${JSON.stringify(record.warnings)}::json, ${record.name}, ${userId})`.execute(trx)
      })
      return record
    },

    async find(id: string): Promise<FileRecord | null> {
      const { rows } = await sql<FileRecord>`
        select id, sha256, bytes, content_type, width, height, seconds, entries, warnings, name from app.files where id = ${id}`.execute(
        db,
      )
      return rows[0] ?? null
    },

    read: ({ sha256 }: { readonly sha256: string }): Promise<Buffer> => blobs.get(sha256),

    /** Those of the files that one of the spaces may use: its own, one it was granted, or one its white-label's staff uploaded. */
    async usable(ids: readonly string[], spaceIds: readonly string[]): Promise<ReadonlyMap<string, FileFacts>> {
      const { rows } = await sql<FileRecord>`
        select id, bytes, content_type, width, height, seconds from app.files f where id = any(${[...ids]}) and (space_id = any(${[...spaceIds]})
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

    /** Lets a space use files of another: a replicate into another account takes its pictures along. */
    async grant(ids: readonly string[], spaceId: string): Promise<void> {
      if (ids.length === 0) return
      await sql`
        insert into app.file_grants (file_id, space_id) select id, ${spaceId} from app.files where id = any(${[...ids]})
        on conflict do nothing`.execute(db)
    },
  }
}
