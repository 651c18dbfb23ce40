import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** What an exchange or bidder may act as. */
export type ServiceCredential = {
  readonly id: string
  readonly whitelabelId: string
  readonly kind: 'exchange' | 'bidder'
  /** The exchange that it can decide for; null for a bidder. */
  readonly exchange: string | null
}

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

/** Prefix of every secret: distinguishes it from an access token, and helps to find leaked secrets. */
export const SECRET_PREFIX = 'placard_svc_'

/** A suspended white-label keeps its credentials, and they work again once it is restored. */
const NOT_SUSPENDED = sql.raw(`not exists (
  select 1 from identity.suspended_whitelabels s where s.whitelabel_id = service_credentials.whitelabel_id)`)

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
const instant = (column: string) => sql.raw(`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`)

/** Credentials of exchanges and bidders. A secret has 256 random bits, so a plain hash protects it. */
export function createServiceCredentials(db: Kysely<Db>, now: () => string, newId: () => string) {
  return {
    /** Creates a credential; the secret is returned here only. */
    async create(wanted: NewCredential): Promise<{ readonly id: string; readonly secret: string; readonly created_at: string }> {
      const id = newId()
      const created_at = now()
      const secret = SECRET_PREFIX + randomBytes(32).toString('base64url')
      await sql`
        insert into identity.service_credentials
          (id, whitelabel_id, name, kind, exchange, secret_hash, created_by, created_at, expires_at)
        values (${id}, ${wanted.whitelabelId}, ${wanted.name}, ${wanted.kind}, ${wanted.exchange}, ${hashOf(secret)},
                ${wanted.created_by}, ${created_at}, ${wanted.expires_at})`.execute(db)
      return { id, secret, created_at }
    },

    /** Credentials of a white-label, or of all for null; newest first, at most a thousand. */
    async list(whitelabelId: string | null): Promise<readonly CredentialRow[]> {
      const { rows } = await sql<CredentialRow>`
        select id, name, kind, exchange, created_by, ${instant('created_at')}, ${instant('expires_at')}, ${instant('revoked_at')}
        from identity.service_credentials where ${whitelabelId}::text is null or whitelabel_id = ${whitelabelId}
        order by service_credentials.created_at desc, id limit 1000`.execute(db)
      return rows
    },

    /** Revokes a credential permanently; false when the white-label (or any, for null) has none with this id. */
    async revoke(id: string, whitelabelId: string | null): Promise<boolean> {
      const { rows } = await sql`
        update identity.service_credentials set revoked_at = coalesce(revoked_at, ${now()}::timestamptz)
        where id = ${id} and (${whitelabelId}::text is null or whitelabel_id = ${whitelabelId}) returning 1`.execute(db)
      return rows.length > 0
    },

    /** The credential of a secret; null when it is unknown, expired or revoked, or its white-label is suspended. */
    async find(secret: string): Promise<ServiceCredential | null> {
      const { rows } = await sql<ServiceCredential>`
        select id, whitelabel_id as "whitelabelId", kind, exchange from identity.service_credentials
        where secret_hash = ${hashOf(secret)} and revoked_at is null and expires_at > ${now()}::timestamptz and ${NOT_SUSPENDED}`.execute(
        db,
      )
      return rows[0] ?? null
    },

    /** Of these credentials, those that are neither expired nor revoked. */
    async living(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const { rows } = await sql<{ readonly id: string }>`
        select id from identity.service_credentials
        where id = any(${[...ids]}) and revoked_at is null and expires_at > ${now()}::timestamptz and ${NOT_SUSPENDED}`.execute(
        db,
      )
      return new Set(rows.map(({ id }) => id))
    },
  }
}
export type ServiceCredentials = ReturnType<typeof createServiceCredentials>
