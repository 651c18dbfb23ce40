import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { WHITELIST_COUNT } from '#domain/campaign/content/whitelist-rules'
import { isShownName } from '#domain/kit/validators'
import { refusedFile } from '#commands/files/file-fault'
import { roomOf, takeRoom } from '../files/space-quota.ts'
import type { Db } from '#migrations/db'

/** The owner of a whitelist. */
export type WhitelistOwner = { readonly kind: 'space' | 'campaign'; readonly id: string }
/** The same, with the space whose quota it uses. */
export type PlacedOwner = WhitelistOwner & { readonly spaceId: string }
export type WhitelistEntry = { readonly name: string; readonly size: number; readonly created_at: string }

const NAME_LIMIT = 300

const ofOwner = (db: Kysely<Db>, { kind, id }: WhitelistOwner) =>
  db.selectFrom('app.whitelists').where('owner_kind', '=', kind).where('owner_id', '=', id)

/** Whitelists as they were uploaded: one domain or bundle id per line, not checked beyond being text. */
export function createWhitelists(db: Kysely<Db>) {
  return {
    /** Oldest first. */
    async list({ kind, id }: WhitelistOwner): Promise<readonly WhitelistEntry[]> {
      const rows = await ofOwner(db, { kind, id })
        .select((eb) => ['name', sql<number>`octet_length(${eb.ref('content')})`.as('size'), 'created_at'])
        .orderBy('created_at')
        .orderBy('name')
        .execute()
      return rows.map(({ name, size, created_at }) => ({ name, size, created_at: created_at.toISOString() }))
    },

    /**
     * Refuses with 2 a sixth list, a duplicate or empty name, and bytes that are not text; with 181 a file beyond the space's
     * quota. A refused list is not stored.
     */
    async add({ kind, id, spaceId }: PlacedOwner, name: string, content: Buffer, userId: string): Promise<void> {
      if (name === '') throw refusedFile('name', 2, 'required')
      if (name.includes('\0') || !name.isWellFormed()) throw refusedFile('name', 2, 'fileName')
      if (!isShownName(name)) throw refusedFile('name', 2, 'shownName')
      if (name.length > NAME_LIMIT) throw refusedFile('name', 2, 'maxLength', { max: NAME_LIMIT })
      if (content.length === 0) throw refusedFile('file', 2, 'required')
      if (!isText(content)) throw refusedFile('file', 2, 'whitelistText')
      const sha256 = createHash('sha256').update(content).digest('hex')
      await db.transaction().execute(async (trx) => {
        // Otherwise two concurrent uploads would count the same files.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`whitelists of ${kind} ${id}`}, 0))`.execute(trx)
        const rows = await ofOwner(trx, { kind, id }).select('name').execute()
        if (rows.some((row) => row.name === name)) throw refusedFile('name', 2, 'whitelistTaken')
        if (rows.length >= WHITELIST_COUNT) throw refusedFile('file', 2, 'tooMany', { max: WHITELIST_COUNT })
        await takeRoom(trx, spaceId, roomOf([content]))
        await trx
          .insertInto('app.whitelists')
          .values({ owner_kind: kind, owner_id: id, name, content, sha256, created_by: userId, space_id: spaceId })
          .execute()
      })
    },

    /** Null when no list has this name. */
    async read({ kind, id }: WhitelistOwner, name: string): Promise<Buffer | null> {
      const list = await ofOwner(db, { kind, id }).select('content').where('name', '=', name).executeTakeFirst()
      return list?.content ?? null
    },

    /** False when no list has this name. */
    async remove({ kind, id }: WhitelistOwner, name: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('app.whitelists')
        .where('owner_kind', '=', kind)
        .where('owner_id', '=', id)
        .where('name', '=', name)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}
export type Whitelists = ReturnType<typeof createWhitelists>

function isText(content: Buffer): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(content).includes('\0')
  } catch {
    return false
  }
}
