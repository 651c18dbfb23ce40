import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { KeyPurpose } from '#commands/mail/template'
import { timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

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
  const endAll = (on: Kysely<Db>, personId: string, purpose: KeyPurpose, at: string) =>
    on
      .updateTable('identity.mail_keys')
      .set({ used_at: at })
      .where('person_id', '=', personId)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .execute()

  return {
    /** A new key. One for a new password ends those before it; two mails of a confirmation may be on their way. */
    async create(personId: string, purpose: KeyPurpose, on: Kysely<Db> = db): Promise<string> {
      const key = randomBytes(32).toString('base64url')
      const at = now()
      const expires = new Date(Date.parse(at) + HOURS[purpose] * HOUR_MS).toISOString()
      if (purpose === 'reset') await endAll(on, personId, purpose, at)
      await on
        .insertInto('identity.mail_keys')
        .values({ key_hash: hashOf(key), person_id: personId, purpose, created_at: at, expires_at: expires })
        .execute()
      return key
    },

    /** Whether the person's keys ended after this mail was asked for: its link must not work. */
    async endedSince(personId: string, mailId: string): Promise<boolean> {
      const ended = await db
        .selectFrom('app.mails as m')
        .innerJoin('identity.key_ends as e', (join) => join.onRef('e.ended_at', '>=', 'm.created_at'))
        .select('m.id')
        .where('e.person_id', '=', personId)
        .where('m.id', '=', mailId)
        .executeTakeFirst()
      return ended !== undefined
    },

    /** Null for a key that was never made. */
    async find(key: string, purpose: KeyPurpose): Promise<FoundKey | null> {
      const found = await db
        .selectFrom('identity.mail_keys')
        .select((eb) => [
          'person_id as personId',
          sql<FoundKey['state']>`case when ${eb.ref('used_at')} is not null then 'used'
            when ${eb.ref('expires_at')} <= ${timestamptz(now())} then 'expired' else 'good' end`.as('state'),
        ])
        .where('key_hash', '=', hashOf(key))
        .where('purpose', '=', purpose)
        .executeTakeFirst()
      return found ?? null
    },

    /** Uses a key up, in the caller's transaction; false when it does not work, or no longer. */
    async use(key: string, purpose: KeyPurpose, tx: Kysely<Db>): Promise<boolean> {
      // The update locks the row: of two that use it at once, the second finds it used ("lets one of two that reset at once win").
      const used = await tx
        .updateTable('identity.mail_keys')
        .set({ used_at: now() })
        .where('key_hash', '=', hashOf(key))
        .where('purpose', '=', purpose)
        .where('used_at', 'is', null)
        .where('expires_at', '>', timestamptz(now()))
        .returning('person_id')
        .executeTakeFirst()
      if (used === undefined) return false
      await endAll(tx, used.person_id, purpose, now())
      return true
    },

    /** Removes keys that expired long ago. */
    async purge(): Promise<void> {
      await db
        .deleteFrom('identity.mail_keys')
        .where('expires_at', '<', sql<Date>`${timestamptz(now())} - make_interval(days => ${KEPT_DAYS})`)
        .execute()
    },
  }
}
export type MailKeys = ReturnType<typeof createMailKeys>
