import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { dayIn, type Zone } from '#domain/kit/time-zone'
import type { ChargedDay, ChargedLine, InvoiceCharges, PeriodClaim } from '#commands/invoice/invoice-port'
import { NOW, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { lockAccount } from '../delivery/charged-hours.ts'
import { EVERY_WHITE_LABEL } from './number-gap.ts'

/** Any number: one process at a time takes a number of a white-label. */
const NUMBER_LOCK = 7_240_002

/** Hours of campaigns that one transaction takes or frees: a part of a second, however many an invoice has. */
const HOURS_AT_ONCE = 10_000

/** Charges, periods and numbers of invoices in PostgreSQL. */
export function createInvoiceCharges(db: Kysely<Db>): InvoiceCharges {
  return {
    claimPeriod: (claim) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, claim.spaceId)
        return claimPeriod(tx, claim)
      }),

    async releasePeriod(invoiceId) {
      await db.deleteFrom('app.invoice_periods').where('invoice_id', '=', invoiceId).where('issued', '=', false).execute()
    },

    async freePeriod({ invoiceId, spaceId, from, to, latestFrom, earliestTo }) {
      const found = await overlapping(db, { invoiceId, spaceId, from, to })
        .select((eb) => [
          eb.fn
            .max<Date | null>('to_at')
            .filterWhere('from_at', '<=', timestamptz(from))
            .filterWhere('to_at', '<', timestamptz(latestFrom))
            .as('after'),
          eb.fn
            .min<Date | null>('from_at')
            .filterWhere('to_at', '>=', timestamptz(to))
            .filterWhere('from_at', '>', timestamptz(earliestTo))
            .as('until'),
        ])
        .executeTakeFirst()
      return { from: found?.after?.toISOString() ?? from, to: found?.until?.toISOString() ?? to }
    },

    async lastPeriodEnd({ spaceId, invoiceId, before }) {
      const periods = await db
        .selectFrom('app.invoice_periods')
        .select((eb) => eb.fn.max<Date | null>('to_at').as('last'))
        .where('space_id', '=', spaceId)
        .where('invoice_id', '<>', invoiceId)
        .where('from_at', '<', timestamptz(before))
        .executeTakeFirst()
      return periods?.last?.toISOString() ?? null
    },

    async takeCharges({ invoiceId, spaceId, whitelabelId, from, to, year, issuedAt }) {
      const attempt = { claim: { invoiceId, spaceId, from, to }, issuedAt }
      for (let part = await takePart(db, attempt, null); part !== null; part = await takePart(db, attempt, part.last)) {
        if (part.last !== null) continue
        return db.transaction().execute(async (tx) => ({
          number: await takeNumber(tx, { documentId: invoiceId, whitelabelId, year }),
          lines: await linesOf(tx, invoiceId),
        }))
      }
      return null
    },

    takeNumber: (take) => db.transaction().execute((tx) => takeNumber(tx, take)),

    async freeCharges(invoiceId) {
      while (await freePart(db, invoiceId));
      await db.deleteFrom('app.invoice_periods').where('invoice_id', '=', invoiceId).execute()
    },

    async draftLines(claim) {
      const { rows } = await sql<ChargedLine>`
        select campaign_id, late, sum(amount)::float8 as amount, ${IMPRESSIONS} as impressions from (${hoursOfDraft(claim)}) o
        group by campaign_id, late order by late, campaign_id`.execute(db)
      return rows
    },

    async draftTotals(claims) {
      const { rows } = await sql<{ readonly id: string; readonly total: number }>`
        select d.id, sum(o.amount)::float8 as total
        from unnest(${claims.map(({ invoiceId }) => invoiceId)}::text[], ${claims.map(({ spaceId }) => spaceId)}::text[],
          ${claims.map(({ from }) => from)}::timestamptz[], ${claims.map(({ to }) => to)}::timestamptz[])
          as d(id, space_id, from_at, to_at)
        cross join lateral (${hoursFor(sql`d.id`, sql`d.space_id`, sql`d.from_at`, sql`d.to_at`)}) o
        group by d.id`.execute(db)
      return new Map(rows.map(({ id, total }) => [id, total]))
    },

    async hasCharges(claim) {
      const { rows } = await sql<{ readonly found: boolean }>`select exists (${hoursOfDraft(claim)}) as found`.execute(db)
      return rows[0]?.found ?? false
    },

    async daysOfLine({ claim, campaignId, late, zone, isDraft }) {
      const hours = isDraft
        ? hoursOfDraft(claim)
        : sql`
          select space_id, campaign_id, hour, first_settlement, last_settlement, amount, late
          from app.charged_hours where invoice_id = ${claim.invoiceId}`
      // One statement: a settlement may be recorded or condensed meanwhile.
      const { rows } = await sql<ChargedHour>`
        with line as materialized (select * from (${hours}) h where h.campaign_id = ${campaignId} and h.late = ${late})
        select hour, null::integer as settlement, sum(amount)::float8 as amount from line group by hour
        union all
        select l.hour, c.settlement, sum(c.amount)::float8 from line l
        join app.delivery_charges c on c.space_id = l.space_id and c.campaign_id = l.campaign_id and c.hour = l.hour
          and c.settlement between l.first_settlement and l.last_settlement
        group by l.hour, c.settlement`.execute(db)
      return daysOf(rows, zone)
    },

    async openMonths(before) {
      // Steps from account to account in the index of open hours: it costs by accounts, not by hours.
      const { rows } = await sql<{ readonly space_id: string; readonly first: Date }>`
        with recursive accounts(space_id) as (
          (select space_id from app.charged_hours where invoice_id is null order by space_id limit 1)
          union all
          select (select h.space_id from app.charged_hours h where h.invoice_id is null and h.space_id > a.space_id
            order by h.space_id limit 1)
          from accounts a where a.space_id is not null
        )
        select a.space_id, oldest.hour as first
        from accounts a cross join lateral (
          select h.hour from app.charged_hours h where h.space_id = a.space_id and h.invoice_id is null order by h.hour limit 1
        ) oldest
        where a.space_id is not null and oldest.hour < ${before}::timestamptz`.execute(db)
      return rows.map(({ space_id: spaceId, first }) => ({ spaceId, first: first.toISOString() }))
    },

    async staleClaims(minutes) {
      const rows = await db
        .selectFrom('app.invoice_periods')
        .select('invoice_id')
        .where('issued', '=', false)
        .where('claimed_at', '<', sql<Date>`now() - make_interval(mins => ${minutes})`)
        .execute()
      return rows.map(({ invoice_id: id }) => id)
    },
  }
}

