import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** Settlements of one transaction: of 500 charges each. */
const AT_ONCE = 40
/** Accounts of one round. */
const ACCOUNTS = 500

/**
 * Removes the charges of single batches, and their settlements, that were recorded this many days ago: an account's hours have their
 * sums. Oldest first, so that one number says which are gone. Bounded: what is left is for the next round. Returns the settlements.
 */
export async function condenseSettlements(db: Kysely<Db>, days: number, limit: number): Promise<number> {
  let condensed = 0
  for (const spaceId of await accountsWithOld(db, days))
    for (let found = AT_ONCE; found === AT_ONCE && condensed < limit; condensed += found)
      found = await condensePart(db, spaceId, days)
  return condensed
}

/** The newest settlement of an account that is condensed; 0 without one. */
export async function condensedUpTo(db: Kysely<Db>, spaceId: string): Promise<number> {
  const row = await db.selectFrom('app.condensed_settlements').select('number').where('space_id', '=', spaceId).executeTakeFirst()
  return row?.number ?? 0
}

const isOld = (days: number) => sql<boolean>`made_at < now() - make_interval(days => ${days})`

async function accountsWithOld(db: Kysely<Db>, days: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly space_id: string }>`
    select distinct space_id from (
      select space_id from app.settlements where recorded and ${isOld(days)} order by made_at limit ${ACCOUNTS * AT_ONCE}
    ) old limit ${ACCOUNTS}`.execute(db)
  return rows.map(({ space_id: id }) => id)
}

const condensePart = (db: Kysely<Db>, spaceId: string, days: number): Promise<number> =>
  db.transaction().execute(async (tx) => {
    // The newest settlement stays: the next one counts on from it.
    const { rows } = await sql<{ readonly number: number }>`
      select number from app.settlements
      where space_id = ${spaceId} and recorded and ${isOld(days)}
        and number < (select max(number) from app.settlements where space_id = ${spaceId} and recorded)
      order by number limit ${AT_ONCE} for update`.execute(tx)
    const last = rows.at(-1)?.number
    if (last === undefined) return 0
    await tx.deleteFrom('app.delivery_charges').where('space_id', '=', spaceId).where('settlement', '<=', last).execute()
    await tx.deleteFrom('app.settlements').where('space_id', '=', spaceId).where('number', '<=', last).execute()
    await tx
      .insertInto('app.condensed_settlements')
      .values({ space_id: spaceId, number: last })
      .onConflict((conflict) => conflict.column('space_id').doUpdateSet({ number: last, condensed_at: sql<Date>`now()` }))
      .execute()
    return rows.length
  })
