import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { refused } from '../refused.ts'

/** Whose a whitelist is. */
export type WhitelistOwner = { readonly kind: 'space' | 'campaign'; readonly id: string }
export type WhitelistEntry = { readonly name: string; readonly size: number; readonly created_at: string }

/** Files of a space, and of a campaign (decisions G-168). */
const MOST = 5
/** Smaller than this, bytes (campaign.md §5). */
export const WHITELIST_LIMIT = 10_485_760
const NAME_LIMIT = 300

const fault = (path: string, message: string) => refused(2, [{ path, code: 2, message }])

/** Whitelists as they were uploaded: one domain or bundle id per line, not checked beyond being text. */
export function createWhitelists(db: Kysely<never>) {
  return {
    /** Oldest first. */
    async list({ kind, id }: WhitelistOwner): Promise<readonly WhitelistEntry[]> {
      const { rows } = await sql<{ name: string; size: number; created_at: Date }>`
        select name, octet_length(content) as size, created_at from app.whitelists
        where owner_kind = ${kind} and owner_id = ${id} order by created_at, name`.execute(db)
      return rows.map(({ name, size, created_at }) => ({ name, size, created_at: created_at.toISOString() }))
    },

    /** Refuses with 2 a sixth one, a name that is taken or none, and bytes that are no text; whatever is refused is not stored. */
    async add({ kind, id }: WhitelistOwner, name: string, content: Buffer, userId: string): Promise<void> {
      if (name === '' || name.length > NAME_LIMIT) throw fault('name', 'Field is required.')
      if (content.length === 0) throw fault('file', 'Field is required.')
      if (!isText(content)) throw fault('file', 'A whitelist is UTF-8 text, one domain or bundle id per line')
      const sha256 = createHash('sha256').update(content).digest('hex')
      await db.transaction().execute(async (trx) => {
        // Two uploads at once count the same files otherwise.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`whitelists of ${kind} ${id}`}, 0))`.execute(trx)
        const { rows } = await sql<{ name: string }>`
          select name from app.whitelists where owner_kind = ${kind} and owner_id = ${id}`.execute(trx)
        if (rows.some((row) => row.name === name)) throw fault('name', 'A whitelist of this name is there already')
        if (rows.length >= MOST) throw fault('file', `At most ${MOST} entries are allowed`)
        await sql`
          insert into app.whitelists (owner_kind, owner_id, name, content, sha256, created_by)
          values (${kind}, ${id}, ${name}, ${content}, ${sha256}, ${userId})`.execute(trx)
      })
    },

    /** Null when there is none of this name. */
    async read({ kind, id }: WhitelistOwner, name: string): Promise<Buffer | null> {
      const { rows } = await sql<{ content: Buffer }>`
        select content from app.whitelists where owner_kind = ${kind} and owner_id = ${id} and name = ${name}`.execute(db)
      return rows[0]?.content ?? null
    },

    /** False when there was none of this name. */
    async remove({ kind, id }: WhitelistOwner, name: string): Promise<boolean> {
      const { numAffectedRows } = await sql`
        delete from app.whitelists where owner_kind = ${kind} and owner_id = ${id} and name = ${name}`.execute(db)
      return numAffectedRows === 1n
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
