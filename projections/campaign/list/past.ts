import { sql } from 'kysely'
import { streamOf } from '#domain/campaign/state'
import { changed, eventsUntil, isAmong, literal, pastTables, standBefore, type Among, type Then } from '#projections/past/then'
import { campaignList } from './read-model.ts'

/** Events that are folded into rows at once. */
const AT_ONCE = 500

/** Lets the list of campaigns and their states stand as they did then. */
export async function putCampaigns(then: Then, among: Among): Promise<void> {
  const { tx, at } = then
  const tables = pastTables(campaignList.tables)
  const since = await changed(
    tx,
    sql`select l.id from rm_campaign_list l where l.created_at <= ${at} and l.changed_at > ${at} and ${isAmong('l', 'id', among)}`,
  )
  await campaignList.create(tx, tables)
  let batch: Parameters<typeof campaignList.apply>[2] = []
  for await (const events of eventsUntil(then, since.map(streamOf))) {
    batch = [...batch, ...events]
    if (batch.length < AT_ONCE) continue
    await campaignList.apply(tx, tables, batch, new Map())
    batch = []
  }
  if (batch.length > 0) await campaignList.apply(tx, tables, batch, new Map())
  const unchanged = sql`l.changed_at <= ${literal(at)}`
  await standBefore(tx, {
    base: 'campaign_states',
    alias: 's',
    live: sql`exists (select from rm_campaign_list l where l.id = s.id and ${unchanged})`,
    past: tables['campaign_states'] ?? null,
  })
  await standBefore(tx, { base: 'campaign_list', alias: 'l', live: unchanged, past: tables['campaign_list'] ?? null })
}
