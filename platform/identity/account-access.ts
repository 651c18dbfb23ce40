import { sql, type Kysely } from 'kysely'
import type { AccountAccess } from '#commands/identity/person'
import type { Db } from '#migrations/db'

type AccessRow = AccountAccess & { readonly person_id: string }

/** The view of where people may act now, for `from` and `join` (migration 0570). */
export const ACCOUNT_ACCESS = sql<AccessRow>`identity.account_access`

/** Most accounts of one person that are read. */
const MOST = 200

/** The accounts that a person may act in now, home first, then in the order in which they were joined (fine print 93). */
export async function accessOf(db: Kysely<Db>, personId: string): Promise<readonly AccountAccess[]> {
  const { rows } = await sql<AccountAccess>`
    select space_id, home, roles, rights from identity.account_access
    where person_id = ${personId} order by home desc, since, space_id limit ${MOST}`.execute(db)
  return rows
}

/** Whether a row `people` of `identity.people` owns this account, at home in it or by a membership. */
export const owns = (spaceId: string) => sql<boolean>`(
  people.home_space_id = ${spaceId} and 'USER_OWNER' = any(people.roles)
  or people.id in (
    select person_id from identity.memberships
    where space_id = ${spaceId} and state = 'active' and 'USER_OWNER' = any(roles)))`
