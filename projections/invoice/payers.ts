import { sql, type Kysely } from 'kysely'
import type { Scope } from '#domain/kit/access'
import type { Db } from '#migrations/db'
import { holdsText } from '../name-search.ts'

type Payer = {
  readonly user_id: string | null
  readonly space_id: string
  readonly space_name: string
  readonly currency: string
  readonly invoices: number
  /** Micros. */
  readonly to_invoice: number
}
type Asked = {
  readonly reach: Scope | null
  readonly whitelabelId: string
  readonly spaceId: string
  readonly search: string
  readonly most: number
}

/** Accounts with invoices or with charges to invoice, by name. */
export async function payersOf(db: Kysely<Db>, { reach, whitelabelId, spaceId, search, most }: Asked): Promise<readonly Payer[]> {
  const { rows } = await sql<Payer>`
    with page as materialized (
      select * from (
        select a.space_id, a.name as space_name, a.currency,
          (select count(*)::int from rm_invoices i
           where i.space_id = a.space_id and i.stage in ('issued', 'void') and i.kind = 'invoice') as invoices,
          exists (select from app.charged_hours h where h.space_id = a.space_id and h.invoice_id is null) as open
        from rm_accounts a
        where not a.house
          and (${reach === 'all'} or a.whitelabel_id = ${whitelabelId})
          and (${reach !== 'space'} or a.space_id = ${spaceId})
          and (${search} = '' or ${holdsText(sql`a.search_name`, search)})
      ) found where invoices > 0 or open order by lower(space_name), space_id limit ${most}
    ), charged as (
      select h.space_id, sum(h.amount)::float8 as amount from app.charged_hours h
      where h.space_id in (select space_id from page) and h.invoice_id is null group by h.space_id
    )
    select p.id as user_id, page.space_id, page.space_name, page.currency, page.invoices, coalesce(c.amount, 0) as to_invoice
    from page
    left join charged c on c.space_id = page.space_id
    left join lateral (
      select id from identity.people where home_space_id = page.space_id and 'USER_OWNER' = any(roles)
      order by created_at, id limit 1
    ) p on true
    order by lower(page.space_name), page.space_id`.execute(db)
  return rows
}
