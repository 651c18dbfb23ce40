import { sql, type Kysely, type Selectable } from 'kysely'
import type { Settlements } from '#commands/delivery/delivery-port'
import type { AppSettlements, Db } from '#migrations/db'

/** Any number: one process at a time prepares the settlement of an account. */
const SETTLEMENT_LOCK = 7_201_641

/** Charges of a settlement: an event names their batches, and an append has a largest size. */
export const MOST_CHARGES = 500

/** Charges and their settlements in PostgreSQL. */
export const createSettlements = (db: Kysely<Db>): Settlements => ({
  async due(olderThanMs, limit) {
    const { rows } = await sql<{ readonly space_id: string }>`
      select space_id from app.settlements where not recorded
      union
      select space_id from app.delivery_charges
      where settlement is null and charged_at <= now() - make_interval(secs => ${olderThanMs / 1000})
      limit ${limit}`.execute(db)
    return rows.map(({ space_id: id }) => id)
  },

  prepare: (spaceId) =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${SETTLEMENT_LOCK}, hashtext(${spaceId}))`.execute(tx)
      const known = await tx
        .selectFrom('app.settlements')
        .select('number')
        .where('space_id', '=', spaceId)
        .where('recorded', '=', false)
        .orderBy('number')
        .limit(1)
        .executeTakeFirst()
      let number = known?.number
      if (number === undefined) {
        const { rows } = await sql<Pick<Selectable<AppSettlements>, 'number'>>`
          insert into app.settlements (space_id, number)
          select ${spaceId}, coalesce((select max(number) from app.settlements where space_id = ${spaceId}), 0) + 1
          where exists (select from app.delivery_charges where space_id = ${spaceId} and settlement is null)
          returning number`.execute(tx)
        number = rows[0]?.number
        if (number === undefined) return null
        await sql`
          update app.delivery_charges c set settlement = ${number}
          from (
            select batch_id, campaign_id, hour from app.delivery_charges
            where space_id = ${spaceId} and settlement is null order by charged_at, batch_id, campaign_id, hour limit ${MOST_CHARGES}
          ) as oldest
          where c.batch_id = oldest.batch_id and c.campaign_id = oldest.campaign_id and c.hour = oldest.hour`.execute(tx)
      }
      const charges = await tx
        .selectFrom('app.delivery_charges')
        .select(['batch_id', 'campaign_id', 'amount'])
        .where('space_id', '=', spaceId)
        .where('settlement', '=', number)
        .orderBy('batch_id')
        .orderBy('campaign_id')
        .orderBy('hour')
        .execute()
      const campaigns = new Map<string, number>()
      for (const { campaign_id: id, amount } of charges) campaigns.set(id, (campaigns.get(id) ?? 0) + Number(amount))
      return {
        spaceId,
        number,
        amount: [...campaigns.values()].reduce((sum, amount) => sum + amount, 0),
        batches: [...new Set(charges.map(({ batch_id: id }) => id))],
        campaigns: [...campaigns].map(([campaign_id, amount]) => ({ campaign_id, amount })),
      }
    }),

  split: (spaceId, number) =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${SETTLEMENT_LOCK}, hashtext(${spaceId}))`.execute(tx)
      const { numAffectedRows } = await sql`
        update app.delivery_charges c set settlement = null
        from (
          select batch_id, campaign_id, hour from app.delivery_charges
          where space_id = ${spaceId} and settlement = ${number} order by charged_at, batch_id, campaign_id, hour offset ${MOST_CHARGES}
        ) as others
        where c.batch_id = others.batch_id and c.campaign_id = others.campaign_id and c.hour = others.hour
          and exists (select from app.settlements where space_id = ${spaceId} and number = ${number} and not recorded)`.execute(
        tx,
      )
      return (numAffectedRows ?? 0n) > 0n
    }),

  async recorded(spaceId, number) {
    await db
      .updateTable('app.settlements')
      .set({ recorded: true })
      .where('space_id', '=', spaceId)
      .where('number', '=', number)
      .execute()
  },
})
