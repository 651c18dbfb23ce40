import type { Kysely } from 'kysely'
import { createBatchedReads } from '#eventstore/batched-reads'
import type { EventStore } from '#eventstore/event-store'
import type { Projector } from '../projector/projector.ts'
import { findAccounts, type AccountRow } from './accounts.ts'
import { createCatchUp } from '../catch-up.ts'
import type { Db } from '#migrations/db'

/** Most accounts kept in memory. */
const REMEMBERED = 10_000
/** How long a command waits for the read model of accounts, milliseconds. */
const CATCH_UP_MS = 5000

/** The immutable part of an account. */
export type OpenedAccount = Pick<AccountRow, 'space_id' | 'whitelabel_id' | 'name' | 'currency' | 'house' | 'created_at'>

export type Accounts = {
  /** Null when there is no account with this id. */
  readonly find: (spaceId: string) => Promise<AccountRow | null>
  /** The account without its balance; cached once found. */
  readonly opened: (spaceId: string) => Promise<OpenedAccount | null>
}

export type AccountsDeps = {
  readonly db: Kysely<Db>
  readonly store: Pick<EventStore, 'head'>
  readonly reached: Projector['reached']
}

/**
 * Accounts from their read model, which catches up with the log before an account counts as unknown (fine print 18).
 * While it is behind, `find` and `opened` of an account that it lacks throw ReadModelsBehind.
 */
export function createAccounts({ db, store, reached }: AccountsDeps): Accounts {
  const caughtUp = createCatchUp(store, { reached })
  // Every save needs its account, and concurrent saves often need the same one.
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
    // A new account may not be projected yet: wait for the end of the log once. After a timeout, query once more.
    const behind = await caughtUp(['accounts'], { withinMs: CATCH_UP_MS }).then(
      () => null,
      (error: unknown) => error,
    )
    const found = await findOne(spaceId)
    if (found === null && behind !== null) throw behind
    return found
  }

  const remembered = new Map<string, OpenedAccount>()
  return {
    find,
    async opened(spaceId) {
      const known = remembered.get(spaceId)
      if (known !== undefined) return known
      const row = await find(spaceId)
      if (row === null) return null
      const { space_id, whitelabel_id, name, currency, house, created_at } = row
      const opened = { space_id, whitelabel_id, name, currency, house, created_at }
      if (remembered.size >= REMEMBERED) remembered.clear()
      remembered.set(spaceId, opened)
      return opened
    },
  }
}
