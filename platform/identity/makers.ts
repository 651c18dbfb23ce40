import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** How a person came, or got a role: by the token of a directory or an identity provider, and the domain of the address. */
export type Origin = {
  readonly whitelabelId: string
  readonly domain: string | null
  readonly tokenId: string | null
  /** Null for the provider of the domain. */
  readonly providerId: string | null
}

/** The people who set these up. */
export async function makersOf(
  db: Kysely<Db>,
  { whitelabelId, domain, tokenId, providerId }: Origin,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly maker: string }>`
    with domain as (select makers, provider_id from identity.sign_on_domains where whitelabel_id = ${whitelabelId} and domain = ${domain})
    select unnest(makers) as maker from domain
    union select created_by from identity.scim_tokens where id = ${tokenId}
    union select unnest(makers) from identity.sign_on_providers
      where whitelabel_id = ${whitelabelId} and id = coalesce(${providerId}, (select provider_id from domain))
    order by 1`.execute(db)
  return rows.map(({ maker }) => maker)
}

/** Records who made a person; makers of before stay. */
export async function recordMakers(db: Kysely<Db>, personId: string, origin: Origin): Promise<void> {
  const makers = [...(await makersOf(db, origin))]
  await sql`
    update identity.people set by_directory = by_directory or ${origin.tokenId !== null},
      made_by = array(select distinct unnest(made_by || ${makers}::text[]))
    where id = ${personId}`.execute(db)
}

/** The person, who set up the directory or identity provider that made them, and whom theirs made. */
export async function handsOf(db: Kysely<Db>, personId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly id: string }>`
    select unnest(made_by) as id from identity.people where id = ${personId}
    union select id from identity.people where made_by @> array[${personId}]`.execute(db)
  return new Set([personId, ...rows.map(({ id }) => id)])
}

/** Notes that a second person confirmed the role of a person of a directory, who may have a password from then on (fine print 85). */
export async function roleConfirmed(db: Kysely<Db>, personId: string): Promise<void> {
  const people = db.updateTable('identity.people').set({ role_confirmed: true }).where('id', '=', personId)
  await people.where('by_directory', '=', true).execute()
}
