import { dayIn, startOfDay, type Zone } from '#domain/kit/time-zone'
import { dayAfter } from '#domain/invoice/terms'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { ExecuteInvoice } from './invoice-port.ts'
import type { InvoicePort, PeriodClaim } from './invoice-port.ts'

type ClaimDeps = { readonly port: InvoicePort; readonly execute: ExecuteInvoice; readonly context: () => CommandContext }

/** Claims of periods, which last exactly as long as the invoices that need them. */
export function createClaims({ port, execute, context }: ClaimDeps) {
  /** Releases the claim of an invoice that does not exist, and gives a draft its own period back. */
  async function adjust({ invoiceId, spaceId, ...claimed }: PeriodClaim): Promise<void> {
    const read = await execute(invoiceId, context(), { type: 'Read' })
    if (read.kind === 'rejected') return port.releasePeriod(invoiceId)
    const { stage, from, to } = read.state
    if (stage === 'draft' && (from !== claimed.from || to !== claimed.to))
      await port.claimPeriod({ invoiceId, spaceId, from, to })
  }

  return {
    /**
     * Runs a step under the claim of its period; null when another invoice of the account has days of it. A draft that was deleted
     * meanwhile, or is only repeated, leaves no claim behind.
     */
    async withPeriod<T>(claim: PeriodClaim, step: () => Promise<T>): Promise<T | null> {
      if (!(await port.claimPeriod(claim))) return null
      try {
        return await step()
      } finally {
        // Housekeeping releases what this cannot.
        await adjust(claim).catch(() => undefined)
      }
    },

    /** The part of these days that no other invoice of the account has: see `freePeriod`. */
    fitted: ({ from, to, ...of }: PeriodClaim, zone: Zone) =>
      port.freePeriod({
        ...of,
        from,
        to,
        latestFrom: startOfDay(dayAfter(dayIn(from, zone)), zone),
        earliestTo: startOfDay(dayIn(Date.parse(to) - 1, zone), zone),
      }),

    /** Releases the claim of an invoice that does not exist, or that is void. */
    async releaseStale(invoiceId: string): Promise<void> {
      const read = await execute(invoiceId, context(), { type: 'Read' })
      if (read.kind === 'rejected' || read.state.stage === 'void') await port.releasePeriod(invoiceId)
    },
  }
}
