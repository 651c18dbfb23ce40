import { SECRET_PREFIX } from '#commands/identity/secrets'
import { refused } from '#commands/refused'
import type { ServiceCredential } from '#commands/identity/identity'
import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { endsOfRotation } from '#domain/kit/key-life'
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
  /** When a rotation replaced it; it works until `expires_at` all the same. */
  readonly replaced_at: string | null
}

/** Working ones of a white-label. */
export const MOST_CREDENTIALS = 100

type NewCredential = Omit<CredentialRow, 'id' | 'created_at' | 'revoked_at' | 'replaced_at'> & { readonly whitelabelId: string }
type MadeCredential = { readonly id: string; readonly secret: string; readonly created_at: string; readonly expires_at: string }

/** `replaced`: it was rotated before. `overlapping`: the one that it replaced still works. `unknown`: there is none that works. */
export type CredentialRotation =
  | { readonly kind: 'made'; readonly made: MadeCredential; readonly replaced_until: string }
  | { readonly kind: 'unknown' | 'replaced' | 'overlapping' }

/** `whitelabelId` is null for a credential of any; `mostOf` answers the longest life in its white-label, days. */
type Rotating = {
  readonly id: string
  readonly whitelabelId: string | null
  readonly by: string
  readonly mostOf: (whitelabelId: string) => number
}

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

  async function insert(on: Kysely<Db>, wanted: NewCredential): Promise<MadeCredential> {
    const id = newId()
    const created_at = now()
    const secret = SECRET_PREFIX + randomBytes(32).toString('base64url')
    const { whitelabelId: whitelabel_id, expires_at, ...given } = wanted
    await on
      .insertInto('identity.service_credentials')
      .values({ ...given, id, whitelabel_id, secret_hash: hashOf(secret), created_at, expires_at })
      .execute()
    return { id, secret, created_at, expires_at }
  }

  return {
    /** Creates a credential; the secret is returned here only. Throws 2 for a white-label that has as many working ones as it may. */
    create: (wanted: NewCredential): Promise<MadeCredential> =>
      db.transaction().execute(async (tx) => {
        // One count at a time for each white-label ("a white-label has at most 100 working credentials").
        await sql`select pg_advisory_xact_lock(hashtextextended(${`credentials ${wanted.whitelabelId}`}, 0))`.execute(tx)
        const { count } = await tx
          .selectFrom('identity.service_credentials')
          .select((eb) => eb.fn.countAll<string>().as('count'))
          .where('whitelabel_id', '=', wanted.whitelabelId)
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', timestamptz(now()))
          .executeTakeFirstOrThrow()
        if (Number(count) < MOST_CREDENTIALS) return insert(tx, wanted)
        const message = `A white-label has at most ${MOST_CREDENTIALS} credentials. Revoke one first.`
        throw refused(2, [{ path: 'name', code: 2, message, key: 'tooMany', params: { max: MOST_CREDENTIALS } }])
      }),

    /**
     * Makes a new credential for the same exchange or bidder; the old one works for at most another day (`endsOfRotation`). One is
     * replaced once, and not while the one that it replaced works.
     */
    rotate({ id, whitelabelId, by, mostOf }: Rotating): Promise<CredentialRotation> {
      return db.transaction().execute(async (tx): Promise<CredentialRotation> => {
        const time = now()
        const open = () =>
          tx
            .selectFrom('identity.service_credentials')
            .where('revoked_at', 'is', null)
            .where('expires_at', '>', timestamptz(time))
        const old = await open()
          .select((eb) => [
            'name',
            'kind',
            'exchange',
            'whitelabel_id',
            isoText(eb.ref('created_at')).as('created_at'),
            isoText(eb.ref('expires_at')).as('expires_at'),
            eb('replaced_at', 'is not', null).$castTo<boolean>().as('replaced'),
          ])
          .where('id', '=', id)
          .$if(whitelabelId !== null, (found) => found.where('whitelabel_id', '=', whitelabelId))
          // Locked: of concurrent rotations one makes a credential
          // ("credentials of exchanges and bidders are rotated once by thirty calls at a time").
          .forUpdate()
          .executeTakeFirst()
        if (old === undefined) return { kind: 'unknown' }
        if (old.replaced) return { kind: 'replaced' }
        if ((await open().select('id').where('replaced_by', '=', id).executeTakeFirst()) !== undefined)
          return { kind: 'overlapping' }
        const { name, kind, exchange } = old
        const ends = endsOfRotation(old, time, mostOf(old.whitelabel_id))
        const next = { whitelabelId: old.whitelabel_id, name, kind, exchange, created_by: by, expires_at: ends.next }
        const made = await insert(tx, next)
        await tx
          .updateTable('identity.service_credentials')
          .set({ replaced_by: made.id, replaced_at: time, expires_at: ends.old })
          .where('id', '=', id)
          .execute()
        return { kind: 'made', made, replaced_until: ends.old }
      })
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
          isoText(eb.ref('c.replaced_at')).as('replaced_at'),
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

    /** Those of these credentials that are neither expired nor revoked. */
    async living(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await working().select('c.id').where('c.id', '=', anyOf(ids)).execute()
      return new Set(rows.map(({ id }) => id))
    },
  }
}
export type ServiceCredentials = ReturnType<typeof createServiceCredentials>
