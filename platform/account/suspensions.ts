import { sql, type Kysely } from 'kysely'
import { allOf } from '#eventstore/postgres/expressions'
import type { Suspension } from '#commands/account/suspension'
import { due, FULL_SCAN, type Sweep } from '#commands/sweep'
import type { Db } from '#migrations/db'

/**
 * Lets the users of an account in, or ends their sessions and keeps them out. The newest revision wins, in whatever order
 * suspensions and restorations arrive, so that a repeat is safe.
 */
async function apply(db: Kysely<Db>, { spaceId, suspended, revision }: Suspension): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('identity.account_suspensions')
      .values({ space_id: spaceId, suspended, revision })
      .onConflict((conflict) =>
        conflict
          .column('space_id')
          .doUpdateSet({ suspended, revision })
          .where('identity.account_suspensions.revision', '<', revision),
      )
      .execute()
    await sql`
      update identity.people p set suspended = s.suspended, updated_at = now()
      from (select suspended from identity.account_suspensions where space_id = ${spaceId} for update) s
      where p.home_space_id = ${spaceId} and p.suspended <> s.suspended`.execute(tx)
  })
}

/** Suspensions of accounts, as the records of their users have them. */
export const createSuspensions = (db: Kysely<Db>) => ({
  apply: (suspension: Suspension) => apply(db, suspension),

  /** Carries out suspensions that a crash interrupted, and suspends users that were added to a suspended account. */
  policy: {
    name: 'account-suspensions',
    scan: async (except) => {
      const { rows } = await sql<Suspension>`
        select a.space_id as "spaceId", a.suspended, a.suspension_revision as revision
        from rm_accounts a left join identity.account_suspensions s on s.space_id = a.space_id
        where a.suspension_revision > 0 and a.space_id <> ${allOf(except)} and (
          s.revision is null or s.revision < a.suspension_revision
          or (s.suspended and exists (select from identity.people p where p.home_space_id = a.space_id and not p.suspended)))
        limit ${FULL_SCAN}`.execute(db)
      return due(
        rows,
        ({ spaceId }) => spaceId,
        (one) => apply(db, one),
      )
    },
  } satisfies Sweep,
})
export type Suspensions = ReturnType<typeof createSuspensions>
