import { sql, type Kysely, type Transaction } from 'kysely'
import { refused } from '#commands/refused'
import type { Db } from '#migrations/db'

/** The quota of one space, unpacked files, whitelists and members of audiences included (fine print 26, 49). */
const SPACE_BYTES = 2 * 1024 ** 3
const SPACE_FILES = 10_000
/** A file occupies whole blocks of the disk. */
const BLOCK = 4096

export type Room = { readonly files: number; readonly bytes: number }

/** Disk space of these contents. */
export const roomOf = (contents: readonly { readonly length: number }[]): Room => ({
  files: contents.length,
  bytes: contents.reduce((sum, { length }) => sum + Math.ceil(length / BLOCK) * BLOCK, 0),
})

/**
 * Refuses with 181 when the space has no room for this much more. Concurrent uploads of the space wait until the transaction
 * ends, so that two cannot both take the last room.
 */
export async function takeRoom(trx: Transaction<Db>, spaceId: string, { files, bytes }: Room): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`files of ${spaceId}`}, 0))`.execute(trx)
  const used = await usedRoom(trx, spaceId)
  if (used.files + files > SPACE_FILES || used.bytes + bytes > SPACE_BYTES)
    throw refused(181, [{ path: 'file', code: 181, message: 'The storage of this account is full' }])
}

/** Room that a space has used. Members of audiences are hashes of 16 bytes. */
async function usedRoom(db: Kysely<Db>, spaceId: string): Promise<Room> {
  const { rows } = await sql<Room>`
    select (f.files + w.files)::int as files, (f.bytes + w.bytes + a.bytes)::float8 as bytes
    from (select coalesce(sum(disk_files), 0) as files, coalesce(sum(disk_bytes), 0) as bytes
          from app.files where space_id = ${spaceId}) f,
         (select count(*) as files, coalesce(sum(octet_length(content)), 0) as bytes
          from app.whitelists where space_id = ${spaceId}) w,
         (select coalesce(sum(members::bigint * 16), 0) as bytes from app.audience_sets where space_id = ${spaceId}) a`.execute(
    db,
  )
  return rows[0] ?? { files: 0, bytes: 0 }
}

/** Bytes that a space may still store. */
export const roomLeft = async (db: Kysely<Db>, spaceId: string): Promise<number> =>
  Math.max(0, SPACE_BYTES - (await usedRoom(db, spaceId)).bytes)