/** Null when one of the charges has no count: a part of them would be wrong. */
const IMPRESSIONS = sql<number | null>`case when bool_and(impressions is not null) then sum(impressions)::float8 end`

/** `settlement` is null in the sum of the hour. */
type ChargedHour = { readonly hour: Date; readonly settlement: number | null; readonly amount: number }

/** Sums of the days of a zone, and of their settlements. */
function daysOf(hours: readonly ChargedHour[], zone: Zone): readonly ChargedDay[] {
  const days = new Map<string, { amount: number; readonly settlements: Map<number, number> }>()
  for (const { hour, settlement, amount } of hours) {
    const day = dayIn(hour.getTime(), zone)
    const known = days.get(day) ?? { amount: 0, settlements: new Map<number, number>() }
    if (settlement === null) known.amount += amount
    else known.settlements.set(settlement, (known.settlements.get(settlement) ?? 0) + amount)
    days.set(day, known)
  }
  return [...days]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, { amount, settlements }]) => ({
      day,
      amount,
      settlements: [...settlements].map(([number, part]) => ({ number, amount: part })).toSorted((a, b) => a.number - b.number),
    }))
}

/** Under the lock of the account. */
async function claimPeriod(tx: Transaction<Db>, { invoiceId, spaceId, from, to }: PeriodClaim): Promise<boolean> {
  const other = await overlapping(tx, { invoiceId, spaceId, from, to }).select('invoice_id').limit(1).executeTakeFirst()
  if (other !== undefined) return false
  await tx
    .insertInto('app.invoice_periods')
    .values({ invoice_id: invoiceId, space_id: spaceId, from_at: from, to_at: to })
    .onConflict((conflict) =>
      conflict
        .column('invoice_id')
        .doUpdateSet({ from_at: from, to_at: to, claimed_at: NOW })
        .where('app.invoice_periods.issued', '=', false),
    )
    .execute()
  return true
}

