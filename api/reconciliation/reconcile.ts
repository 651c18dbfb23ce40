import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { accountStream, decodeAccountEvent, evolve as evolveAccount, initial as initialAccount } from '#domain/account/account'
import { MOVEMENT_EVENTS, type MovementEvent } from '#domain/account/movements'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import type { Check, Difference, Ledger } from './difference.ts'

export type ReconcileDeps = {
  readonly db: Kysely<Db>
  readonly store: EventStore
  readonly checks: readonly Check[]
  /** How long a difference must last, milliseconds: money moves while it is compared. */
  readonly settleMs: number
}

const ACCOUNTS_AT_ONCE = 100

/**
 * Compares the ledger of one account, or of every account, with every other record of the same money. A difference that is gone when
 * the account is read again was a movement in progress, and is not reported.
 */
export async function* reconcile(
  { db, store, checks, settleMs }: ReconcileDeps,
  only: string | null,
): AsyncGenerator<{ readonly spaceId: string; readonly differences: readonly Difference[] }> {
  async function compare(spaceId: string): Promise<readonly Difference[]> {
    const ledger = await ledgerOf(store, spaceId)
    return (await Promise.all(checks.map((check) => check(ledger)))).flat()
  }
  for await (const spaceId of only === null ? everyAccount(db) : [only]) {
    let differences = await compare(spaceId)
    if (differences.length > 0) {
      await delay(settleMs)
      differences = await compare(spaceId)
    }
    yield { spaceId, differences }
  }
}

async function ledgerOf(store: EventStore, spaceId: string): Promise<Ledger> {
  const events = (await store.readStream(accountStream(spaceId))).map(decodeAccountEvent)
  return {
    spaceId,
    state: events.reduce(evolveAccount, initialAccount),
    movements: events.filter((event): event is MovementEvent => event.type in MOVEMENT_EVENTS),
  }
}

async function* everyAccount(db: Kysely<Db>): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const accounts = db.selectFrom('rm_accounts').select('space_id as id').where('space_id', '>', after)
    const rows = await accounts.orderBy('space_id').limit(ACCOUNTS_AT_ONCE).execute()
    for (const { id } of rows) yield id
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}
