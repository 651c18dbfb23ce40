import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

type Suspension = { readonly id: string; readonly suspended: boolean }

/** Suspended white-labels, as sign-in and sessions know them. */
export const createSuspended = (db: Kysely<Db>) => ({
  /** Those whose suspension in the log is not carried out here. */
  async changed(): Promise<readonly Suspension[]> {
    const { rows } = await sql<Suspension>`
      select coalesce(w.whitelabel_id, s.whitelabel_id) as id, coalesce((w.state->>'suspended')::boolean, false) as suspended
      from rm_white_labels w full join identity.suspended_whitelabels s on s.whitelabel_id = w.whitelabel_id
      where coalesce((w.state->>'suspended')::boolean, false) <> (s.whitelabel_id is not null)`.execute(db)
    return rows
  },

  async apply({ id, suspended }: Suspension): Promise<void> {
    if (suspended)
      await db
        .insertInto('identity.suspended_whitelabels')
        .values({ whitelabel_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    else await db.deleteFrom('identity.suspended_whitelabels').where('whitelabel_id', '=', id).execute()
  },
})
export type Suspended = ReturnType<typeof createSuspended>
