import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import type { BatchInbox, IncomingBatch } from '#commands/delivery/delivery-port'
import { bill, dayOf, type BilledBefore, type DeliveredCampaign, type DeliveryRow, type Fact } from '#domain/delivery/batch'
import type { Micros } from '#domain/kit/money'
import { allOf, anyOf } from '#eventstore/postgres/expressions'
import type { AppCampaignSpend, Db } from '#migrations/db'

/** A batch that is being stored is not stored by another process for this long, seconds. */
const STORING_SECONDS = 5
/** Most batches that are put into a group at once. */
const BATCHES_AT_ONCE = 1000
const HOUR_MS = 3_600_000
const FACTS = sql<readonly Fact[] | null>`facts`.as('facts')

/** A fact store of the same database: it stores a batch in the transaction that accepts it. */
export type FactsHere = {
  /** Prepares what must be there before the transaction. */
  readonly prepare: (facts: readonly Located[]) => Promise<void>
  readonly insert: (tx: Kysely<Db>, batch: { readonly id: string; readonly facts: readonly Fact[] }) => Promise<void>
}
type Located = DeliveryRow & Pick<Fact, 'space_id' | 'whitelabel_id'>

/** Another process accepted the batch first: what this transaction billed is taken back. */
class AcceptedMeanwhile extends Error {}

