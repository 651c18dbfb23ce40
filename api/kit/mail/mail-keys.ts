import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import type { KeyPurpose } from './template.ts'

/** Hours that a key works (decisions G-178; a reset's by fine print 73). */
const HOURS: Readonly<Record<KeyPurpose, number>> = { confirmation: 72, reset: 1 }
const HOUR_MS = 3_600_000
/** Expired keys are kept for this long, so that an old link is called expired, not invalid. */
const KEPT_DAYS = 90

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/** State of a key that came with a link. */
export type FoundKey = { readonly personId: string; readonly state: 'good' | 'expired' | 'used' }

/**
 * Keys in the links of mails: 256 random bits, stored as a hash. A key works once; using one ends all keys of its person with the
 * same purpose. A change of credentials ends those for a new password (migration 0280).
 */
export function createMailKeys(db: Kysely<Db>, now: () => string) {
  return {
    /** A new key. One for a new password ends those before it; two mails of a confirmation may be on their way. */
    async create(personId: string, purpose: KeyPurpose, on: Kysely<Db> = db): Promise<string> {
      const key = randomBytes(32).toString('base64url')
      const at = now()
      const expires = new Date(Date.parse(at) + HOURS[purpose] * HOUR_MS).toISOString()
      if (purpose === 'reset')
        await sql`
          update identity.mail_keys set used_at = ${at}
          where person_id = ${personId} and purpose = 'reset' and used_at is null`.execute(on)
      await sql`
        insert into identity.mail_keys (key_hash, person_id, purpose, created_at, expires_at)
        values (${hashOf(key)}, ${personId}, ${purpose}, ${at}, ${expires})`.execute(on)
      return key
    },

    /** Whether the person's keys ended after this mail was asked for: its link must not work. */
    async endedSince(personId: string, mailId: string): Promise<boolean> {
      const { rows } = await sql`
        select 1 from app.mails m join identity.key_ends e on e.person_id = ${personId} and e.ended_at >= m.created_at
        where m.id = ${mailId}`.execute(db)
      return rows.length > 0
    },

    /** Null for a key that was never made. */
    async find(key: string, purpose: KeyPurpose): Promise<FoundKey | null> {
      const { rows } = await sql<FoundKey>`
        select person_id as "personId",
          case when used_at is not null then 'used' when expires_at <= ${now()} then 'expired' else 'good' end as state
        from identity.mail_keys where key_hash = ${hashOf(key)} and purpose = ${purpose}`.execute(db)
      return rows[0] ?? null
    },

    /** Uses a key up, in the caller's transaction; false when it does not work, or no longer. */
    async use(key: string, purpose: KeyPurpose, tx: Kysely<Db>): Promise<boolean> {
      // The update locks the row: of two that use it at once, the second finds it used ("lets one of two that reset at once win").
      const { rows } = await sql<{ person_id: string }>`
        update identity.mail_keys set used_at = ${now()}
        where key_hash = ${hashOf(key)} and purpose = ${purpose} and used_at is null and expires_at > ${now()}
        returning person_id`.execute(tx)
      const [used] = rows
      if (used === undefined) return false
      await sql`
        update identity.mail_keys set used_at = ${now()}
        where person_id = ${used.person_id} and purpose = ${purpose} and used_at is null`.execute(tx)
      return true
    },

    /** Removes keys that expired long ago. */
    async purge(): Promise<void> {
      await sql`
        delete from identity.mail_keys where expires_at < ${now()}::timestamptz - make_interval(days => ${KEPT_DAYS})`.execute(db)
    },
  }
}
export type MailKeys = ReturnType<typeof createMailKeys>
