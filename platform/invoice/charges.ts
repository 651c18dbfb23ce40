import { sql, type Kysely, type Transaction } from 'kysely'
import { dayIn, type Zone } from '#domain/kit/time-zone'
import type { ChargedDay, ChargedLine, InvoiceCharges, PeriodClaim } from '#commands/invoice/invoice-port'
import { NOW, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** Any numbers: one process at a time claims periods and takes charges of an account, or takes a number of a white-label. */
const ACCOUNT_LOCK = 7_240_001
const NUMBER_LOCK = 7_240_002

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

    takeCharges: ({ invoiceId, spaceId, whitelabelId, from, to, year, issuedAt }) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, spaceId)
        const known = await tx
          .selectFrom('app.invoice_attempts')
          .select('taken')
          .where('invoice_id', '=', invoiceId)
          .where('issued_at', '=', issuedAt)
          .executeTakeFirst()
        // A second process that finishes the attempt: charges that were settled meanwhile belong to a later invoice.
        if (known !== undefined && !known.taken) return null
        if (known === undefined) {
          const took = (await claimPeriod(tx, { invoiceId, spaceId, from, to }))
            ? await mark(tx, { invoiceId, spaceId, from, to })
            : 0
          const attempt = { invoice_id: invoiceId, issued_at: issuedAt, taken: took > 0 }
          await tx.insertInto('app.invoice_attempts').values(attempt).execute()
          if (took === 0) return null
          await tx.updateTable('app.invoice_periods').set({ issued: true }).where('invoice_id', '=', invoiceId).execute()
        }
        const number = await takeNumber(tx, { documentId: invoiceId, whitelabelId, year })
        return { number, lines: await linesOf(tx, invoiceId) }
      }),

    takeNumber: (take) => db.transaction().execute((tx) => takeNumber(tx, take)),

    freeCharges: (invoiceId) =>
      db.transaction().execute(async (tx) => {
        const free = { invoice_id: null, late: false }
        await tx.updateTable('app.delivery_charges').set(free).where('invoice_id', '=', invoiceId).execute()
        await tx.deleteFrom('app.invoice_periods').where('invoice_id', '=', invoiceId).execute()
      }),

    async draftLines(claim) {
      const { rows } = await sql<ChargedLine>`
        select campaign_id, late, sum(amount)::float8 as amount, ${IMPRESSIONS} as impressions from (${openCharges(claim)}) o
        group by campaign_id, late order by late, campaign_id`.execute(db)
      return rows
    },

    async daysOfLine({ claim, campaignId, late, zone, isDraft }) {
      const charges = isDraft
        ? openCharges(claim)
        : sql`select campaign_id, hour, amount, settlement, late from app.delivery_charges where invoice_id = ${claim.invoiceId}`
      const { rows } = await sql<ChargedHour>`
        select c.hour, c.settlement, sum(c.amount)::float8 as amount, count(*)::int as charges
        from (${charges}) c where c.campaign_id = ${campaignId} and c.late = ${late}
        group by 1, 2 order by 1, 2`.execute(db)
      return daysOf(rows, zone)
    },

    async openMonths(before) {
      const rows = await db
        .selectFrom('app.delivery_charges as c')
        .innerJoin('app.settlements as s', (join) =>
          join.onRef('s.space_id', '=', 'c.space_id').onRef('s.number', '=', 'c.settlement').on('s.recorded', '=', true),
        )
        .select((eb) => ['c.space_id', eb.fn.min('c.hour').as('first')])
        .where('c.invoice_id', 'is', null)
        .where('c.hour', '<', timestamptz(before))
        .groupBy('c.space_id')
        .execute()
      return rows.map(({ space_id, first }) => ({ spaceId: space_id, first: first.toISOString() }))
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

type ChargedHour = Omit<ChargedDay, 'day'> & { readonly hour: Date }

/** Sums of the days of a zone, by settlement. */
function daysOf(hours: readonly ChargedHour[], zone: Zone): readonly ChargedDay[] {
  const days = new Map<string, ChargedDay>()
  for (const { hour, settlement, amount, charges } of hours) {
    const day = dayIn(hour.getTime(), zone)
    const key = `${day} ${settlement}`
    const known = days.get(key) ?? { day, settlement, amount: 0, charges: 0 }
    days.set(key, { ...known, amount: known.amount + amount, charges: known.charges + charges })
  }
  return [...days.values()].sort((a, b) => (a.day === b.day ? a.settlement - b.settlement : a.day < b.day ? -1 : 1))
}

const lockAccount = (tx: Transaction<Db>, spaceId: string) =>
  sql`select pg_advisory_xact_lock(${ACCOUNT_LOCK}, hashtext(${spaceId}))`.execute(tx)

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
 * Charges that an invoice of this period takes: settled in the ledger and on no invoice, of the period itself, or older ones that no
 * draft claims (fine print 65).
 */
const openCharges = ({ invoiceId, spaceId, from, to }: PeriodClaim) => sql`
  select c.batch_id, c.campaign_id, c.hour, c.amount, c.impressions, c.settlement, c.hour < ${from}::timestamptz as late
  from app.delivery_charges c
  join app.settlements s on s.space_id = c.space_id and s.number = c.settlement and s.recorded
  where c.space_id = ${spaceId} and c.invoice_id is null and c.hour < ${to}::timestamptz
    and (c.hour >= ${from}::timestamptz or not exists (
      select from app.invoice_periods p
      where p.space_id = ${spaceId} and p.invoice_id <> ${invoiceId} and not p.issued and c.hour >= p.from_at and c.hour < p.to_at))`

async function mark(tx: Transaction<Db>, claim: PeriodClaim): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update app.delivery_charges d set invoice_id = ${claim.invoiceId}, late = o.late
    from (${openCharges(claim)}) o
    where d.batch_id = o.batch_id and d.campaign_id = o.campaign_id and d.hour = o.hour and d.invoice_id is null`.execute(tx)
  return Number(numAffectedRows)
}

async function takeNumber(
  tx: Transaction<Db>,
  { documentId, whitelabelId, year }: { readonly documentId: string; readonly whitelabelId: string; readonly year: number },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(${NUMBER_LOCK}, hashtext(${whitelabelId}))`.execute(tx)
  await sql`
    insert into app.invoice_numbers (whitelabel_id, number, document_id, year)
    select ${whitelabelId}, coalesce((select max(number) from app.invoice_numbers where whitelabel_id = ${whitelabelId}), 0) + 1,
      ${documentId}, ${year}
    on conflict (document_id) do nothing`.execute(tx)
  const numbers = tx.selectFrom('app.invoice_numbers').select('number')
  const row = await numbers.where('document_id', '=', documentId).executeTakeFirst()
  if (row === undefined) throw new Error(`document ${documentId} has no number`)
  return row.number
}

async function linesOf(db: Kysely<Db>, invoiceId: string): Promise<readonly ChargedLine[]> {
  return db
    .selectFrom('app.delivery_charges')
    .select(['campaign_id', 'late', sql<number>`sum(amount)::float8`.as('amount'), IMPRESSIONS.as('impressions')])
    .where('invoice_id', '=', invoiceId)
    .groupBy(['campaign_id', 'late'])
    .orderBy('late')
    .orderBy('campaign_id')
    .execute()
}
