import { systemContext } from '#domain/kit/event-metadata'
import type { Sweep } from '#commands/sweep'
import { FULL_SCAN } from '#commands/sweep'
import { ACCOUNT_STREAMS } from '#projections/account/accounts'
import { givenBack, takenBack, unfinishedInvoices, type GivenBack, type TakenBack } from '#projections/invoice/queries'
import type { InvoiceOwn } from './uses.ts'
import { followSteadily } from '#eventstore/steady-following'
import { monthly } from './monthly.ts'

/** A request carries out its own steps: the policy leaves it this long. */
const LEFT_TO_REQUEST_MS = 5000
/** A draft that was claimed and never stored: longer than any request. */
const STALE_MINUTES = 10
/** How often every account is read for refunds that their invoices do not know, milliseconds. */
const EVERYTHING_EVERY_MS = 3_600_000

/** Finishes what a request left undone, takes payments back that were refunded or disputed, and makes the monthly invoices. */
export async function invoiceSweeps(kit: InvoiceOwn): Promise<readonly Sweep[]> {
  return [unfinished(kit), await takeBack(kit), monthly(kit)]
}

const unfinished = ({ commands, db, now }: InvoiceOwn): Sweep => ({
  name: 'invoices-unfinished',
  scan: async () => {
    const before = new Date(Date.parse(now()) - LEFT_TO_REQUEST_MS).toISOString()
    const ids = await unfinishedInvoices(db, before, FULL_SCAN)
    return ids.map((id) => () => commands.invoices.finish(id))
  },
})

/** Movements of money that invoices follow. */
const MOVED: ReadonlySet<string> = new Set(['PaymentRefunded', 'PaymentDisputed', 'RefundReversed', 'DisputeWon'])

/** Of every account after a start and once an hour, and of those whose money moved. */
async function takeBack({ caughtUp, commands, db, derivedId, logger, stops, store }: InvoiceOwn): Promise<Sweep> {
  /** When every account is read again, milliseconds of the process. */
  let everythingAt = 0
  const changed = new Set<string>()
  const following = followSteadily(store, {
    after: await store.head(),
    streams: [ACCOUNT_STREAMS],
    onPage: async ({ events, upTo }) => {
      const moved = events.filter(({ type }) => MOVED.has(type))
      if (moved.length > 0) await caughtUp(['accounts', 'invoices'], { position: upTo })
      for (const { stream } of moved) changed.add(stream.slice(ACCOUNT_STREAMS.length))
    },
    onError: (error) => logger.error({ err: error }, 'refunds of accounts could not be followed and are read again'),
  })
  stops.add(() => following.stop())

  async function take({ invoice_id: id, payment_id: paymentId, document_id: releaseId, amount, type }: TakenBack) {
    // A payment that is still being carried out is applied first.
    await commands.invoices.finish(id)
    await commands.invoices.execute(id, systemContext('invoices', derivedId('invoice', id, 'taken-back', releaseId)), {
      type: 'TakeBack',
      paymentId,
      releaseId,
      taken: amount,
      cause: type,
    })
    await commands.invoices.finish(id)
  }
  async function give({ invoice_id: id, document_id: releaseId, amount, type }: GivenBack) {
    // What is taken back is taken before it is given.
    await commands.invoices.finish(id)
    await commands.invoices.execute(id, systemContext('invoices', derivedId('invoice', id, 'given-back', releaseId)), {
      type: 'GiveBack',
      releaseId,
      given: amount,
      cause: type === 'dispute_won' ? 'dispute_won' : 'refund_failed',
    })
    await commands.invoices.finish(id)
  }
  return {
    name: 'invoices-taken-back',
    scan: async () => {
      const everything = performance.now() >= everythingAt
      const spaces = everything ? null : [...changed]
      if (spaces?.length === 0) return []
      // What moved before this start is not followed: it must be in what is read.
      if (everything) await caughtUp(['accounts', 'invoices'])
      changed.clear()
      try {
        const found = [...(await takenBack(db, spaces)), ...(await givenBack(db, spaces))]
        if (everything) everythingAt = performance.now() + EVERYTHING_EVERY_MS
        // What was taken back may have come again already: the next scan finds it.
        for (const one of found) changed.add(one.space_id)
        return found.map((one) => async () => {
          try {
            await ('payment_id' in one ? take(one) : give(one))
          } catch (error) {
            everythingAt = 0
            throw error
          }
        })
      } catch (error) {
        everythingAt = 0
        throw error
      }
    },
  }
}

/** Periods that were claimed for drafts that were never stored, or are gone. */
export async function removeStaleClaims({ commands, invoices }: InvoiceOwn): Promise<void> {
  for (const id of await invoices.charges.staleClaims(STALE_MINUTES)) await commands.invoices.releaseStale(id)
}
