import { sql, type Kysely } from 'kysely'
import type { CardBrand } from '#domain/payment/brands'
import type { FailureCode } from '#domain/payment/failures'
import type { PaymentOrigin, PaymentProvider, PaymentStatus } from '#domain/payment/payment'
import type { Db } from '#migrations/db'
import { pageAndTotal } from '../page-and-total.ts'

export type CardRow = {
  readonly id: string
  readonly provider: PaymentProvider
  readonly brand: CardBrand
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
  readonly holder_name: string | null
  readonly country: string | null
  readonly funding: string | null
  readonly is_default: boolean
  readonly created_at: string
  readonly last_used_at: string | null
  /** The result of the newest payment with the card; null without one. */
  readonly last_status: PaymentStatus | null
  readonly last_failure: FailureCode | null
}

/** The cards of an account with one provider, the default first, then the most recently used. */
export async function cardsOfAccount(db: Kysely<Db>, spaceId: string, provider: string): Promise<readonly CardRow[]> {
  const { rows } = await sql<CardRow>`
    select c.id, c.provider, c.brand, c.last4, c.exp_month, c.exp_year, c.holder_name, c.country, c.funding, a.is_default,
      to_json(c.created_at) #>> '{}' as created_at, last.created_at as last_used_at, last.status as last_status,
      last.failure_code as last_failure
    from rm_account_cards a
    join app.cards c on c.id = a.card_id and c.removed_at is null
    left join lateral (
      select p.created_at, p.status, p.failure_code from rm_payments p where p.card_id = a.card_id
      order by p.created_at desc limit 1
    ) last on true
    where a.space_id = ${spaceId} and c.provider = ${provider}
    order by a.is_default desc, last.created_at desc nulls last, c.created_at desc, c.id`.execute(db)
  return rows
}

export type PaymentRow = {
  readonly id: string
  readonly space_id: string
  readonly whitelabel_id: string
  readonly amount: number
  readonly currency: string
  readonly origin: PaymentOrigin
  readonly status: PaymentStatus
  readonly failure_code: FailureCode | null
  readonly refunded: number
  /** Taken back by banks: disputes that are open or lost. */
  readonly disputed: number
  readonly has_open_dispute: boolean
  readonly actor: string
  readonly created_at: string
  readonly card_id: string
  readonly brand: CardBrand | null
  readonly last4: string | null
}

const SHOWN = sql`p.id, p.space_id, p.whitelabel_id, p.amount::float8 as amount, p.currency, p.origin, p.status, p.failure_code,
  p.refunded::float8 as refunded, p.actor, p.created_at, p.card_id, c.brand, c.last4,
  coalesce((select sum((d.value ->> 'amount')::float8) from jsonb_each(p.disputes) d where d.value ->> 'status' <> 'won'), 0) as disputed,
  exists (select 1 from jsonb_each(p.disputes) d where d.value ->> 'status' = 'open') as has_open_dispute`

/** Refills of an account, the newest first. */
export const pageOfPayments = (db: Kysely<Db>, spaceId: string, page: number, size: number) =>
  pageAndTotal(db, {
    found: sql`select id, created_at from rm_payments where space_id = ${spaceId}`,
    order: sql`page.created_at desc, page.id`,
    page,
    size,
    shown: sql<PaymentRow>`
      select ${SHOWN} from page join rm_payments p on p.id = page.id left join app.cards c on c.id = p.card_id`,
  })

export type AutoRefillRow = {
  readonly space_id: string
  readonly enabled: boolean
  readonly threshold: number
  readonly amount: number
  readonly monthly_limit: number
  readonly stopped_code: FailureCode | null
  readonly stopped_at: string | null
}

const autoRefills = (db: Kysely<Db>) =>
  db
    .selectFrom('rm_auto_refills')
    .select((eb) => [
      'space_id',
      'enabled',
      sql<number>`${eb.ref('threshold')}::float8`.as('threshold'),
      sql<number>`${eb.ref('amount')}::float8`.as('amount'),
      sql<number>`${eb.ref('monthly_limit')}::float8`.as('monthly_limit'),
      eb.ref('stopped_code').$castTo<FailureCode | null>().as('stopped_code'),
      'stopped_at',
    ])

export async function autoRefillOf(db: Kysely<Db>, spaceId: string): Promise<AutoRefillRow | null> {
  return (await autoRefills(db).where('space_id', '=', spaceId).executeTakeFirst()) ?? null
}

/** Automatic refills that are on, of accounts after this one, in their order. */
export async function autoRefillsAfter(db: Kysely<Db>, spaceId: string, limit: number): Promise<readonly AutoRefillRow[]> {
  return autoRefills(db).where('enabled', '=', true).where('space_id', '>', spaceId).orderBy('space_id').limit(limit).execute()
}

/** How many automatic refills an account made in its life, and what those since an instant took, micros. */
export async function autoRefillsMade(db: Kysely<Db>, spaceId: string, since: string) {
  const taken = sql<number>`coalesce(sum(amount) filter (where status <> 'failed' and created_at >= ${since}), 0)::float8`
  const found = await db
    .selectFrom('rm_payments')
    .select([sql<number>`count(*)::int`.as('made'), taken.as('taken')])
    .where('space_id', '=', spaceId)
    .where('origin', '=', 'auto_refill')
    .executeTakeFirst()
  return found ?? { made: 0, taken: 0 }
}

/** A payment with its account, amount and failure, micros; null for an unknown id. */
export async function paymentBriefly(db: Kysely<Db>, id: string) {
  const payment = await db
    .selectFrom('rm_payments')
    .select(['space_id', 'whitelabel_id', 'currency', 'origin', 'failure_code'])
    .select(sql<number>`amount::float8`.as('amount'))
    .where('id', '=', id)
    .executeTakeFirst()
  return payment ?? null
}
