import { STATUS, STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { sql, type Kysely } from 'kysely'
import { MICROS } from '#domain/kit/money'
import type { Db } from '#migrations/db'

export type CampaignFigures = { readonly status: string; readonly campaigns: number }

/** Campaigns of all accounts by status, also of a status that none has. Reads the whole list. */
export async function campaignFigures(db: Kysely<Db>): Promise<readonly CampaignFigures[]> {
  const rows = await db
    .selectFrom('rm_campaign_list')
    .select(['status_key', sql<number>`count(*)::int`.as('campaigns')])
    .groupBy('status_key')
    .execute()
  const counted = new Map(rows.map(({ status_key: key, campaigns }) => [key, campaigns]))
  return STATUS_KEYS.map((key) => ({ status: STATUS[key], campaigns: counted.get(key) ?? 0 }))
}

export type SpendFigures = {
  readonly currency: string
  /** Billed since the product began, in the currency. */
  readonly spend: number
}

/** Billed amounts of campaigns of all accounts, by currency. Reads every campaign. */
export async function spendFigures(db: Kysely<Db>): Promise<readonly SpendFigures[]> {
  const { rows } = await sql<SpendFigures>`
    select a.currency, (sum(t.billed) / ${sql.lit(MICROS)})::float8 as spend
    from app.campaign_spend_totals t
    join rm_campaign_list l on l.id = t.campaign_id
    join rm_accounts a on a.space_id = l.space_id
    group by a.currency`.execute(db)
  return rows
}
