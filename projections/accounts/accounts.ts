import { sql, type Kysely } from 'kysely'
import { decodeAccountEvent } from '../../domain/account/account.ts'
import type { StoredEvent } from '../../eventstore/event-store.ts'
import { pageAndTotal } from '../page-and-total.ts'

/** Accounts with their balance. */
export const ACCOUNTS = 'accounts'
export const ACCOUNT_STREAMS = 'account-'

export async function createAccountsTable(db: Kysely<never>, table: string): Promise<void> {
  await sql`
    create table ${sql.table(table)} (
      space_id text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      name text not null,
      currency text not null,
      house boolean not null,
      balance bigint not null,
      version integer not null
    )`.execute(db)
}

export async function applyAccounts(db: Kysely<never>, table: string, events: readonly StoredEvent[]): Promise<void> {
  for (const stored of events) {
    if (!stored.stream.startsWith(ACCOUNT_STREAMS)) continue
    const { type, data } = decodeAccountEvent(stored)
    // Exhaustive: a forgotten event type does not compile.
    switch (type) {
      case 'AccountOpened': {
        const { space_id, whitelabel_id, name, currency, house } = data
        await sql`
          insert into ${sql.table(table)} (space_id, whitelabel_id, name, currency, house, balance, version)
          values (${space_id}, ${whitelabel_id}, ${name}, ${currency}, ${house}, 0, ${stored.version})
          on conflict (space_id) do nothing`.execute(db)
        break
      }
      case 'FundsCredited':
        // The version guard ignores an event that was applied before.
        await sql`
          update ${sql.table(table)} set balance = balance + ${data.amount}, version = ${stored.version}
          where space_id = ${stored.stream.slice(ACCOUNT_STREAMS.length)} and version < ${stored.version}`.execute(db)
        break
      default:
        unreachable(type)
    }
  }
}

const unreachable = (_: never): void => undefined

export type AccountRow = {
  readonly space_id: string
  readonly whitelabel_id: string
  readonly name: string
  readonly currency: string
  readonly house: boolean
  /** Micros. */
  readonly balance: number
}

/** By space id; unknown ids are missing. */
export async function findAccounts(db: Kysely<never>, spaceIds: readonly string[]): Promise<ReadonlyMap<string, AccountRow>> {
  const { rows } = await sql<AccountRow>`
    select space_id, whitelabel_id, name, currency, house, balance::float8 as balance from rm_accounts
    where space_id = any(${[...new Set(spaceIds)]})`.execute(db)
  return new Map(rows.map((row) => [row.space_id, row]))
}

export type AccountPage = {
  /** Null for every white-label. */
  readonly whitelabelId: string | null
  /** Counts from zero. */
  readonly page: number
  readonly size: number
}

/** One page of accounts by name, and the total; house spaces are excluded. */
export function pageOfAccounts(db: Kysely<never>, { whitelabelId, page, size }: AccountPage) {
  return pageAndTotal(db, {
    found: sql`
      select space_id, name from rm_accounts
      where (whitelabel_id = ${whitelabelId}::text or ${whitelabelId}::text is null) and not house`,
    order: sql`lower(page.name), page.space_id`,
    page,
    size,
    shown: sql<AccountRow>`
      select a.space_id, a.whitelabel_id, a.name, a.currency, a.house, a.balance::float8 as balance
      from page join rm_accounts a on a.space_id = page.space_id`,
  })
}
