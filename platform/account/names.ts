import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** After so long the read model says whether an account took the name that was reserved. */
const BRIDGED = sql`interval '30 seconds'`

export type ReserveAccountName = (reservation: {
  readonly whitelabelId: string
  readonly spaceId: string
  readonly name: string
}) => Promise<boolean>

/**
 * Reserves a name for an account before its event is appended: false where another account of the white-label has it, or is about to.
 * Names differ by more than case (fine print 96). The reservation bridges the time until the read model shows the event.
 */
export function createAccountNames(db: Kysely<Db>): ReserveAccountName {
  return async ({ whitelabelId, spaceId, name }) => {
    await sql`delete from app.account_names where reserved_at < now() - interval '1 minute'`.execute(db)
    const { numAffectedRows } = await sql`
      insert into app.account_names (whitelabel_id, name_key, space_id)
      select ${whitelabelId}, app.name_key(${name}), ${spaceId} where not exists (
        select from rm_accounts a where a.whitelabel_id = ${whitelabelId} and app.name_key(a.name) = app.name_key(${name}) and a.space_id <> ${spaceId})
      on conflict (whitelabel_id, name_key) do update set space_id = excluded.space_id, reserved_at = now()
      where account_names.space_id = excluded.space_id or account_names.reserved_at < now() - ${BRIDGED}`.execute(db)
    return numAffectedRows === 1n
  }
}
