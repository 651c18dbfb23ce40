import { sql, type Kysely } from 'kysely'
import type { AccountEvent } from '../../domain/account/account.ts'
import type { StoredEvent } from '../../eventstore/event-store.ts'

/** Accounts with their balance. */
export const ACCOUNTS = 'accounts'

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
    if (!stored.stream.startsWith('account-')) continue
    const event = { type: stored.type, data: JSON.parse(stored.data) } as AccountEvent
    if (event.type === 'AccountOpened') {
      const { space_id, whitelabel_id, name, currency, house } = event.data
      await sql`
        insert into ${sql.table(table)} (space_id, whitelabel_id, name, currency, house, balance, version)
        values (${space_id}, ${whitelabel_id}, ${name}, ${currency}, ${house}, 0, ${stored.version})
        on conflict (space_id) do nothing`.execute(db)
    } else {
      // The version guard makes an event seen twice count once.
      await sql`
        update ${sql.table(table)} set balance = balance + ${event.data.amount}, version = ${stored.version}
        where space_id = ${stored.stream.slice('account-'.length)} and version < ${stored.version}`.execute(db)
    }
  }
}

export type AccountRow = {
  readonly space_id: string
  readonly whitelabel_id: string
  readonly name: string
  readonly currency: string
  readonly house: boolean
  /** Micros. */
  readonly balance: number
}

export async function findAccount(db: Kysely<never>, spaceId: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`
    select space_id, whitelabel_id, name, currency, house, balance::float8 as balance from rm_accounts where space_id = ${spaceId}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Accounts of a white-label by name; the house space is not one of them. */
export async function accountsOf(db: Kysely<never>, whitelabelId: string): Promise<readonly AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select space_id, whitelabel_id, name, currency, house, balance::float8 as balance from rm_accounts
    where whitelabel_id = ${whitelabelId} and not house order by lower(name), space_id`.execute(db)
  return rows
}
