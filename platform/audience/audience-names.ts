import { sql, type Kysely } from 'kysely'
import type { AudienceNames } from '#commands/audience/audience-port'
import { nameKey } from '../campaign/names.ts'
import type { Db } from '#migrations/db'

/** A claim whose audience never came to be may be taken over after this long. */
const ABANDONED_AFTER = '30 seconds'
/** A deletion that takes longer has died: appending takes half a minute at most. */
const DELETED_WITHIN = '2 minutes'
/** The same for a save. */
const SAVED_WITHIN = '1 minute'

const IS_STAYING = sql`(leaving_at is null or leaving_at < now() - ${sql.lit(DELETED_WITHIN)}::interval)`

/**
 * Names of audiences: the row is claimed before the append, so two writers cannot both win. `holdsName` says whether an audience has
 * the name according to its own stream.
 */
export const createAudienceNames = (
  db: Kysely<Db>,
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
        and ${IS_STAYING}`.execute(db)
    return new Set(rows.map(({ audience_id: id }) => id))
  },

  async use(spaceId, ids, claimId) {
    // The row lock: a deletion waits for this claim, and then finds it, or was first, and hides the audience
    // ("a deletion and a save that names the audience at the same time").
    const { rows } = await sql<{ readonly n: number }>`
      with staying as (
        select audience_id from app.audience_names
        where space_id = ${spaceId} and audience_id = any(${[...ids]}) and ${IS_STAYING} for share
      ), claimed as (
        insert into app.audience_claims (audience_id, claim_id) select distinct audience_id, ${claimId}::text from staying
        on conflict (audience_id, claim_id) do update set claimed_at = now()
      )
      select count(distinct audience_id)::int as n from staying`.execute(db)
    return rows[0]?.n === new Set(ids).size
  },

  release: async (claimId) => {
    await sql`delete from app.audience_claims where claim_id = ${claimId}`.execute(db)
  },

  async inUse(audienceId) {
    const { rows } = await sql`
      select 1 from app.audience_claims
      where audience_id = ${audienceId} and claimed_at > now() - ${sql.lit(SAVED_WITHIN)}::interval limit 1`.execute(db)
    return rows.length > 0
  },

  removeExpired: async () => {
    await sql`delete from app.audience_claims where claimed_at < now() - ${sql.lit(SAVED_WITHIN)}::interval`.execute(db)
  },
})

type Claim = { readonly spaceId: string; readonly audienceId: string; readonly key: string }

async function insert(db: Kysely<Db>, { spaceId, audienceId, key }: Claim): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into app.audience_names (space_id, name_key, audience_id) values (${spaceId}, ${key}, ${audienceId})
    on conflict (space_id, name_key) do update set reserved_at = now()
      where app.audience_names.audience_id = excluded.audience_id`.execute(db)
  return numAffectedRows === 1n
}

async function takenOver(
  db: Kysely<Db>,
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
