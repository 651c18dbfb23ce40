import type { Kysely } from 'kysely'
import type { LabelColor } from '#domain/campaign/labels'
import { anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

export type ShownLabel = { readonly id: string; readonly name: string; readonly color: LabelColor }

/** Labels of the campaigns of a page, by name; campaigns without one are missing. Always those of now (fine print 107). */
export async function labelsOf(db: Kysely<Db>, ids: readonly string[]): Promise<ReadonlyMap<string, readonly ShownLabel[]>> {
  const rows = await db
    .selectFrom('app.campaign_labels as c')
    .innerJoin('app.labels as l', 'l.id', 'c.label_id')
    .select(['c.campaign_id', 'l.id', 'l.name', 'l.color'])
    .where('c.campaign_id', '=', anyOf(ids))
    .orderBy('l.name_key')
    .orderBy('l.id')
    .$narrowType<{ readonly color: LabelColor }>()
    .execute()
  const found = new Map<string, ShownLabel[]>()
  for (const { campaign_id, ...label } of rows) found.set(campaign_id, [...(found.get(campaign_id) ?? []), label])
  return found
}
