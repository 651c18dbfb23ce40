import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { ACTIVE } from './people.ts'

/** Most owners who are mailed. */
const MOST_OWNERS = 50

/** The owners of a white-label who may sign in, the oldest first. */
export async function activeOwners(db: Kysely<Db>, whitelabelId: string): Promise<readonly string[]> {
  const owners = await db
    .selectFrom('identity.people as people')
    .select('people.id')
    .where('people.whitelabel_id', '=', whitelabelId)
    .where(sql<boolean>`'WL_OWNER' = any(people.roles)`)
    .where(ACTIVE)
    .orderBy('people.created_at')
    .orderBy('people.id')
    .limit(MOST_OWNERS)
    .execute()
  return owners.map(({ id }) => id)
}
