import { sql, type Kysely } from 'kysely'
import { MOST_PASSKEYS } from '#commands/identity/secrets'
import { refused } from '#commands/refused'
import { isoText } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** A passkey as its owner sees it. */
export type PasskeyRow = {
  readonly id: string
  readonly name: string
  /** The host that it signs in on. */
  readonly host: string
  /** Copied to other devices of its owner by the provider of the passkey. */
  readonly backed_up: boolean
  readonly created_at: string
  readonly used_at: string | null
}

/** The public part of a passkey, as a device reports it. */
export type Credential = {
  /** Base64url. */
  readonly credentialId: string
  /** A COSE key. */
  readonly publicKey: Uint8Array
  readonly signCount: number
  readonly backedUp: boolean
  readonly transports: readonly string[]
}
export type StoredPasskey = Pick<Credential, 'credentialId' | 'publicKey'> & { readonly id: string; readonly personId: string }

type Wanted = { readonly id: string; readonly personId: string; readonly rpId: string; readonly name: string }

/** Public keys of passkeys: who reads the table can sign in nowhere. */
export function createPasskeyStore(db: Kysely<Db>, now: () => string) {
  return {
    /** Passkeys of a person, the oldest first. */
    list: (personId: string): Promise<readonly PasskeyRow[]> =>
      db
        .selectFrom('identity.passkeys as k')
        .select((eb) => [
          'k.id',
          'k.name',
          'k.rp_id as host',
          'k.backed_up',
          isoText(eb.ref('k.created_at')).as('created_at'),
          isoText(eb.ref('k.used_at')).as('used_at'),
        ])
        .where('k.person_id', '=', personId)
        .orderBy('k.created_at')
        .orderBy('k.id')
        .execute(),

    /** Ids and transports of a person's passkeys on a host, as browsers take them. */
    descriptorsOf: (personId: string, rpId: string): Promise<readonly { readonly id: string; readonly transports: string[] }[]> =>
      db
        .selectFrom('identity.passkeys')
        .select(['credential_id as id', 'transports'])
        .where('person_id', '=', personId)
        .where('rp_id', '=', rpId)
        .orderBy('created_at')
        .execute(),

    /** The passkey with this credential id, of this host and white-label; null for an unknown one. */
    async find(credentialId: string, rpId: string, whitelabelId: string): Promise<StoredPasskey | null> {
      const found = await db
        .selectFrom('identity.passkeys as k')
        .innerJoin('identity.people as p', 'p.id', 'k.person_id')
        .select(['k.id', 'k.person_id as personId', 'k.credential_id as credentialId', 'k.public_key as publicKey'])
        .where('k.credential_id', '=', credentialId)
        .where('k.rp_id', '=', rpId)
        .where('p.whitelabel_id', '=', whitelabelId)
        .executeTakeFirst()
      return found ?? null
    },

    /**
     * Adds a passkey: 'full' when the person has too many, 'taken' for a credential that is stored. 401 after a change of credentials
     * since `version`.
     */
    async add(
      { id, personId, rpId, name }: Wanted,
      version: number,
      { credentialId, publicKey, signCount, backedUp, transports }: Credential,
      tx: Kysely<Db>,
    ): Promise<'added' | 'full' | 'taken'> {
      // Locked: two concurrent requests cannot both take the last place ("adds at most 20, however many come at once").
      const people = tx.selectFrom('identity.people').select('id').where('id', '=', personId)
      const owner = await people.where('token_version', '=', version).forUpdate().executeTakeFirst()
      if (owner === undefined) throw refused(401)
      const counted = tx.selectFrom('identity.passkeys').select(({ fn }) => fn.countAll<bigint>().as('count'))
      const { count } = await counted.where('person_id', '=', personId).executeTakeFirstOrThrow()
      if (Number(count) >= MOST_PASSKEYS) return 'full'
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('identity.passkeys')
        .values({
          id,
          person_id: personId,
          rp_id: rpId,
          credential_id: credentialId,
          public_key: Buffer.from(publicKey),
          sign_count: signCount,
          transports: [...transports],
          backed_up: backedUp,
          name,
          created_at: now(),
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n ? 'added' : 'taken'
    },

    /**
     * Records a use; false when the counter of signatures did not grow, as after a copy of the passkey, or the passkey is gone. A
     * device without a counter always reports zero.
     */
    async use(id: string, { signCount, backedUp }: Pick<Credential, 'signCount' | 'backedUp'>, tx: Kysely<Db>): Promise<boolean> {
      // Compared by the statement that stores it: of two devices with the same count, one signs in.
      const { numUpdatedRows } = await tx
        .updateTable('identity.passkeys')
        .set({ sign_count: signCount, backed_up: backedUp, used_at: now() })
        .where('id', '=', id)
        .where(sql<boolean>`(sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))`)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** False when the person has no passkey with this id; so for `remove`. */
    async rename(personId: string, id: string, name: string): Promise<boolean> {
      const passkeys = db.updateTable('identity.passkeys').set({ name }).where('id', '=', id)
      return (await passkeys.where('person_id', '=', personId).executeTakeFirst()).numUpdatedRows === 1n
    },

    async remove(personId: string, id: string): Promise<boolean> {
      const passkeys = db.deleteFrom('identity.passkeys').where('id', '=', id)
      return (await passkeys.where('person_id', '=', personId).executeTakeFirst()).numDeletedRows === 1n
    },
  }
}
