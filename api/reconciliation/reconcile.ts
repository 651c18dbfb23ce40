import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { accountStream, decodeAccountEvent, evolve as evolveAccount, initial as initialAccount } from '#domain/account/account'
import { decodeLedgerEvent, ledgerStream } from '#domain/account/ledger'
import { negated, plus, sumOf, type Sum } from '#domain/kit/money'
import { evolveFunds, MOVEMENT_EVENTS, type MovementEvent } from '#domain/account/movements'
import type { EventStore, StoredEvent } from '#eventstore/event-store'
import { verifyStream } from '#proof/verify'
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
    return [...ledger.faults, ...(await Promise.all(checks.map((check) => check(ledger)))).flat()]
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

/**
 * The account's own stream, and its books of every month. Amounts are those of the settlements: sums that the books state are
 * compared with them, and never taken over.
 */
async function ledgerOf(store: EventStore, db: Kysely<Db>, spaceId: string): Promise<Ledger> {
  const faults: Difference[] = []
  const differ = (check: string, id: string, ledger: Sum, other: Sum) =>
    faults.push({ space_id: spaceId, check, id, ledger, against: 'events', other })
  async function read(stream: string): Promise<readonly StoredEvent[]> {
    const events = await store.readStream(stream)
    const broken = verifyStream(stream, events).faults.length
    if (broken > 0) differ('hash chain', stream, 0, broken)
    return events
  }
  const account = (await read(accountStream(spaceId))).map(decodeAccountEvent)
  const own = account.reduce(evolveAccount, initialAccount)
  const months = await db
    .selectFrom('app.ledgers')
    .select(['month', 'spent'])
    .where('space_id', '=', spaceId)
    .orderBy('month')
    .execute()
  const spend: MovementEvent[] = []
  let settled = own.settled ?? 0
  for (const { month, spent } of months) {
    const before = settled
    for (const event of (await read(ledgerStream(spaceId, month))).map(decodeLedgerEvent)) {
      if (event.type === 'SpendSettled') {
        settled = plus(settled, event.data.amount)
        spend.push(event)
      } else if (event.data.settled !== settled)
        differ(event.type === 'LedgerOpened' ? 'opening of month' : 'closing of month', month, event.data.settled, settled)
    }
    const [kept, added] = [sumOf(spent), plus(settled, negated(before))]
    if (kept !== added) differ('spend of month', month, kept, added)
  }
  return {
    spaceId,
    state: spend.reduce(evolveFunds, own),
    movements: [...account.filter((event): event is MovementEvent => event.type in MOVEMENT_EVENTS), ...spend],
    faults,
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
