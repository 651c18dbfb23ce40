import { sql, type Kysely } from 'kysely'

/** Keys of access tokens. A key signs from `signs_from` until a later one does, and verifies until `verifies_until`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.signing_keys (
      kid text collate "C" primary key,
      key text not null,
      signs_from timestamptz not null,
      verifies_until timestamptz
    )`.execute(db)
  await sql`
    insert into app.signing_keys (kid, key, signs_from)
    select left(encode(sha256(value::bytea), 'hex'), 16), value, created_at from app.secrets where name = 'token-signing'`.execute(
    db,
  )
  await sql`delete from app.secrets where name = 'token-signing'`.execute(db)
}
