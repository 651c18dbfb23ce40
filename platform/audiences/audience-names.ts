import { sql, type Kysely } from 'kysely'
import type { AudienceNames } from '../../commands/audience/audience-port.ts'
import { nameKey } from '../names.ts'

/** A claim whose audience never came to be may be taken over after this long. */
const ABANDONED_AFTER = '30 seconds'

/**
 * Names of audiences: the row is claimed before the append, so two writers cannot both win. `holdsName` says whether an audience has
 * the name according to its own stream.
 */
export const createAudienceNames = (
  db: Kysely<never>,
  holdsName: (audienceId: string, key: string) => Promise<boolean>,
): AudienceNames => ({
  async claim(spaceId, audienceId, name) {
    const key = nameKey(name)
    const claimed = await insert(db, { spaceId, audienceId, key })
    if (!claimed && !(await takenOver(db, { spaceId, audienceId, key }, holdsName))) return false
    await sql`delete from app.audience_names where audience_id = ${audienceId} and name_key <> ${key}`.execute(db)
    return true
  },

  leave: async (audienceId, leaving) => {
    await sql`
      update app.audience_names set leaving_at = ${leaving ? sql`now()` : sql`null`} where audience_id = ${audienceId}`.execute(
      db,
    )
  },

  async known(spaceId, ids) {
    if (ids.length === 0) return new Set()
    const { rows } = await sql<{ readonly audience_id: string }>`
      select audience_id from app.audience_names where space_id = ${spaceId} and audience_id = any(${[...ids]})
        -- A process that died while it deleted leaves the audience as it was.
        and (leaving_at is null or leaving_at < now() - ${sql.lit(ABANDONED_AFTER)}::interval)`.execute(db)
    return new Set(rows.map(({ audience_id: id }) => id))
  },
})

type Claim = { readonly spaceId: string; readonly audienceId: string; readonly key: string }

async function insert(db: Kysely<never>, { spaceId, audienceId, key }: Claim): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into app.audience_names (space_id, name_key, audience_id) values (${spaceId}, ${key}, ${audienceId})
    on conflict (space_id, name_key) do update set reserved_at = now()
      where app.audience_names.audience_id = excluded.audience_id`.execute(db)
  return numAffectedRows === 1n
}

async function takenOver(
  db: Kysely<never>,
  { spaceId, audienceId, key }: Claim,
  holdsName: (audienceId: string, key: string) => Promise<boolean>,
): Promise<boolean> {
  const { rows } = await sql<{ readonly audience_id: string }>`
    select audience_id from app.audience_names
    where space_id = ${spaceId} and name_key = ${key} and reserved_at < now() - ${sql.lit(ABANDONED_AFTER)}::interval`.execute(db)
  const holder = rows[0]?.audience_id
  if (holder === undefined || (await holdsName(holder, key))) return false
  // The same audience may have claimed the row again since it was read as abandoned.
  const { numAffectedRows } = await sql`
    update app.audience_names set audience_id = ${audienceId}, reserved_at = now()
    where space_id = ${spaceId} and name_key = ${key} and audience_id = ${holder}
      and reserved_at < now() - ${sql.lit(ABANDONED_AFTER)}::interval`.execute(db)
  return numAffectedRows === 1n
}
