import { sql, type Kysely } from 'kysely'
import type { FactStore } from '#factstore/fact-store'
import type { Db } from '#migrations/db'
import { plus, sumOf, type Sum } from '#domain/kit/money'
import { chargesHash, type Charge } from '#commands/delivery/charges-hash'
import { differencesOf, sumsBy, type Check, type Difference } from './difference.ts'

/** Stored charges. */
export type ChargeReads = {
  readonly chargesOf: (spaceId: string, settlement: number) => Promise<readonly Charge[]>
  /** The newest settlement whose charges are condensed; 0 without one. */
  readonly condensedUpTo: (spaceId: string) => Promise<number>
  readonly chargedByCampaign: (spaceId: string) => Promise<readonly (Row & { readonly settled: bigint })[]>
}

type Row = { readonly id: string; readonly amount: bigint }
const sumsOf = (rows: readonly Row[]) => new Map(rows.map(({ id, amount }) => [id, sumOf(amount)]))

const SUM = sql<bigint>`sum(amount)::bigint`.as('amount')

/**
 * The hash of each settlement against the charges that it gathered: it finds a change that leaves the sums. Of condensed settlements
 * only the sums are left.
 */
export const hashesAgainstCharges =
  ({ chargesOf, condensedUpTo }: Pick<ChargeReads, 'chargesOf' | 'condensedUpTo'>): Check =>
  async ({ movements, spaceId }) => {
    const differences: Difference[] = []
    const condensed = await condensedUpTo(spaceId)
    for (const { type, data } of movements) {
      if (type !== 'SpendSettled' || data.charges.sha256 === null || data.settlement <= condensed) continue
      const { amount, charges, settlement } = data
      const found = await chargesOf(spaceId, settlement)
      if (chargesHash(found) === charges.sha256) continue
      const other = found.reduce((sum, charge) => sum + charge.amount, 0)
      differences.push({
        space_id: spaceId,
        check: 'hash of settlement',
        id: String(settlement),
        ledger: amount,
        against: 'charges',
        other,
      })
    }
    return differences
  }

/** Each settlement in the ledger against the charges that it gathered, as long as they are kept. */
export const settlementsAgainstCharges =
  (db: Kysely<Db>, { condensedUpTo }: Pick<ChargeReads, 'condensedUpTo'>): Check =>
  async (ledger) => {
    const condensed = await condensedUpTo(ledger.spaceId)
    const settled = ledger.movements
      .filter((event) => event.type === 'SpendSettled')
      .filter(({ data }) => data.settlement > condensed)
    const rows = await db
      .selectFrom('app.delivery_charges')
      .select([sql<string>`settlement::text`.as('id'), SUM])
      .where('space_id', '=', ledger.spaceId)
      .where('settlement', '>', condensed)
      .where('settlement', '<=', ledger.state.settlements)
      .groupBy('settlement')
      .execute()
    return differencesOf(
      ledger,
      { check: 'settlement', against: 'charges' },
      sumsBy(
        settled,
        ({ data }) => String(data.settlement),
        ({ data }) => data.amount,
      ),
      sumsOf(rows),
    )
  }

/** Compares the settled spend of each campaign with the hours that invoices take: also of condensed settlements. */
export const settlementsAgainstHours =
  ({ chargedByCampaign }: Pick<ChargeReads, 'chargedByCampaign'>): Check =>
  async (ledger) => {
    const settled = ledger.movements.flatMap((event) => (event.type === 'SpendSettled' ? event.data.campaigns : []))
    const hours = await chargedByCampaign(ledger.spaceId)
    return differencesOf(
      ledger,
      { check: 'settled of campaign', against: 'hours' },
      sumsBy(
        settled,
        ({ campaign_id: id }) => id,
        ({ amount }) => amount,
      ),
      new Map(hours.map(({ id, settled: amount }) => [id, sumOf(amount)])),
    )
  }

/**
 * Compares the charges of each campaign, settled or not, with the delivered facts. Batches whose facts are still being stored
 * count as stored.
 */
export const chargesAgainstFacts =
  (db: Kysely<Db>, facts: FactStore, { chargedByCampaign }: Pick<ChargeReads, 'chargedByCampaign'>): Check =>
  async (ledger) => {
    // In this order: a batch that arrives between the reads is then missing on both sides, or only waits to be stored.
    const charges = await chargedByCampaign(ledger.spaceId)
    const { rows: unstored } = await sql<Row>`
      select fact->>'campaign_id' as id, sum((fact->>'billed')::bigint)::bigint as amount
      from app.delivery_batches batch, jsonb_array_elements(batch.facts) fact
      where batch.facts is not null and fact->>'space_id' = ${ledger.spaceId} group by 1`.execute(db)
    const delivered = await facts.byCampaign({ scope: { kind: 'spaces', ids: [ledger.spaceId] }, from: null, to: null })
    const found = new Map([...delivered].map(([id, { spent }]): [string, Sum] => [id, spent]))
    for (const [id, amount] of sumsOf(unstored)) found.set(id, plus(found.get(id) ?? 0, amount))
    const nothing = [...found].filter(([, amount]) => amount === 0).map(([id]) => id)
    for (const id of nothing) found.delete(id)
    return differencesOf(ledger, { check: 'charges of campaign', against: 'facts' }, sumsOf(charges), found)
  }

/** The balance and the assigned funds in the ledger against what screens read. */
export const balanceAgainstScreens =
  (db: Kysely<Db>): Check =>
  async (ledger) => {
    const accounts = db.selectFrom('rm_accounts').select(['balance', 'spent', 'taxed', 'assigned'])
    const row = await accounts.where('space_id', '=', ledger.spaceId).executeTakeFirst()
    const { balance, settled = 0, taxed = 0, assigned = 0 } = ledger.state
    return differencesOf(
      ledger,
      { check: 'account', against: 'screen' },
      new Map([
        ['balance', balance],
        ['spent', settled],
        ['taxed', taxed],
        ['assigned', assigned],
      ]),
      new Map([
        ['balance', sumOf(row?.balance ?? 0n)],
        ['spent', sumOf(row?.spent ?? 0n)],
        ['taxed', sumOf(row?.taxed ?? 0n)],
        ['assigned', sumOf(row?.assigned ?? 0n)],
      ]),
    )
  }
