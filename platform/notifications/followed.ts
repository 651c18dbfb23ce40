import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** The position from which events are read, under this name in `app.mail_cursor`. */
const CURSOR = 'notifications'

/** How far notifications have followed the log, and the notices of low balances that accounts had before. */
export const createFollowed = (db: Kysely<Db>) => ({
  /** The stored position; `head` at the first start. */
  async position(head: bigint): Promise<bigint> {
    await db
      .insertInto('app.mail_cursor')
      .values({ name: CURSOR, position: head })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const cursor = await db.selectFrom('app.mail_cursor').select('position').where('name', '=', CURSOR).executeTakeFirst()
    return BigInt(cursor?.position ?? 0)
  },

  async moveTo(position: bigint): Promise<void> {
    await db
      .updateTable('app.mail_cursor')
      .set({ position })
      .where('name', '=', CURSOR)
      .where('position', '<', position)
      .execute()
  },

  /**
   * Keeps the notices of an account by the version of their event, in the caller's transaction, which holds the account until it ends.
   * Returns those it had before; null when this event was handled before.
   */
  async replaceNotices(
    tx: Kysely<Db>,
    spaceId: string,
    { notices, version }: { readonly notices: readonly string[]; readonly version: number },
  ): Promise<readonly string[] | null> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`notices ${spaceId}`}, 7202))`.execute(tx)
    const mailed = tx.selectFrom('app.mailed_notices').select(['notices', 'version'])
    const known = await mailed.where('space_id', '=', spaceId).executeTakeFirst()
    if (known !== undefined && known.version >= version) return null
    await tx
      .insertInto('app.mailed_notices')
      .values({ space_id: spaceId, notices: [...notices], version })
      .onConflict((conflict) =>
        conflict
          .column('space_id')
          .doUpdateSet((eb) => ({ notices: eb.ref('excluded.notices'), version: eb.ref('excluded.version') })),
      )
      .execute()
    return known?.notices ?? []
  },
})
export type Followed = ReturnType<typeof createFollowed>