/** Periods of other invoices of the account that have a part of this one. */
const overlapping = (db: Kysely<Db>, { invoiceId, spaceId, from, to }: PeriodClaim) =>
  db
    .selectFrom('app.invoice_periods')
    .where('space_id', '=', spaceId)
    .where('invoice_id', '<>', invoiceId)
    .where('from_at', '<', timestamptz(to))
    .where('to_at', '>', timestamptz(from))

/**
 * Hours that an invoice of this period takes: settled in the ledger and on no invoice, of the period itself, or older ones that no
 * draft claims (fine print 65).
 */
const openHours = (id: Expr, spaceId: Expr, from: Expr, to: Expr) => sql`
  select c.ctid as place, c.space_id, c.campaign_id, c.hour, c.first_settlement, c.last_settlement, c.amount, c.impressions, c.hour < ${from} as late
  from app.charged_hours c
  where c.space_id = ${spaceId} and c.invoice_id is null and c.hour < ${to}
    and (c.hour >= ${from} or not exists (
      select from app.invoice_periods p
      where p.space_id = ${spaceId} and p.invoice_id <> ${id} and not p.issued and c.hour >= p.from_at and c.hour < p.to_at))`

/** The same with what the invoice took already: it is being issued in several transactions. */
const hoursFor = (id: Expr, spaceId: Expr, from: Expr, to: Expr) => sql`
  ${openHours(id, spaceId, from, to)}
  union all
  select t.ctid, t.space_id, t.campaign_id, t.hour, t.first_settlement, t.last_settlement, t.amount, t.impressions, t.late
  from app.charged_hours t where t.invoice_id = ${id}`

type Expr = RawBuilder<unknown>
const ofClaim = ({ invoiceId, spaceId, from, to }: PeriodClaim): readonly [Expr, Expr, Expr, Expr] => [
  sql`${invoiceId}::text`,
  sql`${spaceId}::text`,
  sql`${from}::timestamptz`,
  sql`${to}::timestamptz`,
]
const hoursOfDraft = (claim: PeriodClaim) => hoursFor(...ofClaim(claim))

/** The last hour that a part took, in the order of taking. */
type Taken = { readonly hour: Date; readonly campaign_id: string; readonly first_settlement: number }
type Attempt = { readonly claim: PeriodClaim; readonly issuedAt: string }

/**
 * Takes the next hours of an attempt to issue an invoice. `last` is null once the attempt has all of them, for every process and every
 * repeat; null when there are none to take. After a crash the next call begins with what is left.
 */
