import { sql, type Kysely, type Transaction } from 'kysely'
import { dayIn, type Zone } from '#domain/kit/time-zone'
import type { ChargedDay, ChargedLine, InvoiceCharges, PeriodClaim } from '#commands/invoice/invoice-port'
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
      await sql`delete from app.invoice_periods where invoice_id = ${invoiceId} and not issued`.execute(db)
    },

    async freePeriod({ invoiceId, spaceId, from, to, latestFrom, earliestTo }) {
      const { rows } = await sql<{ readonly after: Date | null; readonly until: Date | null }>`
        select max(to_at) filter (where from_at <= ${from}::timestamptz and to_at < ${latestFrom}::timestamptz) as after,
          min(from_at) filter (where to_at >= ${to}::timestamptz and from_at > ${earliestTo}::timestamptz) as until
        from app.invoice_periods
        where space_id = ${spaceId} and invoice_id <> ${invoiceId} and from_at < ${to}::timestamptz and to_at > ${from}::timestamptz`.execute(
        db,
      )
      const [found] = rows
      return { from: found?.after?.toISOString() ?? from, to: found?.until?.toISOString() ?? to }
    },

    async lastPeriodEnd({ spaceId, invoiceId, before }) {
      const { rows } = await sql<{ readonly last: Date | null }>`
        select max(to_at) as last from app.invoice_periods
        where space_id = ${spaceId} and invoice_id <> ${invoiceId} and from_at < ${before}::timestamptz`.execute(db)
      return rows[0]?.last?.toISOString() ?? null
    },

    takeCharges: ({ invoiceId, spaceId, whitelabelId, from, to, year, issuedAt }) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, spaceId)
        const { rows: known } = await sql<{ readonly taken: boolean }>`
          select taken from app.invoice_attempts where invoice_id = ${invoiceId} and issued_at = ${issuedAt}`.execute(tx)
        // A second process that finishes the attempt: charges that were settled meanwhile belong to a later invoice.
        if (known[0] !== undefined && !known[0].taken) return null
        if (known[0] === undefined) {
          const took = (await claimPeriod(tx, { invoiceId, spaceId, from, to }))
            ? await mark(tx, { invoiceId, spaceId, from, to })
            : 0
          await sql`
            insert into app.invoice_attempts (invoice_id, issued_at, taken)
            values (${invoiceId}, ${issuedAt}, ${took > 0})`.execute(tx)
          if (took === 0) return null
          await sql`update app.invoice_periods set issued = true where invoice_id = ${invoiceId}`.execute(tx)
        }
        const number = await takeNumber(tx, { documentId: invoiceId, whitelabelId, year })
        return { number, lines: await linesOf(tx, invoiceId) }
      }),

    takeNumber: (take) => db.transaction().execute((tx) => takeNumber(tx, take)),

    freeCharges: (invoiceId) =>
      db.transaction().execute(async (tx) => {
        await sql`
          update app.delivery_charges set invoice_id = null, late = false where invoice_id = ${invoiceId}`.execute(tx)
        await sql`delete from app.invoice_periods where invoice_id = ${invoiceId}`.execute(tx)
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
      const { rows } = await sql<{ readonly space_id: string; readonly first: Date }>`
        select c.space_id, min(c.hour) as first
        from app.delivery_charges c
        join app.settlements s on s.space_id = c.space_id and s.number = c.settlement and s.recorded
        where c.invoice_id is null and c.hour < ${before}::timestamptz
        group by c.space_id`.execute(db)
      return rows.map(({ space_id, first }) => ({ spaceId: space_id, first: first.toISOString() }))
    },

    async staleClaims(minutes) {
      const { rows } = await sql<{ readonly invoice_id: string }>`
        select invoice_id from app.invoice_periods
        where not issued and claimed_at < now() - make_interval(mins => ${minutes})`.execute(db)
      return rows.map(({ invoice_id: id }) => id)
    },
  }
}

/** Null when one of the charges has no count: a part of them would be wrong. */
const IMPRESSIONS = sql`case when bool_and(impressions is not null) then sum(impressions)::float8 end`

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
  const { rows } = await sql`
    select from app.invoice_periods
    where space_id = ${spaceId} and invoice_id <> ${invoiceId} and from_at < ${to}::timestamptz and to_at > ${from}::timestamptz
    limit 1`.execute(tx)
  if (rows.length > 0) return false
  await sql`
    insert into app.invoice_periods (invoice_id, space_id, from_at, to_at) values (${invoiceId}, ${spaceId}, ${from}, ${to})
    on conflict (invoice_id) do update set from_at = excluded.from_at, to_at = excluded.to_at, claimed_at = now()
    where not app.invoice_periods.issued`.execute(tx)
  return true
}

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
  const { rows } = await sql<{ readonly number: number }>`
    select number from app.invoice_numbers where document_id = ${documentId}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error(`document ${documentId} has no number`)
  return row.number
}

async function linesOf(db: Kysely<Db>, invoiceId: string): Promise<readonly ChargedLine[]> {
  const { rows } = await sql<ChargedLine>`
    select campaign_id, late, sum(amount)::float8 as amount, ${IMPRESSIONS} as impressions
    from app.delivery_charges where invoice_id = ${invoiceId}
    group by campaign_id, late order by late, campaign_id`.execute(db)
  return rows
}
