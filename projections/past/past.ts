import type { Kysely } from 'kysely'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { putAccounts } from '../account/past.ts'
import { putCampaigns } from '../campaign/list/past.ts'
import { putInvoices } from '../invoice/past.ts'
import type { Among, Then } from './then.ts'

/** The read models that a call reads, each with the subjects that it reads of. */
export type Wanted = {
  readonly accounts?: Among
  readonly campaigns?: Among
  readonly invoices?: Among
}

/**
 * Reads read models as they stood at an instant of business time (fine print 24), by the queries that read them now: within the
 * transaction that `read` gets, temporary views of the same names stand before theirs, with the rows of what has changed since
 * folded again from the log. The transaction is rolled back. Without history, and so as they are now: people, names of accounts,
 * and charges that the ledger had not settled. Rejects with `ChangedTooOften` when too many subjects have changed since.
 */
export type Past = <T>(at: string, wanted: Wanted, read: (db: Kysely<Db>) => Promise<T>) => Promise<T>

/** `db` has a pool of its own: what `read` asks of others must not wait for the connection that it holds. */
export const createPast =
  ({ db, store }: { readonly db: Kysely<Db>; readonly store: Pick<EventStore, 'readStream'> }): Past =>
  async (at, { accounts, campaigns, invoices }, read) => {
    const undone = new Undone<Awaited<ReturnType<typeof read>>>()
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        const then: Then = { tx, at, store }
        if (campaigns !== undefined) await putCampaigns(then, campaigns)
        if (accounts !== undefined) await putAccounts(then, accounts)
        if (invoices !== undefined) await putInvoices(then, invoices)
        undone.answers = [await read(tx)]
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
    const [answer] = undone.answers
    return answer as Awaited<ReturnType<typeof read>>
  }

/** Rolls a transaction back that did what it should. */
class Undone<T> extends Error {
  answers: readonly T[] = []
}
