import { ACCOUNT_STREAMS } from '#domain/account/account'
import type { GivenBack, TakenBack } from '#domain/invoice/moved-back'
import { systemContext } from '#domain/kit/event-metadata'
import type { EventStore, Position } from '#eventstore/event-store'
import { followSteadily } from '#eventstore/steady-following'
import { due, FULL_SCAN, type Sweep } from '../sweep.ts'
import type { InvoiceCommands } from './invoice-commands.ts'
import type { InvoiceCharges } from './invoice-port.ts'

/** A request carries out its own steps: the policy leaves it this long. */
const LEFT_TO_REQUEST_MS = 5000
/** A draft that was claimed and never stored: longer than any request. */
const STALE_MINUTES = 10
/** How often every account is read for refunds that their invoices do not know, milliseconds. */
const EVERYTHING_EVERY_MS = 3_600_000

export type UnfinishedDeps = {
  readonly invoices: Pick<InvoiceCommands, 'finish'>
  /** Invoices with steps that were decided and not carried out before this instant. */
  readonly unfinished: (before: string, limit: number, except: readonly string[]) => Promise<readonly string[]>
  readonly now: () => string
}

/** Finishes what a request left undone. */
export const unfinishedPolicy = ({ invoices, unfinished, now }: UnfinishedDeps): Sweep => ({
  name: 'invoices-unfinished',
  scan: async (except) => {
    const before = new Date(Date.parse(now()) - LEFT_TO_REQUEST_MS).toISOString()
    return due(await unfinished(before, FULL_SCAN, except), String, (id) => invoices.finish(id))
  },
})

/** Movements of money that invoices follow. */
const MOVED: ReadonlySet<string> = new Set(['PaymentRefunded', 'PaymentDisputed', 'RefundReversed', 'DisputeWon'])

export type TakeBackDeps = {
  readonly invoices: Pick<InvoiceCommands, 'execute' | 'finish'>
  readonly store: Pick<EventStore, 'head' | 'subscribe'>
  /** Resolves once read models have the ledger and the invoices up to a position, without one up to the end of the log. */
  readonly caughtUp: (position?: Position) => Promise<unknown>
  /** Refunds and disputes that invoices do not know yet, of these accounts, or of all for null. */
  readonly takenBack: (spaceIds: readonly string[] | null) => Promise<readonly TakenBack[]>
  readonly givenBack: (spaceIds: readonly string[] | null) => Promise<readonly GivenBack[]>
  /** A command id that is the same for the same parts (fine print 17). */
  readonly commandId: (...parts: readonly string[]) => string
  readonly onError: (error: unknown) => void
}

/**
 * Takes payments back that were refunded or disputed, and gives them again when their money came back: of every account after a start
 * and once an hour, and of those whose money moved, until `stop`.
 */
export async function takeBackPolicy(deps: TakeBackDeps): Promise<Sweep & { readonly stop: () => Promise<void> }> {
  const { invoices, store, caughtUp, takenBack, givenBack, commandId, onError } = deps
  /** When every account is read again, milliseconds of the process. */
  let everythingAt = 0
  const changed = new Set<string>()
  const following = followSteadily(store, {
    after: await store.head(),
    streams: [ACCOUNT_STREAMS],
    onPage: async ({ events, upTo }) => {
      const moved = events.filter(({ type }) => MOVED.has(type))
      if (moved.length > 0) await caughtUp(upTo)
      for (const { stream } of moved) changed.add(stream.slice(ACCOUNT_STREAMS.length))
    },
    onError,
  })

  async function take({ invoice_id: id, payment_id: paymentId, document_id: releaseId, amount, type }: TakenBack) {
    // A payment that is still being carried out is applied first.
    await invoices.finish(id)
    await invoices.execute(id, systemContext('invoices', commandId('invoice', id, 'taken-back', releaseId)), {
      type: 'TakeBack',
      paymentId,
      releaseId,
      taken: amount,
      cause: type,
    })
    await invoices.finish(id)
  }
  async function give({ invoice_id: id, document_id: releaseId, amount, type }: GivenBack) {
    // Takes back before it gives.
    await invoices.finish(id)
    await invoices.execute(id, systemContext('invoices', commandId('invoice', id, 'given-back', releaseId)), {
      type: 'GiveBack',
      releaseId,
      given: amount,
      cause: type === 'dispute_won' ? 'dispute_won' : 'refund_failed',
    })
    await invoices.finish(id)
  }
  return {
    name: 'invoices-taken-back',
    stop: () => following.stop(),
    scan: async () => {
      const everything = performance.now() >= everythingAt
      const spaces = everything ? null : [...changed]
      if (spaces?.length === 0) return []
      // Movements before this start are not followed: they must be in the data that is read.
      if (everything) await caughtUp()
      changed.clear()
      try {
        const found = [...(await takenBack(spaces)), ...(await givenBack(spaces))]
        if (everything) everythingAt = performance.now() + EVERYTHING_EVERY_MS
        // Money that was taken back may have come again already: the next scan finds it.
        for (const one of found) changed.add(one.space_id)
        return due(
          found,
          ({ document_id: id }) => id,
          async (one) => {
            try {
              await ('payment_id' in one ? take(one) : give(one))
            } catch (error) {
              // Its account is read again, and no other.
              changed.add(one.space_id)
              throw error
            }
          },
        )
      } catch (error) {
        everythingAt = 0
        throw error
      }
    },
  }
}

/** Releases periods that were claimed for drafts that were never stored, or are gone. */
export async function releaseStaleClaims(
  invoices: Pick<InvoiceCommands, 'releaseStale'>,
  { staleClaims }: Pick<InvoiceCharges, 'staleClaims'>,
): Promise<void> {
  for (const id of await staleClaims(STALE_MINUTES)) await invoices.releaseStale(id)
}
