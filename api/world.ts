import type { Kysely } from 'kysely'
import type { World } from '../commands/world.ts'
import type { EventStore } from '../eventstore/event-store.ts'
import { findAccount } from '../projections/accounts/accounts.ts'

/** Smallest bid, exclusive, in micros of any currency (decisions G-032). */
const BASE_BID = 100_000
/** Highest margin a user may be given, percent (decisions G-054). */
const MAX_MARGIN = 50
/** How long a command waits for the read models it reads, milliseconds. */
const PATIENCE_MS = 5000

export type WorldDeps = {
  readonly db: Kysely<never>
  readonly store: EventStore
  readonly reached: (position: bigint, milliseconds: number) => Promise<boolean>
  readonly reserveName: World['reserveName']
  readonly countryOffset: World['countryOffset']
  readonly missingFiles: World['missingFiles']
}

/** The world that commands see: accounts from their read model, once it has caught up (fine print 18). */
export function createWorld({ db, store, reached, reserveName, countryOffset, missingFiles }: WorldDeps): World {
  return {
    async account(spaceId) {
      let row = await findAccount(db, spaceId)
      // An account opened a moment ago may not have been projected yet: wait for the log's end once before saying no.
      if (row === null && (await reached(await store.head(), PATIENCE_MS))) row = await findAccount(db, spaceId)
      if (row === null) return null
      const { space_id, whitelabel_id, name, currency, house, balance } = row
      return { space_id, whitelabel_id, name, currency, house, available: balance }
    },
    // Until delivery is recorded nothing has been spent.
    spendOf: async () => ({ today: 0, total: 0 }),
    reserveName,
    countryOffset,
    missingFiles,
    baseBid: () => BASE_BID,
    maxMargin: async () => MAX_MARGIN,
  }
}
