import { sql, type Kysely } from 'kysely'

/**
 * White-labels whose people cannot sign in. A copy of what the log says, kept by a policy, because sign-in and sessions are decided
 * in this schema, also while no read model is there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.suspended_whitelabels (
      whitelabel_id text collate "C" primary key,
      since         timestamptz not null default now()
    )`.execute(db)
}
