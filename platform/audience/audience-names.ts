import { sql, type Kysely } from 'kysely'
import type { AudienceNames } from '#commands/audience/audience-port'
import { nameKey } from '#domain/kit/text'
import { anyOf, NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** A claim whose audience never came to be may be taken over after this long. */
const ABANDONED_BEFORE = sql<Date>`now() - interval '30 seconds'`
/** A deletion that takes longer has died: appending takes half a minute at most. */
const DIED_BEFORE = sql<Date>`now() - interval '2 minutes'`
/** The same for a save. */
const SAVED_SINCE = sql<Date>`now() - interval '1 minute'`

const IS_STAYING = sql<boolean>`(leaving_at is null or leaving_at < ${DIED_BEFORE})`

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
    await db.deleteFrom('app.audience_names').where('audience_id', '=', audienceId).where('name_key', '<>', key).execute()
    return true
  },

  leave: async (audienceId, leaving) => {
    await db
      .updateTable('app.audience_names')
      .set({ leaving_at: leaving ? NOW : null })
      .where('audience_id', '=', audienceId)
      .execute()
  },

  async known(spaceId, ids) {
    if (ids.length === 0) return new Set()
    const rows = await db
      .selectFrom('app.audience_names')
      .select('audience_id')
      .where('space_id', '=', spaceId)
      .where('audience_id', '=', anyOf(ids))
      // A process that died while it deleted leaves the audience as it was.
      .where(IS_STAYING)
      .execute()
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
    await db.deleteFrom('app.audience_claims').where('claim_id', '=', claimId).execute()
  },

  async inUse(audienceId) {
    const claims = db.selectFrom('app.audience_claims').select('claim_id').where('audience_id', '=', audienceId)
    return (await claims.where('claimed_at', '>', SAVED_SINCE).limit(1).executeTakeFirst()) !== undefined
  },

  removeExpired: async () => {
    await db.deleteFrom('app.audience_claims').where('claimed_at', '<', SAVED_SINCE).execute()
  },
})

type Claim = { readonly spaceId: string; readonly audienceId: string; readonly key: string }

async function insert(db: Kysely<Db>, { spaceId, audienceId, key }: Claim): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('app.audience_names')
    .values({ space_id: spaceId, name_key: key, audience_id: audienceId })
    .onConflict((conflict) =>
      conflict
        .columns(['space_id', 'name_key'])
        .doUpdateSet({ reserved_at: NOW })
        .where('app.audience_names.audience_id', '=', audienceId),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

async function takenOver(
  db: Kysely<Db>,
  { spaceId, audienceId, key }: Claim,
  holdsName: (audienceId: string, key: string) => Promise<boolean>,
): Promise<boolean> {
  const abandoned = await db
    .selectFrom('app.audience_names')
    .select('audience_id')
    .where('space_id', '=', spaceId)
    .where('name_key', '=', key)
    .where('reserved_at', '<', ABANDONED_BEFORE)
    .executeTakeFirst()
  const holder = abandoned?.audience_id
  if (holder === undefined || (await holdsName(holder, key))) return false
  // The same audience may have claimed the row again since it was read as abandoned.
  const { numUpdatedRows } = await db
    .updateTable('app.audience_names')
    .set({ audience_id: audienceId, reserved_at: NOW })
    .where('space_id', '=', spaceId)
    .where('name_key', '=', key)
    .where('audience_id', '=', holder)
    .where('reserved_at', '<', ABANDONED_BEFORE)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
