import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { matches } from './text-search.ts'

export type AccountName = { readonly space_id: string; readonly space_name: string }

type NameFilter = {
  /** Null for every white-label. */
  readonly whitelabelId: string | null
  /** Words of a name; null for every name. */
  readonly name: string | null
  /** Null for every account. */
  readonly ids: readonly string[] | null
}

/** Accounts of advertisers, by name. */
export async function accountNames(
  db: Kysely<Db>,
  { whitelabelId, name, ids }: NameFilter,
  most: number,
): Promise<readonly AccountName[]> {
  return db
    .selectFrom('rm_accounts as a')
    .select(['a.space_id', 'a.name as space_name'])
    .where('a.house', '=', false)
    .$if(whitelabelId !== null, (query) => query.where('a.whitelabel_id', '=', whitelabelId))
    .$if(ids !== null, (query) => query.where('a.space_id', 'in', ids ?? []))
    .$if(name !== null, (query) => query.where(sql<boolean>`${matches(sql`a.search_name`, name ?? '')}`))
    .orderBy((eb) => eb.fn<string>('lower', ['a.name']))
    .orderBy('a.space_id')
    .limit(most)
    .execute()
}
