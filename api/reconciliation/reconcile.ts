import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { accountStream, decodeAccountEvent, evolve as evolveAccount, initial as initialAccount } from '#domain/account/account'
import { decodeLedgerEvent, ledgerStream } from '#domain/account/ledger'
import { evolveFunds, MOVEMENT_EVENTS, type MovementEvent } from '#domain/account/movements'
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
    const ledger = await ledgerOf(store, db, spaceId)
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

/** The account's own stream, and its books of every month. The amounts are those of the events: no sum of the books is taken over. */
async function ledgerOf(store: EventStore, db: Kysely<Db>, spaceId: string): Promise<Ledger> {
  const account = (await store.readStream(accountStream(spaceId))).map(decodeAccountEvent)
  const months = await db.selectFrom('app.ledgers').select('month').where('space_id', '=', spaceId).orderBy('month').execute()
  const spend: MovementEvent[] = []
  for (const { month } of months)
    for (const stored of await store.readStream(ledgerStream(spaceId, month))) {
      const event = decodeLedgerEvent(stored)
      if (event.type === 'SpendSettled') spend.push(event)
    }
  return {
    spaceId,
    state: spend.reduce(evolveFunds, account.reduce(evolveAccount, initialAccount)),
    movements: [...account.filter((event): event is MovementEvent => event.type in MOVEMENT_EVENTS), ...spend],
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
