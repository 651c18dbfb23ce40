import { nameKey } from '#domain/kit/text'
import { sql, type Kysely, type Transaction } from 'kysely'
import { MOST_LABELS, relabelled, type LabelColor, type LabelEdit, type Relabelled } from '#domain/campaign/labels'
import { anyOf, isoText, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

export type LabelRow = { readonly id: string; readonly space_id: string; readonly name: string; readonly color: LabelColor }
export type NewLabel = LabelRow & { readonly personId: string; readonly now: string }
export type Stored = 'stored' | 'full' | 'taken' | 'unknown'

/** Labels to add to a campaign, and to remove from it. */
export type LabelChange = LabelEdit & { readonly campaignId: string }

/** Labels of accounts and of their campaigns (fine print 107). */
export function createLabels(db: Kysely<Db>) {
  const labels = (within: Kysely<Db>) =>
    within.selectFrom('app.labels').select(['id', 'space_id', 'name', 'color']).$castTo<LabelRow>()

  /** Labels of an account change one call at a time, so that none is counted twice and none is given after its deletion. */
  const locked = <T>(spaceId: string, change: (tx: Transaction<Db>) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`labels ${spaceId}`}, 0))`.execute(tx)
      return change(tx)
    })

  const holderOf = async (tx: Transaction<Db>, spaceId: string, name: string): Promise<string | null> =>
    (await labels(tx).where('space_id', '=', spaceId).where('name_key', '=', nameKey(name)).executeTakeFirst())?.id ?? null

  return {
    /** Labels of an account by name, with the number of campaigns of each. */
    async of(spaceId: string): Promise<readonly (LabelRow & { readonly campaigns: number })[]> {
      const { rows } = await sql<LabelRow & { readonly campaigns: number }>`
        select l.id, l.space_id, l.name, l.color,
          (select count(*)::int from app.campaign_labels c where c.label_id = l.id) as campaigns
        from app.labels l where l.space_id = ${spaceId} order by l.name_key, l.id`.execute(db)
      return rows
    },

    async find(id: string): Promise<LabelRow | null> {
      return (await labels(db).where('id', '=', id).executeTakeFirst()) ?? null
    },

    /** Creates a label. A repeat of the id changes nothing. */
    async add({ id, space_id, name, color, personId, now }: NewLabel): Promise<Stored> {
      return locked(space_id, async (tx) => {
        const holder = await holderOf(tx, space_id, name)
        if (holder !== null) return holder === id ? 'stored' : 'taken'
        const all = await labels(tx).where('space_id', '=', space_id).execute()
        if (all.some((label) => label.id === id)) return 'stored'
        if (all.length >= MOST_LABELS) return 'full'
        await tx
          .insertInto('app.labels')
          .values({ id, space_id, name, name_key: nameKey(name), color, person_id: personId, created_at: now })
          .execute()
        return 'stored'
      })
    },

    async change({ id, space_id, name, color }: LabelRow): Promise<Stored> {
      return locked(space_id, async (tx) => {
        const holder = await holderOf(tx, space_id, name)
        if (holder !== null && holder !== id) return 'taken'
        const { numUpdatedRows } = await tx
          .updateTable('app.labels')
          .set({ name, name_key: nameKey(name), color })
          .where('id', '=', id)
          .executeTakeFirst()
        return numUpdatedRows === 1n ? 'stored' : 'unknown'
      })
    },

    /** Deletes a label; the number of campaigns that had it, or null for one that is deleted already. */
    async remove({ id, space_id }: LabelRow): Promise<number | null> {
      return locked(space_id, async (tx) => {
        const { numDeletedRows: campaigns } = await tx
          .deleteFrom('app.campaign_labels')
          .where('label_id', '=', id)
          .executeTakeFirst()
        const { numDeletedRows } = await tx.deleteFrom('app.labels').where('id', '=', id).executeTakeFirst()
        return numDeletedRows === 1n ? Number(campaigns) : null
      })
    },

    /** Changes the labels of campaigns of one account, each whole or not at all, in four statements after the lock. */
    async apply(
      spaceId: string,
      changes: readonly LabelChange[],
      { personId, now }: { readonly personId: string; readonly now: string },
    ): Promise<readonly Relabelled[]> {
      return locked(spaceId, async (tx) => {
        const known = new Set((await labels(tx).where('space_id', '=', spaceId).execute()).map(({ id }) => id))
        const before = new Map(changes.map(({ campaignId }) => [campaignId, new Set<string>()]))
        const rows = await tx
          .selectFrom('app.campaign_labels')
          .select(['campaign_id', 'label_id'])
          .where('campaign_id', '=', anyOf(before.keys()))
          .execute()
        for (const row of rows) before.get(row.campaign_id)?.add(row.label_id)
        const after = new Map<string, ReadonlySet<string>>(before)
        const results = changes.map(({ campaignId, ...edit }): Relabelled => {
          const result = relabelled(after.get(campaignId) ?? new Set(), edit, known)
          if (result.kind === 'done') after.set(campaignId, result.labels)
          return result
        })
        const pairs = (from: ReadonlyMap<string, ReadonlySet<string>>, without: ReadonlyMap<string, ReadonlySet<string>>) =>
          [...from].flatMap(([campaignId, ids]) =>
            [...ids].flatMap((id) => (without.get(campaignId)?.has(id) === true ? [] : [[campaignId, id] as const])),
          )
        const gone = pairs(before, after)
        const added = pairs(after, before)
        if (gone.length > 0)
          await sql`
            delete from app.campaign_labels c using unnest(${gone.map(([id]) => id)}::text[], ${gone.map(([, id]) => id)}::text[])
              as g(campaign_id, label_id)
            where c.campaign_id = g.campaign_id and c.label_id = g.label_id`.execute(tx)
        if (added.length > 0)
          await sql`
            insert into app.campaign_labels (campaign_id, label_id, person_id, labelled_at)
            select a.campaign_id, a.label_id, ${personId}, ${timestamptz(now)}
            from unnest(${added.map(([id]) => id)}::text[], ${added.map(([, id]) => id)}::text[]) as a(campaign_id, label_id)`.execute(
            tx,
          )
        return results
      })
    },

    /** Gives a replicate the labels of its source, of the same account. A repeat changes nothing. */
    async copy(
      spaceId: string,
      ids: { readonly from: string; readonly to: string },
      { personId, now }: { readonly personId: string; readonly now: string },
    ): Promise<void> {
      await locked(spaceId, async (tx) => {
        await sql`
          insert into app.campaign_labels (campaign_id, label_id, person_id, labelled_at)
          select ${ids.to}, c.label_id, ${personId}, ${timestamptz(now)} from app.campaign_labels c where c.campaign_id = ${ids.from}
          on conflict do nothing`.execute(tx)
      })
    },

    /** Labels of a campaign by name: who added each, and when. */
    async ofCampaign(campaignId: string) {
      return db
        .selectFrom('app.campaign_labels as c')
        .innerJoin('app.labels as l', 'l.id', 'c.label_id')
        .select((eb) => ['l.id', 'l.name', 'l.color', 'c.person_id', isoText(eb.ref('c.labelled_at')).as('labelled_at')])
        .where('c.campaign_id', '=', campaignId)
        .orderBy('l.name_key')
        .orderBy('l.id')
        .$narrowType<{ readonly color: LabelColor }>()
        .execute()
    },
  }
}
export type Labels = ReturnType<typeof createLabels>

/** Labels stay with their account after an erasure, without the person who added them. */
export async function forgetLabeller(tx: Transaction<Db>, personId: string): Promise<void> {
  await tx.updateTable('app.labels').set({ person_id: null }).where('person_id', '=', personId).execute()
  await tx.updateTable('app.campaign_labels').set({ person_id: null }).where('person_id', '=', personId).execute()
}
