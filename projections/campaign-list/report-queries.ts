import { sql, type Kysely } from 'kysely'

/** What reports show beside facts: names and currencies. */

type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'whitelabel'; readonly id: string }
  | { readonly kind: 'spaces' | 'campaigns'; readonly ids: readonly string[] }

/** Currencies of the accounts in a scope, house spaces left out. */
export async function currenciesOf(db: Kysely<never>, scope: Scope): Promise<readonly string[]> {
  const where =
    scope.kind === 'all'
      ? sql`not a.house`
      : scope.kind === 'whitelabel'
        ? sql`not a.house and a.whitelabel_id = ${scope.id}`
        : scope.kind === 'spaces'
          ? sql`a.space_id = any(${[...scope.ids]})`
          : sql`a.space_id in (select l.space_id from rm_campaign_list l where l.id = any(${[...scope.ids]}))`
  const { rows } = await sql<{ readonly currency: string }>`
    select distinct a.currency from rm_accounts a where ${where} order by 1`.execute(db)
  return rows.map(({ currency }) => currency)
}

/** Names of campaigns by id. */
export async function campaignNames(db: Kysely<never>, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ readonly id: string; readonly name: string }>`
    select id, name from rm_campaign_list where id = any(${[...ids]})`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
