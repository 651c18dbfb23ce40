import { sql, type Kysely } from 'kysely'
import type { Provider } from '#commands/single-sign-on/single-sign-on-port'
import type { Role } from '#domain/kit/access'
import type { ProviderPower, RoleMapping } from '#domain/single-sign-on/admission'
import { MOST_DOMAINS, MOST_PROVIDERS } from '#domain/single-sign-on/domains'
import { isoText } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import type { Seal } from './sealed.ts'

/** Settings that an owner chooses; `clientSecret` undefined keeps the one that is stored. */
export type ProviderSettings = Omit<Provider, 'id' | 'whitelabelId' | 'clientSecret' | 'version'> & {
  readonly clientSecret: string | null | undefined
}

export type DomainRow = {
  readonly domain: string
  readonly provider_id: string
  readonly token: string
  readonly verified_at: string | null
  readonly password_allowed: boolean
  /** False while a second person has to confirm it, before it can be verified (fine print 87). */
  readonly approved: boolean
}

const sealedFor = (id: string): string => `client secret of ${id}`

/** Providers and mail domains of white-labels. Those of another white-label do not exist. */
export function createProviderStore(db: Kysely<Db>, { seal, open }: Seal, now: () => string) {
  const providers = () =>
    powerIn(db)
      .select(['p.id', 'p.whitelabel_id as whitelabelId', 'p.name', 'p.issuer', 'p.client_secret', 'p.scopes'])
      .select((eb) => isoText(eb.ref('p.changed_at')).as('version'))

  const opened = ({ client_secret, ...row }: Awaited<ReturnType<ReturnType<typeof providers>['execute']>>[number]): Provider => ({
    ...row,
    clientSecret: client_secret === null ? null : open(client_secret, sealedFor(row.id)),
  })

  const columnsOf = (settings: Omit<ProviderSettings, 'clientSecret'>) => ({
    ...powerColumns(settings),
    name: settings.name,
    issuer: settings.issuer,
    scopes: [...settings.scopes],
    changed_at: now(),
  })

  const domains = () =>
    db
      .selectFrom('identity.sign_on_domains as d')
      .select(['d.domain', 'd.provider_id', 'd.token', 'd.password_allowed', 'd.approved'])
      .select((eb) => isoText(eb.ref('d.verified_at')).as('verified_at'))

  /** Serialises additions to a white-label: the limits hold for concurrent ones too. */
  const lock = (tx: Kysely<Db>, whitelabelId: string) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${`single sign-on ${whitelabelId}`}, 0))`.execute(tx)

  return {
    /** The oldest first. */
    list: async (whitelabelId: string): Promise<readonly Provider[]> =>
      (await providers().where('p.whitelabel_id', '=', whitelabelId).orderBy('p.created_at').orderBy('p.id').execute()).map(
        opened,
      ),

    async find(whitelabelId: string, id: string): Promise<Provider | null> {
      const row = await providers().where('p.whitelabel_id', '=', whitelabelId).where('p.id', '=', id).executeTakeFirst()
      return row === undefined ? null : opened(row)
    },

    /** False when the white-label has as many as it may. */
    create: (id: string, whitelabelId: string, createdBy: string, { clientSecret, ...settings }: ProviderSettings) =>
      db.transaction().execute(async (tx) => {
        await lock(tx, whitelabelId)
        const counted = tx.selectFrom('identity.sign_on_providers').select(({ fn }) => fn.countAll<bigint>().as('count'))
        const { count } = await counted.where('whitelabel_id', '=', whitelabelId).executeTakeFirstOrThrow()
        if (Number(count) >= MOST_PROVIDERS) return false
        await tx
          .insertInto('identity.sign_on_providers')
          .values({
            ...columnsOf(settings),
            id,
            whitelabel_id: whitelabelId,
            client_secret: typeof clientSecret === 'string' ? seal(clientSecret, sealedFor(id)) : null,
            created_by: createdBy,
            makers: [createdBy],
            created_at: now(),
          })
          .execute()
        return true
      }),

    /** False for an unknown provider; so for what follows. `by` is who widened what it may do, if anyone did. */
    async change(
      whitelabelId: string,
      id: string,
      { clientSecret, ...settings }: ProviderSettings,
      by: string | null = null,
    ): Promise<boolean> {
      const secret =
        clientSecret === undefined ? {} : { client_secret: clientSecret === null ? null : seal(clientSecret, sealedFor(id)) }
      const changed = db
        .updateTable('identity.sign_on_providers')
        .set({ ...columnsOf(settings), ...secret, makers: madeAlsoBy(by) })
      const { numUpdatedRows } = await changed.where('whitelabel_id', '=', whitelabelId).where('id', '=', id).executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async remove(whitelabelId: string, id: string): Promise<boolean> {
      const removed = db.deleteFrom('identity.sign_on_providers').where('whitelabel_id', '=', whitelabelId).where('id', '=', id)
      return (await removed.executeTakeFirst()).numDeletedRows === 1n
    },

    domains: (whitelabelId: string): Promise<readonly DomainRow[]> =>
      domains().where('d.whitelabel_id', '=', whitelabelId).orderBy('d.domain').execute(),

    async domain(whitelabelId: string, domain: string): Promise<DomainRow | null> {
      const found = domains().where('d.whitelabel_id', '=', whitelabelId).where('d.domain', '=', domain)
      return (await found.executeTakeFirst()) ?? null
    },

    /** 'taken' for a domain that the white-label has, 'full' when it has as many as it may. */
    addDomain: (
      whitelabelId: string,
      domain: string,
      { providerId, token, by, approved }: NewDomain,
    ): Promise<'added' | 'taken' | 'full'> =>
      db.transaction().execute(async (tx) => {
        await lock(tx, whitelabelId)
        const counted = tx.selectFrom('identity.sign_on_domains').select(({ fn }) => fn.countAll<bigint>().as('count'))
        const { count } = await counted.where('whitelabel_id', '=', whitelabelId).executeTakeFirstOrThrow()
        if (Number(count) >= MOST_DOMAINS) return 'full'
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('identity.sign_on_domains')
          .values({
            whitelabel_id: whitelabelId,
            domain,
            provider_id: providerId,
            token,
            password_allowed: true,
            makers: [by],
            approved,
            created_at: now(),
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        return numInsertedOrUpdatedRows === 1n ? 'added' : 'taken'
      }),

    async verified(whitelabelId: string, domain: string): Promise<void> {
      await db
        .updateTable('identity.sign_on_domains')
        .set({ verified_at: now() })
        .where('whitelabel_id', '=', whitelabelId)
        .where('domain', '=', domain)
        .where('approved', '=', true)
        .execute()
    },

    /** The password may be switched off for a verified domain alone. */
    async changeDomain(
      whitelabelId: string,
      domain: string,
      { providerId, passwordAllowed, by = null }: DomainChange,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('identity.sign_on_domains')
        .set({ provider_id: providerId, password_allowed: passwordAllowed, makers: madeAlsoBy(by) })
        .where('whitelabel_id', '=', whitelabelId)
        .where('domain', '=', domain)
        .where((eb) => eb.or([eb('verified_at', 'is not', null), eb.val(passwordAllowed)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async removeDomain(whitelabelId: string, domain: string): Promise<boolean> {
      const removed = db
        .deleteFrom('identity.sign_on_domains')
        .where('whitelabel_id', '=', whitelabelId)
        .where('domain', '=', domain)
      return (await removed.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

/** `by` is who bound it to another provider. */
type DomainChange = { readonly providerId: string; readonly passwordAllowed: boolean; readonly by?: string | null }
type NewDomain = {
  readonly providerId: string
  readonly token: string
  readonly by: string
  readonly approved: boolean
}

const powerIn = (db: Kysely<Db>) =>
  db
    .selectFrom('identity.sign_on_providers as p')
    .select(['p.client_id as clientId', 'p.trusts_addresses as trustsAddresses', 'p.default_space_id as defaultSpaceId'])
    .select(['p.role_claim as roleClaim', 'p.follows_claim as followsClaim', 'p.enabled'])
    .select([sql<Role[]>`p.default_roles`.as('defaultRoles'), sql<RoleMapping>`p.role_mapping`.as('roleMapping')])

const powerColumns = (power: ProviderPower) => ({
  client_id: power.clientId,
  trusts_addresses: power.trustsAddresses,
  default_space_id: power.defaultSpaceId,
  default_roles: [...power.defaultRoles],
  role_claim: power.roleClaim,
  role_mapping: JSON.stringify(power.roleMapping),
  follows_claim: power.followsClaim,
  enabled: power.enabled,
})

/** The makers of a row with this one among them. */
const madeAlsoBy = (by: string | null) =>
  by === null ? sql<string[]>`makers` : sql<string[]>`array(select distinct unnest(makers || ${[by]}::text[]))`

/** Grants of ways in that a second person confirms: in the name of the user who asked. False for one that is gone. */
export const createProviderGrants = (db: Kysely<Db>, now: () => string) => ({
  /** Present power of a provider, and the provider of a domain; null for an unknown one. */
  present: {
    async power(whitelabelId: string, id: string): Promise<ProviderPower | null> {
      const found = powerIn(db).where('p.whitelabel_id', '=', whitelabelId).where('p.id', '=', id)
      return (await found.executeTakeFirst()) ?? null
    },
    async providerOf(whitelabelId: string, domain: string): Promise<string | null> {
      const found = db.selectFrom('identity.sign_on_domains').select('provider_id').where('whitelabel_id', '=', whitelabelId)
      return (await found.where('domain', '=', domain).executeTakeFirst())?.provider_id ?? null
    },
  },

  async power(whitelabelId: string, id: string, power: ProviderPower, by: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('identity.sign_on_providers')
      .set({ ...powerColumns(power), makers: madeAlsoBy(by), changed_at: now() })
      .where('whitelabel_id', '=', whitelabelId)
      .where('id', '=', id)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },

  async domain(whitelabelId: string, domain: string, providerId: string, by: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('identity.sign_on_domains')
      .set({ approved: true, provider_id: providerId, makers: madeAlsoBy(by) })
      .where('whitelabel_id', '=', whitelabelId)
      .where('domain', '=', domain)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('identity.sign_on_providers')
            .select('id')
            .where('whitelabel_id', '=', whitelabelId)
            .where('id', '=', providerId),
        ),
      )
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
})
export type ProviderGrants = ReturnType<typeof createProviderGrants>
export type ProviderStore = ReturnType<typeof createProviderStore>