/** Accepted batches and billed spend in PostgreSQL. Without `here`, facts wait in the inbox until they are stored elsewhere. */
export function createBatchInbox(db: Kysely<Db>, here: FactsHere | null = null): BatchInbox {
  async function insert(tx: Transaction<Db>, { id, bodyHash, bidder, rows }: IncomingBatch, facts: readonly Fact[]) {
    const sum = (amount: 'billed' | 'overdelivered') => facts.reduce((total, fact) => total + fact[amount], 0)
    const fresh = await tx
      .insertInto('app.delivery_batches')
      .values({
        id,
        body_hash: bodyHash,
        bidder,
        rows: rows.length,
        spent: sum('billed'),
        overdelivered: sum('overdelivered'),
        facts: here === null ? JSON.stringify(facts) : null,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (fresh === undefined) throw new AcceptedMeanwhile()
  }

  return {
    async find(id) {
      const batch = await db
        .selectFrom('app.delivery_batches')
        .select(['body_hash as bodyHash', FACTS])
        .where('id', '=', id)
        .executeTakeFirst()
      return batch ?? null
    },

    async accept(batch, campaigns) {
      await here?.prepare(batch.rows.map((row) => ({ ...row, ...ownerOf(row, campaigns) })))
      try {
        return await db.transaction().execute(async (tx) => {
          const facts = bill(batch.rows, campaigns, await billedBefore(tx, daysOf(batch.rows, campaigns)))
          await insert(tx, batch, facts)
          await addSpend(tx, spendOf(facts, campaigns))
          await addCharges(tx, batch.id, facts)
          await here?.insert(tx, { id: batch.id, facts })
          return { facts: here === null ? facts : null }
        })
      } catch (error) {
        if (error instanceof AcceptedMeanwhile) return null
        throw error
      }
    },

    group: (ids) =>
      db.transaction().execute(async (tx) => {
        const free = await waiting(tx).where('id', '=', anyOf(ids)).orderBy('id').forUpdate().execute()
        return assign(tx, free)
      }),

    async stored(group) {
      await db
        .updateTable('app.delivery_batches')
        .set({ facts: null })
        .where('fact_group', '=', group)
        .where('facts', 'is not', null)
        .execute()
    },

    async unstored(rows, except) {
      await db.transaction().execute(async (tx) => {
        const left = await waiting(tx)
          .where(isLeft)
          .orderBy('received_at')
          .limit(BATCHES_AT_ONCE)
          .forUpdate()
          .skipLocked()
          .execute()
        let sum = 0
        await assign(
          tx,
          left.filter((batch) => (sum += batch.rows) <= rows || sum === batch.rows),
        )
      })
      const { rows: groups } = await sql<{ readonly id: string; readonly batches: readonly (readonly Fact[])[] }>`
        select fact_group as id, json_agg(facts order by id) as batches from app.delivery_batches
        where facts is not null and fact_group in (
          select fact_group from app.delivery_batches
          where facts is not null and fact_group is not null and fact_group <> ${allOf(except)} and ${isLeft} order by received_at limit 1
        )
        group by 1`.execute(db)
      return groups.map(({ id, batches }) => ({ id, facts: batches.flat() }))
    },
  }
}

/** Batches that wait for the fact store and are in no group. */
const waiting = (tx: Kysely<Db>) =>
  tx.selectFrom('app.delivery_batches').select(['id', 'rows']).where('facts', 'is not', null).where('fact_group', 'is', null)

/** Left behind by the process that accepted it. */
const isLeft = sql<boolean>`received_at < now() - make_interval(secs => ${STORING_SECONDS})`

/** Makes a group of these batches, which are locked, under the id of the first. */
async function assign(tx: Kysely<Db>, batches: readonly { readonly id: string }[]): Promise<readonly string[]> {
  const ids = batches.map(({ id }) => id)
  const [group] = ids
  if (group !== undefined)
    await tx.updateTable('app.delivery_batches').set({ fact_group: group }).where('id', '=', anyOf(ids)).execute()
  return ids
}

function ownerOf({ campaign_id: id }: DeliveryRow, campaigns: ReadonlyMap<string, DeliveredCampaign>) {
  const campaign = campaigns.get(id)
  if (campaign === undefined) throw new Error(`no campaign ${id}`)
  return { space_id: campaign.space_id, whitelabel_id: campaign.whitelabel_id }
}

/** Locks the campaigns' totals, in order of their ids so that concurrent batches cannot deadlock, and reads what was billed. */
async function billedBefore(
  tx: Transaction<Db>,
  daysOfCampaign: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<ReadonlyMap<string, BilledBefore>> {
  const ordered = [...daysOfCampaign.keys()].toSorted()
  const asked = ordered.flatMap((id) => [...(daysOfCampaign.get(id) ?? [])].map((day) => ({ id, day })))
  await sql`
    insert into app.campaign_spend_totals (campaign_id, billed, overdelivered)
    select id, 0, 0 from unnest(${ordered}::text[]) as t(id) order by id
    on conflict (campaign_id) do nothing`.execute(tx)
  const totals = await tx
    .selectFrom('app.campaign_spend_totals')
    .select(['campaign_id', 'billed'])
    .where('campaign_id', '=', anyOf(ordered))
    .orderBy('campaign_id')
    .forUpdate()
    .execute()
  const { rows: days } = await sql<Pick<Selectable<AppCampaignSpend>, 'campaign_id' | 'day' | 'billed'>>`
    select s.campaign_id, s.day, s.billed
    from unnest(${asked.map(({ id }) => id)}::text[], ${asked.map(({ day }) => day)}::date[]) as asked(id, day)
    join app.campaign_spend s on s.campaign_id = asked.id and s.day = asked.day`.execute(tx)
  const byCampaign = new Map<string, Map<string, Micros>>()
  for (const { campaign_id: id, day, billed } of days)
    byCampaign.set(id, (byCampaign.get(id) ?? new Map<string, Micros>()).set(day, Number(billed)))
  return new Map(
    totals.map(({ campaign_id: id, billed }) => [id, { total: Number(billed), days: byCampaign.get(id) ?? new Map() }]),
  )
}

/** The local days of a batch's rows, by campaign. */
function daysOf(
  rows: readonly Pick<DeliveryRow, 'hour' | 'campaign_id'>[],
  campaigns: ReadonlyMap<string, DeliveredCampaign>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const hours = new Map<string, Set<string>>()
  for (const { hour, campaign_id: id } of rows) hours.set(id, (hours.get(id) ?? new Set()).add(hour))
  return new Map(
    [...campaigns.values()].map((campaign) => [
      campaign.id,
      new Set([...(hours.get(campaign.id) ?? [])].map((hour) => dayOf(hour, campaign))),
    ]),
  )
}

type DaySpend = {
  readonly campaign_id: string
  readonly day: string
  billed: Micros
  overdelivered: Micros
  /** End of the last hour that was billed, ISO 8601; null when nothing was. */
  until: string | null
}

function spendOf(facts: readonly Fact[], campaigns: ReadonlyMap<string, DeliveredCampaign>): readonly DaySpend[] {
  const hours = new Map<string, { readonly campaign_id: string; readonly hour: string; billed: Micros; overdelivered: Micros }>()
  for (const { campaign_id, hour, billed, overdelivered } of facts) {
    const key = `${campaign_id} ${hour}`
    const sum = hours.get(key) ?? { campaign_id, hour, billed: 0, overdelivered: 0 }
    sum.billed += billed
    sum.overdelivered += overdelivered
    hours.set(key, sum)
  }
  const days = new Map<string, DaySpend>()
  for (const { campaign_id, hour, billed, overdelivered } of hours.values()) {
    const campaign = campaigns.get(campaign_id)
    if (campaign === undefined) continue
    const day = dayOf(hour, campaign)
    const key = `${campaign_id} ${day}`
    const sum: DaySpend = days.get(key) ?? { campaign_id, day, billed: 0, overdelivered: 0, until: null }
    sum.billed += billed
    sum.overdelivered += overdelivered
    const end = new Date(Date.parse(hour) + HOUR_MS).toISOString()
    if (billed > 0 && (sum.until === null || end > sum.until)) sum.until = end
    days.set(key, sum)
  }
  return [...days.values()]
}

async function addSpend(tx: Transaction<Db>, days: readonly DaySpend[]): Promise<void> {
  const text = JSON.stringify(days)
  await sql`
    insert into app.campaign_spend as s (campaign_id, day, billed, overdelivered)
    select campaign_id, day, billed, overdelivered
    from json_to_recordset(${text}::json) as t(campaign_id text, day date, billed bigint, overdelivered bigint)
    on conflict (campaign_id, day) do update
    set billed = s.billed + excluded.billed, overdelivered = s.overdelivered + excluded.overdelivered`.execute(tx)
  await sql`
    update app.campaign_spend_totals s
    set billed = s.billed + t.billed, overdelivered = s.overdelivered + t.overdelivered,
        last_billed_until = greatest(s.last_billed_until, t.until), updated_at = clock_timestamp()
    from (
      select campaign_id, sum(billed) as billed, sum(overdelivered) as overdelivered, max(until) as until
      from json_to_recordset(${text}::json) as d(campaign_id text, billed bigint, overdelivered bigint, until timestamptz)
      group by campaign_id
    ) t
    where s.campaign_id = t.campaign_id`.execute(tx)
}

async function addCharges(tx: Transaction<Db>, batchId: string, facts: readonly Fact[]): Promise<void> {
  const charges = new Map<string, { space_id: string; campaign_id: string; hour: string; amount: Micros; impressions: number }>()
  for (const { space_id, campaign_id, hour, billed, impressions } of facts) {
    const key = `${campaign_id} ${hour}`
    const charge = charges.get(key) ?? { space_id, campaign_id, hour, amount: 0, impressions: 0 }
    charge.amount += billed
    // Rows that are not charged at all are no part of what an invoice prices.
    if (billed > 0) charge.impressions += impressions
    charges.set(key, charge)
  }
  const billed = [...charges.values()].filter(({ amount }) => amount > 0)
  if (billed.length === 0) return
  await sql`
    insert into app.delivery_charges (batch_id, space_id, campaign_id, hour, amount, impressions)
    select ${batchId}, space_id, campaign_id, hour, amount, impressions
    from json_to_recordset(${JSON.stringify(billed)}::json) as t(space_id text, campaign_id text, hour timestamptz, amount bigint, impressions bigint)`.execute(
    tx,
  )
}