const takePart = (db: Kysely<Db>, { claim, issuedAt }: Attempt, after: Taken | null): Promise<{ last: Taken | null } | null> =>
  db.transaction().execute(async (tx) => {
    const { invoiceId } = claim
    await lockAccount(tx, claim.spaceId)
    const attempts = tx.selectFrom('app.invoice_attempts').where('invoice_id', '=', invoiceId).where('issued_at', '=', issuedAt)
    const known = await attempts.select(['taken', 'complete']).executeTakeFirst()
    // A second process that finishes the attempt: charges that were settled meanwhile belong to a later invoice.
    if (known?.complete === true) return known.taken ? { last: null } : null
    const isFree = known !== undefined || (await claimPeriod(tx, claim))
    const part = isFree ? await mark(tx, claim, after) : null
    const last = part?.hours === HOURS_AT_ONCE ? part.last : null
    const taken = known !== undefined || part !== null
    await tx
      .insertInto('app.invoice_attempts')
      .values({ invoice_id: invoiceId, issued_at: issuedAt, taken, complete: last === null })
      .onConflict((conflict) => conflict.columns(['invoice_id', 'issued_at']).doUpdateSet({ complete: last === null }))
      .execute()
    if (!taken) return null
    if (last === null)
      await tx.updateTable('app.invoice_periods').set({ issued: true }).where('invoice_id', '=', invoiceId).execute()
    return { last }
  })

/** Takes the first open hours after one, under the lock of the account; null when there are none. */
async function mark(tx: Transaction<Db>, claim: PeriodClaim, after: Taken | null) {
  const next =
    after === null
      ? sql`true`
      : sql`(o.hour, o.campaign_id, o.first_settlement) > (${after.hour}, ${after.campaign_id}, ${after.first_settlement})`
  // The hour alone, where the index can begin: what was taken has left dead entries before it.
  const since = after === null ? sql`true` : sql`o.hour >= ${after.hour}`
  const { rows } = await sql<Taken & { readonly hours: number }>`
    with o as materialized (
      select * from (${openHours(...ofClaim(claim))}) o where ${since} and ${next}
      order by hour, campaign_id, first_settlement limit ${HOURS_AT_ONCE}
    ), marked as (
      update app.charged_hours d set invoice_id = ${claim.invoiceId}, late = o.late from o
      where d.ctid = o.place
    )
    select hour, campaign_id, first_settlement, (select count(*)::int from o) as hours from o
    order by hour desc, campaign_id desc, first_settlement desc limit 1`.execute(tx)
  const [last] = rows
  return last === undefined ? null : { hours: last.hours, last }
}

/** Frees some hours of an invoice; false when it has no more. */
async function freePart(db: Kysely<Db>, invoiceId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update app.charged_hours h set invoice_id = null, late = false
    from (select ctid as place from app.charged_hours where invoice_id = ${invoiceId} limit ${HOURS_AT_ONCE}) as part
    where h.ctid = part.place`.execute(db)
  return numAffectedRows > 0n
}

async function takeNumber(
  tx: Transaction<Db>,
  { documentId, whitelabelId, year }: { readonly documentId: string; readonly whitelabelId: string; readonly year: number },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(${NUMBER_LOCK}, hashtext(${whitelabelId}))`.execute(tx)
  await sql`
    insert into app.invoice_numbers (whitelabel_id, number, document_id, year)
    select ${whitelabelId}, greatest(own, after_restore, 0) + 1, ${documentId}, ${year}
    from (select (select max(number) from app.invoice_numbers where whitelabel_id = ${whitelabelId}) as own,
      (select max(number) from app.invoice_numbers where whitelabel_id = ${EVERY_WHITE_LABEL}) as after_restore) as numbers
    on conflict (document_id) do nothing`.execute(tx)
  const numbers = tx.selectFrom('app.invoice_numbers').select('number')
  const row = await numbers.where('document_id', '=', documentId).executeTakeFirst()
  if (row === undefined) throw new Error(`document ${documentId} has no number`)
  return row.number
}

async function linesOf(db: Kysely<Db>, invoiceId: string): Promise<readonly ChargedLine[]> {
  return db
    .selectFrom('app.charged_hours')
    .select(['campaign_id', 'late', sql<number>`sum(amount)::float8`.as('amount'), IMPRESSIONS.as('impressions')])
    .where('invoice_id', '=', invoiceId)
    .groupBy(['campaign_id', 'late'])
    .orderBy('late')
    .orderBy('campaign_id')
    .execute()
}
