import { sql, type Transaction } from 'kysely'
import type { Db } from '#migrations/db'

/** Removes the legal entity of an individual, who is the person. */
export const removeLegalEntity = (tx: Transaction<Db>, personId: string) =>
  sql`
    delete from identity.legal_entities e using identity.people p
    where p.id = ${personId} and p.type_key = 2 and e.space_id = p.home_space_id`.execute(tx)
