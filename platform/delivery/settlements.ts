import { sql, type Kysely } from 'kysely'
import { sumOf } from '#domain/kit/money'
import { allOf } from '#eventstore/postgres/expressions'
import { chargesHash } from '#commands/delivery/charges-hash'
import { MOST_CHARGES, type Settlements } from '#commands/delivery/delivery-port'
import type { Db } from '#migrations/db'
import { addToHours, lockAccount } from './charged-hours.ts'

/** Any number: one process at a time prepares the settlement of an account. */
const SETTLEMENT_LOCK = 7_201_641

/** Charges and their settlements in PostgreSQL. */
export const createSettlements = (db: Kysely<Db>): Settlements => ({
  async due(olderThanMs, limit, except) {
    const { rows } = await sql<{ readonly space_id: string }>`
      select space_id from app.settlements where not recorded and space_id <> ${allOf(except)}
      union
      select space_id from app.delivery_charges
      where settlement is null and space_id <> ${allOf(except)} and charged_at <= now() - make_interval(secs => ${olderThanMs / 1000})
      limit ${limit}`.execute(db)
    return rows.map(({ space_id: id }) => id)
  },

  prepare: (spaceId, month) =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${SETTLEMENT_LOCK}, hashtext(${spaceId}))`.execute(tx)
      const open = await openSettlement(tx, spaceId, month)
      if (open === null) return null
      // Books without spend are not open: the account's own stream had the settlement that was recorded for the month.
      const books = await sql<{ readonly previous: string | null; readonly opens: boolean }>`
        select max(month) filter (where month < ${open.month}) as previous, not coalesce(bool_or(month = ${open.month}), false) as opens
        from app.ledgers where space_id = ${spaceId} and spent > 0`.execute(tx)
      const charges = await chargesOf(tx, spaceId, open.number)
      const campaigns = new Map<string, number>()
      for (const { campaign_id: id, amount } of charges) campaigns.set(id, (campaigns.get(id) ?? 0) + amount)
      return {
        spaceId,
        ...open,
        previous: books.rows[0]?.previous ?? null,
        opens: books.rows[0]?.opens ?? true,
        amount: [...campaigns.values()].reduce((sum, amount) => sum + amount, 0),
        charges: {
          count: charges.length,
          first: charges[0]?.batch_id ?? '',
          last: charges.at(-1)?.batch_id ?? '',
          sha256: chargesHash(charges),
        },
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

  recorded: (spaceId, number, { month, spent }) =>
    db.transaction().execute(async (tx) => {
      await tx
        .insertInto('app.ledgers')
        .values({ space_id: spaceId, month, spent })
        .onConflict((conflict) =>
          conflict.columns(['space_id', 'month']).doUpdateSet({ spent: sql`greatest(app.ledgers.spent, excluded.spent)` }),
        )
        .execute()
      await lockAccount(tx, spaceId)
      const fresh = await tx
        .updateTable('app.settlements')
        .set({ recorded: true })
        .where('space_id', '=', spaceId)
        .where('number', '=', number)
        // A second process that recorded the same settlement adds nothing
        // ("the charged hours of an account have each settlement once, by however many processes it is recorded at once").
        .where('recorded', '=', false)
        .returning('number')
        .executeTakeFirst()
      if (fresh !== undefined) await addToHours(tx, spaceId, number)
    }),

  async over(month, limit) {
    const { rows } = await sql<{ readonly spaceId: string; readonly month: string }>`
      select l.space_id as "spaceId", l.month from app.ledgers l
      where not l.closed and l.month < ${month} and not exists (
        select from app.settlements s where s.space_id = l.space_id and s.month = l.month and not s.recorded)
      limit ${limit}`.execute(db)
    return rows
  },

  async closed(spaceId, month) {
    await db.updateTable('app.ledgers').set({ closed: true }).where('space_id', '=', spaceId).where('month', '=', month).execute()
  },

  async booked(spaceId) {
    const row = await db
      .selectFrom('app.ledgers')
      .select(sql<bigint>`coalesce(sum(spent), 0)::bigint`.as('booked'))
      .where('space_id', '=', spaceId)
      .executeTakeFirst()
    return sumOf(row?.booked ?? 0n)
  },
})

type OpenSettlement = { readonly number: number; readonly month: string }

/** The oldest settlement that the books may lack, or a new one of the oldest open charges. */
async function openSettlement(tx: Kysely<Db>, spaceId: string, month: string): Promise<OpenSettlement | null> {
  // A settlement of before has no month: its account's own stream has it, or the books get it.
  const thisMonth = sql<string>`greatest(${month}, (select max(month) from app.ledgers where space_id = ${spaceId}))`
  const { rows: known } = await sql<OpenSettlement>`
    update app.settlements set month = coalesce(month, ${thisMonth})
    where space_id = ${spaceId}
      and number = (select min(number) from app.settlements where space_id = ${spaceId} and not recorded)
    returning number, month`.execute(tx)
  if (known[0] !== undefined) return known[0]
  const { rows } = await sql<OpenSettlement>`
    insert into app.settlements (space_id, number, month)
    select ${spaceId}, coalesce((select max(number) from app.settlements where space_id = ${spaceId}), 0) + 1, ${thisMonth}
    where exists (select from app.delivery_charges where space_id = ${spaceId} and settlement is null)
    returning number, month`.execute(tx)
  const [made] = rows
  if (made === undefined) return null
  await sql`
    update app.delivery_charges c set settlement = ${made.number}
    from (
      select batch_id, campaign_id, hour from app.delivery_charges
      where space_id = ${spaceId} and settlement is null order by charged_at, batch_id, campaign_id, hour limit ${MOST_CHARGES}
    ) as oldest
    where c.batch_id = oldest.batch_id and c.campaign_id = oldest.campaign_id and c.hour = oldest.hour`.execute(tx)
  return made
}

/** The charges of a settlement, in the order in which its books name them. */
export async function chargesOf(db: Kysely<Db>, spaceId: string, settlement: number) {
  const rows = await db
    .selectFrom('app.delivery_charges')
    .select(['batch_id', 'campaign_id', 'hour', 'amount'])
    .where('space_id', '=', spaceId)
    .where('settlement', '=', settlement)
    .orderBy('batch_id')
    .orderBy('campaign_id')
    .orderBy('hour')
    .execute()
  return rows.map(({ amount, ...charge }) => ({ ...charge, amount: Number(amount) }))
}
