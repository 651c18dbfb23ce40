import { sql, type Kysely } from 'kysely'

/** Events that are not confirmed, and their conversions in the facts (fine print 111). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // mark: why an event is not confirmed; null for one that is.
  await sql`
    alter table app.tracked_events add column mark text check (mark in ('origin', 'click'))`.execute(db)
  await sql`create index on app.tracked_events (campaign_id, time) where mark = 'click'`.execute(db)
  // Lists show one of the two kinds. An index for each keeps a page as fast as before, however many of the other kind there are.
  for (const place of ['space_id', 'whitelabel_id'])
    for (const [kind, has] of [
      ['confirmed', 'mark is null'],
      ['unconfirmed', 'mark is not null'],
    ] as const)
      await sql`
        create index ${sql.raw(`tracked_events_${kind}_by_${place}`)} on app.tracked_events (${sql.ref(place)}, time desc, id)
        where ${sql.raw(has)}`.execute(db)
  await sql`drop index app.tracked_events_space_id_time_id_idx, app.tracked_events_whitelabel_id_time_id_idx`.execute(db)
  await addFigure(db)
}

/** The figure of facts. */
export async function addFigure(db: Kysely<unknown>): Promise<void> {
  for (const table of ['rows', 'hours', 'day_totals', 'day_groups'])
    await sql`alter table ${sql.table(`facts.${table}`)} add column unconfirmed_conversions bigint`.execute(db)
}
