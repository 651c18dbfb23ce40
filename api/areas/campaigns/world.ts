import type { Kysely } from 'kysely'
import type { World } from '../../../commands/campaign/world.ts'
import { createBatchedReads } from '../../../eventstore/batched-reads.ts'
import type { EventStore } from '../../../eventstore/event-store.ts'
import { findAccounts, pageOfAccounts, type AccountPage, type AccountRow } from '../../../projections/accounts/accounts.ts'

/** Smallest bid, exclusive, in micros of any currency (decisions G-032). */
const BASE_BID = 100_000
/** Highest margin a user may be given, percent (decisions G-054). */
const MAX_MARGIN = 50
/** Accounts that are remembered at most. */
const REMEMBERED = 10_000
/** How long a command waits for the read model of accounts, milliseconds. */
const PATIENCE_MS = 5000

/** What an account was opened with: none of it ever changes. */
export type OpenedAccount = Omit<AccountRow, 'balance'>

export type Accounts = {
  /** Null when there is no account with this id. */
  readonly find: (spaceId: string) => Promise<AccountRow | null>
  /** The same for whoever needs no balance: an account that was found once is not asked for again. */
  readonly opened: (spaceId: string) => Promise<OpenedAccount | null>
  /** One page of a white-label's accounts by name, or of every one's for null. */
  readonly page: (asked: AccountPage) => Promise<{ readonly rows: readonly AccountRow[]; readonly total: number }>
}

export type AccountsDeps = {
  readonly db: Kysely<never>
  readonly store: EventStore
  readonly reached: (position: bigint, milliseconds: number, of: readonly string[]) => Promise<boolean>
}

/** Accounts from their read model, once it has caught up with whoever asks for a new one (fine print 18). */
export function createAccounts({ db, store, reached }: AccountsDeps): Accounts {
  // Every save asks for its account, and most of those that come together for the same one.
  const findOne = createBatchedReads<string, AccountRow | null>({
    lanes: 2,
    most: 256,
    load: async (ids) => {
      const found = await findAccounts(db, ids)
      return ids.map((id) => found.get(id) ?? null)
    },
  })
  async function find(spaceId: string): Promise<AccountRow | null> {
    const row = await findOne(spaceId)
    if (row !== null) return row
    // An account opened a moment ago may not have been projected yet: wait for the log's end once before saying no. Somebody who waited in
    // vain asks too: the account may have come all the same.
    await reached(await store.head(), PATIENCE_MS, ['accounts'])
    return findOne(spaceId)
  }

  const remembered = new Map<string, OpenedAccount>()
  return {
    find,
    async opened(spaceId) {
      const known = remembered.get(spaceId)
      if (known !== undefined) return known
      const row = await find(spaceId)
      if (row === null) return null
      const { balance: _, ...opened } = row
      if (remembered.size >= REMEMBERED) remembered.clear()
      remembered.set(spaceId, opened)
      return opened
    },
    page: (asked) => pageOfAccounts(db, asked),
  }
}

export type WorldDeps = {
  readonly accounts: Accounts
  readonly reserveName: World['reserveName']
  readonly countryOffset: World['countryOffset']
  readonly files: World['files']
  readonly claimFiles: World['claimFiles']
  readonly unknownTargets: World['unknownTargets']
  readonly appKnown: World['appKnown']
  readonly ownApproval: World['ownApproval']
}

/** The world that commands see. */
export function createWorld({ accounts, ...known }: WorldDeps): World {
  return {
    async account(spaceId) {
      const row = await accounts.find(spaceId)
      if (row === null) return null
      const { space_id, whitelabel_id, name, currency, house, balance } = row
      return { space_id, whitelabel_id, name, currency, house, available: balance }
    },
    // Until delivery is recorded nothing has been spent.
    spendOf: async () => ({ today: 0, total: 0 }),
    ...known,
    baseBid: () => BASE_BID,
    maxMargin: async () => MAX_MARGIN,
  }
}
