import { SECRET_PREFIX } from '#commands/identity/secrets'
import type { ServiceCredential } from '#commands/identity/identity'
import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { anyOf, isoText, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

export type CredentialRow = {
  readonly id: string
  readonly name: string
  readonly kind: 'exchange' | 'bidder'
  readonly exchange: string | null
  readonly created_by: string
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
}

type NewCredential = Omit<CredentialRow, 'id' | 'created_at' | 'revoked_at'> & { readonly whitelabelId: string }

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Credentials of exchanges and bidders. A secret has 256 random bits, so a plain hash protects it. */
export function createServiceCredentials(db: Kysely<Db>, now: () => string, newId: () => string) {
  /** A suspended white-label keeps its credentials, and they work again once it is restored. */
  const working = () =>
    db
      .selectFrom('identity.service_credentials as c')
      .where('c.revoked_at', 'is', null)
      .where('c.expires_at', '>', timestamptz(now()))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('identity.suspended_whitelabels as s')
              .select('s.whitelabel_id')
              .whereRef('s.whitelabel_id', '=', 'c.whitelabel_id'),
          ),
        ),
      )

  return {
    /** Creates a credential; the secret is returned here only. */
    async create(wanted: NewCredential): Promise<{ readonly id: string; readonly secret: string; readonly created_at: string }> {
      const id = newId()
      const created_at = now()
      const secret = SECRET_PREFIX + randomBytes(32).toString('base64url')
      const { whitelabelId, name, kind, exchange, created_by, expires_at } = wanted
      await db
        .insertInto('identity.service_credentials')
        .values({
          id,
          whitelabel_id: whitelabelId,
          name,
          kind,
          exchange,
          secret_hash: hashOf(secret),
          created_by,
          created_at,
          expires_at,
        })
        .execute()
      return { id, secret, created_at }
    },

    /** Credentials of a white-label, or of all for null; newest first, at most a thousand. */
    async list(whitelabelId: string | null): Promise<readonly CredentialRow[]> {
      return db
        .selectFrom('identity.service_credentials as c')
        .select((eb) => [
          'c.id',
          'c.name',
          'c.kind',
          'c.exchange',
          'c.created_by',
          isoText(eb.ref('c.created_at')).as('created_at'),
          isoText(eb.ref('c.expires_at')).as('expires_at'),
          isoText(eb.ref('c.revoked_at')).as('revoked_at'),
        ])
        .$if(whitelabelId !== null, (found) => found.where('c.whitelabel_id', '=', whitelabelId))
        .orderBy('c.created_at', 'desc')
        .orderBy('c.id')
        .limit(1000)
        .execute()
    },

    /** Revokes a credential permanently; false when the white-label (or any, for null) has none with this id. */
    async revoke(id: string, whitelabelId: string | null): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('identity.service_credentials')
        .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', timestamptz(now())) }))
        .where('id', '=', id)
        .$if(whitelabelId !== null, (found) => found.where('whitelabel_id', '=', whitelabelId))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** The credential of a secret; null when it is unknown, expired or revoked, or its white-label is suspended. */
    async find(secret: string): Promise<ServiceCredential | null> {
      const found = await working()
        .select(['c.id', 'c.whitelabel_id as whitelabelId', 'c.kind', 'c.exchange'])
        .where('c.secret_hash', '=', hashOf(secret))
        .executeTakeFirst()
      return found ?? null
    },

    /** Of these credentials, those that are neither expired nor revoked. */
    async living(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await working().select('c.id').where('c.id', '=', anyOf(ids)).execute()
      return new Set(rows.map(({ id }) => id))
    },
  }
}
export type ServiceCredentials = ReturnType<typeof createServiceCredentials>
