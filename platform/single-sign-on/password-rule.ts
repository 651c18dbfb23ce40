import type { Kysely } from 'kysely'
import { domainOfAddress } from '#domain/single-sign-on/domains'
import type { Db } from '#migrations/db'

/** The provider that stands in place of the password for an address; null where the password is allowed (fine print 84). */
export type InsteadOfPassword = { readonly id: string; readonly name: string } | null

export async function insteadOfPassword(db: Kysely<Db>, whitelabelId: string, address: string): Promise<InsteadOfPassword> {
  const domain = domainOfAddress(address.trim())
  if (domain === null) return null
  const provider = await db
    .selectFrom('identity.sign_on_domains as d')
    .innerJoin('identity.sign_on_providers as p', 'p.id', 'd.provider_id')
    .select(['p.id', 'p.name'])
    .where('d.whitelabel_id', '=', whitelabelId)
    .where('d.domain', '=', domain)
    .where('d.verified_at', 'is not', null)
    .where('d.password_allowed', '=', false)
    .where('p.enabled', '=', true)
    .executeTakeFirst()
  return provider ?? null
}
