import { sql, type Kysely } from 'kysely'

/** Format characters and those that do not show: `nameKey` in domain/kit/text.ts says the same. */
const HIDDEN = String.raw`[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]`
const SPACES = String.raw`[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+`

/** Names are the same whatever does not show (fine print 19). Two that are the same by now keep their names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function app.name_key(plain text) returns text language sql immutable strict parallel safe
    as $$ select lower(btrim(regexp_replace(normalize(regexp_replace(plain, ${sql.lit(HIDDEN)}, '', 'g')), ${sql.lit(SPACES)}, ' ', 'g'))) $$`.execute(
    db,
  )
  for (const [table, holder] of [
    ['app.campaign_names', 'campaign_id'],
    ['app.audience_names', 'audience_id'],
    ['app.labels', 'id'],
  ] as const)
    await sql`
      update ${sql.table(table)} t set name_key = app.name_key(t.name_key)
      where t.name_key <> app.name_key(t.name_key)
        and not exists (
          select from ${sql.table(table)} o where o.space_id = t.space_id and o.${sql.ref(holder)} <> t.${sql.ref(holder)}
            and app.name_key(o.name_key) = app.name_key(t.name_key))`.execute(db)
}
