import { sql, type Kysely } from 'kysely'
import type { NameReservation } from '#commands/campaign/campaign-port'
import { nameKey } from '#domain/kit/text'
import { anyOf, NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** A reservation whose campaign never took the name may be taken over after this long (fine print 19). */
const ABANDONED_BEFORE = sql<Date>`now() - interval '30 seconds'`

/**
 * Campaign names, unique per space whatever store holds the events: the row is claimed before the append, so two writers cannot
 * both win, and a writer that died in between leaves a claim which only `holdsName` can keep alive.
 */
export function createNameReservations(db: Kysely<Db>, holdsName: (campaignId: string, key: string) => Promise<boolean>) {
  return async function reserveName({ spaceId, campaignId, name, claim }: NameReservation): Promise<boolean> {
    const key = nameKey(name)
    if (claim) {
      // Refreshes the campaign's own row, so that no other campaign takes over a name that is being reclaimed
      // ("a name that its campaign reserves again cannot be taken over ...").
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('app.campaign_names')
        .values({ space_id: spaceId, name_key: key, campaign_id: campaignId })
        .onConflict((conflict) =>
          conflict
            .columns(['space_id', 'name_key'])
            .doUpdateSet({ reserved_at: NOW })
            .where('app.campaign_names.campaign_id', '=', campaignId),
        )
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 1n) return true
    }
    const holder = await db
      .selectFrom('app.campaign_names')
      .select((eb) => ['campaign_id', eb('reserved_at', '<', ABANDONED_BEFORE).as('abandoned')])
      .where('space_id', '=', spaceId)
      .where('name_key', '=', key)
      .executeTakeFirst()
    if (holder === undefined) return true
    if (holder.campaign_id === campaignId) return true
    if (!holder.abandoned || (await holdsName(holder.campaign_id, key))) return false
    if (!claim) return true
    // The same campaign may have reclaimed the row since it was read as abandoned.
    const taken = await db
      .updateTable('app.campaign_names')
      .set({ campaign_id: campaignId, reserved_at: NOW })
      .where('space_id', '=', spaceId)
      .where('name_key', '=', key)
      .where('campaign_id', '=', holder.campaign_id)
      .where('reserved_at', '<', ABANDONED_BEFORE)
      .executeTakeFirst()
    return taken.numUpdatedRows === 1n
  }
}

/** Campaigns of a space that hold one of these names. */
export async function campaignsNamed(db: Kysely<Db>, spaceId: string, names: readonly string[]): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('app.campaign_names')
    .select('campaign_id')
    .where('space_id', '=', spaceId)
    .where('name_key', '=', anyOf(new Set(names.map(nameKey))))
    .execute()
  return rows.map(({ campaign_id: id }) => id)
}
