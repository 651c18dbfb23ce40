import { sql, type Kysely } from 'kysely'
import type { NameReservation } from '#commands/campaign/campaign-port'
import type { Db } from '#migrations/db'

/** A reservation whose campaign never took the name may be taken over after this long (fine print 19). */
const ABANDONED_AFTER = '30 seconds'

const keyOf = (name: string): string => name.normalize('NFC').trim().toLowerCase()

/**
 * Campaign names, unique per space whatever store holds the events: the row is claimed before the append, so two writers cannot
 * both win, and a writer that died in between leaves a claim which only `holdsName` can keep alive.
 */
export function createNameReservations(db: Kysely<Db>, holdsName: (campaignId: string, key: string) => Promise<boolean>) {
  return async function reserveName({ spaceId, campaignId, name, claim }: NameReservation): Promise<boolean> {
    const key = keyOf(name)
    if (claim) {
      // Refreshes the campaign's own row, so that no other campaign takes over a name that is being reclaimed
      // ("a name that its campaign reserves again cannot be taken over ...").
      const { numAffectedRows } = await sql`
        insert into app.campaign_names (space_id, name_key, campaign_id) values (${spaceId}, ${key}, ${campaignId})
        on conflict (space_id, name_key) do update set reserved_at = now()
          where app.campaign_names.campaign_id = excluded.campaign_id`.execute(db)
      if (numAffectedRows === 1n) return true
    }
    const { rows } = await sql<{ campaign_id: string; abandoned: boolean }>`
      select campaign_id, reserved_at < now() - ${sql.lit(ABANDONED_AFTER)}::interval as abandoned
      from app.campaign_names where space_id = ${spaceId} and name_key = ${key}`.execute(db)
    const holder = rows[0]
    if (holder === undefined) return true
    if (holder.campaign_id === campaignId) return true
    if (!holder.abandoned || (await holdsName(holder.campaign_id, key))) return false
    if (!claim) return true
    // The same campaign may have reclaimed the row since it was read as abandoned.
    const taken = await sql`
      update app.campaign_names set campaign_id = ${campaignId}, reserved_at = now()
      where space_id = ${spaceId} and name_key = ${key} and campaign_id = ${holder.campaign_id}
        and reserved_at < now() - ${sql.lit(ABANDONED_AFTER)}::interval`.execute(db)
    return taken.numAffectedRows === 1n
  }
}

/** Campaigns of a space that hold one of these names. */
export async function campaignsNamed(db: Kysely<Db>, spaceId: string, names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly campaign_id: string }>`
    select campaign_id from app.campaign_names
    where space_id = ${spaceId} and name_key = any(${[...new Set(names.map(keyOf))]})`.execute(db)
  return rows.map(({ campaign_id: id }) => id)
}

export { keyOf as nameKey }
