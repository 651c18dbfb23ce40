import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { DirectoryToken } from '#commands/identity/identity'
import { SCIM_PREFIX } from '#commands/identity/secrets'
import { hashToken } from '#commands/identity/tokens'
import { MOST_SCIM_TOKENS } from '#domain/scim/limits'
import { isoText, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

export type ScimTokenRow = {
  readonly id: string
  readonly created_by: string
  readonly created_at: string
  readonly last_used_at: string | null
}

/** Tokens of directories. A secret has 256 random bits, so a plain hash protects it. */
export function createScimTokens(db: Kysely<Db>, now: () => string, newId: () => string) {
  const tokens = () => db.selectFrom('identity.scim_tokens as t')

  /** A secret, which opens nothing before its hash is added. */
  function mint() {
    const secret = SCIM_PREFIX + randomBytes(32).toString('base64url')
    return { id: newId(), secret, hash: hashToken(secret) }
  }

  /** False when the white-label has as many as it may; true for a repeat. */
  const add = (
    whitelabelId: string,
    createdBy: string,
    { id, hash }: { readonly id: string; readonly hash: string },
  ): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      // Serialises additions to a white-label: the limit holds for concurrent ones too ("SCIM tokens are two at most, however many are made at once").
      await sql`select pg_advisory_xact_lock(hashtextextended(${`scim tokens ${whitelabelId}`}, 0))`.execute(tx)
      const counted = tx.selectFrom('identity.scim_tokens').select(({ fn }) => fn.countAll<bigint>().as('count'))
      const { count } = await counted.where('whitelabel_id', '=', whitelabelId).executeTakeFirstOrThrow()
      const known = await tx.selectFrom('identity.scim_tokens').select('id').where('id', '=', id).executeTakeFirst()
      if (known !== undefined) return true
      if (Number(count) >= MOST_SCIM_TOKENS) return false
      await tx
        .insertInto('identity.scim_tokens')
        .values({ id, whitelabel_id: whitelabelId, secret_hash: hash, created_by: createdBy, created_at: now() })
        .execute()
      return true
    })

  return {
    /** Creates a token, whose secret is returned here only; null when the white-label has as many as it may. */
    async create(whitelabelId: string, createdBy: string): Promise<{ readonly id: string; readonly secret: string } | null> {
      const { id, secret, hash } = mint()
      return (await add(whitelabelId, createdBy, { id, hash })) ? { id, secret } : null
    },

    mint,
    add,

    /** The oldest first. */
    list: (whitelabelId: string): Promise<readonly ScimTokenRow[]> =>
      tokens()
        .select((eb) => [
          't.id',
          't.created_by',
          isoText(eb.ref('t.created_at')).as('created_at'),
          isoText(eb.ref('t.last_used_at')).as('last_used_at'),
        ])
        .where('t.whitelabel_id', '=', whitelabelId)
        .orderBy('t.created_at')
        .orderBy('t.id')
        .execute(),

    /** Withdraws a token for good; false for an unknown one. */
    async withdraw(whitelabelId: string, id: string): Promise<boolean> {
      const removed = db.deleteFrom('identity.scim_tokens').where('whitelabel_id', '=', whitelabelId).where('id', '=', id)
      return (await removed.executeTakeFirst()).numDeletedRows === 1n
    },

    /** The token of a secret; null when it is unknown or withdrawn, or its white-label is suspended. Notes its use, to the minute. */
    async find(secret: string): Promise<DirectoryToken | null> {
      const found = await tokens()
        .select(['t.id', 't.whitelabel_id as whitelabelId'])
        .where('t.secret_hash', '=', hashToken(secret))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('identity.suspended_whitelabels as s')
                .select('s.whitelabel_id')
                .whereRef('s.whitelabel_id', '=', 't.whitelabel_id'),
            ),
          ),
        )
        .executeTakeFirst()
      if (found === undefined) return null
      await db
        .updateTable('identity.scim_tokens')
        .set({ last_used_at: now() })
        .where('id', '=', found.id)
        .where((eb) =>
          eb.or([
            eb('last_used_at', 'is', null),
            eb('last_used_at', '<', sql<Date>`${timestamptz(now())} - interval '1 minute'`),
          ]),
        )
        .execute()
      return found
    },
  }
}
export type ScimTokens = ReturnType<typeof createScimTokens>
