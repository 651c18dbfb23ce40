import { sql, type Kysely } from 'kysely'

/** Keys of persons may be sealed under a key outside the database (fine print 88): 32 bytes, or 72 with the seal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identity.person_keys drop constraint person_keys_key_check`.execute(db)
  await sql`alter table identity.person_keys add constraint person_keys_key_check check (octet_length(key) in (32, 72))`.execute(
    db,
  )
}
