import type { Handle } from '#commands/handle'
import { NO_TAX } from '#domain/invoice/tax'
import { createAccountCommands } from '#commands/account/account-commands'
import { createInvoiceCommands } from '#commands/invoice/invoice-commands'
import type { InvoicePort } from '#commands/invoice/invoice-port'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { InvoiceCommand } from '#domain/invoice/invoice'
import { derivedId, newId } from '#platform/ids'

const unused = () => Promise.reject(new Error('a void invoice needs neither charges nor cards'))
/** For processes that take no charges. */
export const NO_CHARGES: InvoicePort = {
  claimPeriod: unused,
  releasePeriod: unused,
  freePeriod: unused,
  lastPeriodEnd: unused,
  takeCharges: unused,
  takeNumber: unused,
  freeCharges: unused,
  draftLines: unused,
  draftTotals: unused,
  hasCharges: unused,
  daysOfLine: unused,
  openMonths: unused,
  staleClaims: unused,
  namesOf: unused,
  keepParties: unused,
}

type Place = { readonly spaceId: string; readonly whitelabelId: string }

/** The steps that issue an invoice of 1 dollar. */
export async function issueInvoice(
  run: (command: InvoiceCommand) => Promise<unknown>,
  { spaceId, whitelabelId }: Place,
  number: string,
): Promise<void> {
  const terms = {
    charge_from_date: '2026-01-01',
    charge_to_date: '2026-01-31',
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-02-01T00:00:00.000Z',
    due_date: null,
    note: '',
  }
  const draft = { ...terms, space_id: spaceId, whitelabel_id: whitelabelId, currency: 'USD', offset_seconds: 0 }
  await run({ type: 'Draft', draft })
  await run({ type: 'StartIssuing', issuedAt: '2026-02-01T09:00:00.000Z', dueAt: '2026-03-01T00:00:00.000Z', tax: NO_TAX })
  const lines = [{ campaign_id: newId(), name: 'Sailing', amount: 1_000_000, impressions: 500, late: false }]
  await run({ type: 'Issue', number, lines })
}

/** An invoice of an account that is void, on which a payment was recorded: its readers see it, and every step answers 134. */
export async function voidInvoice(
  handle: Handle,
  place: Place,
  context: (commandId: string) => CommandContext,
): Promise<{ readonly invoiceId: string; readonly paymentId: string }> {
  const accounts = createAccountCommands(handle)
  const { execute } = createInvoiceCommands(handle, {
    accounts,
    port: NO_CHARGES,
    commandId: derivedId,
    chargeCard: unused,
  })
  const [invoiceId, paymentId] = [newId(), newId()]
  const run = (command: InvoiceCommand) => execute(invoiceId, context(newId()), command)
  await issueInvoice(run, place, `TEST-2026-${invoiceId.slice(-6)}`)
  await run({
    type: 'LogPayment',
    payment: {
      payment_id: paymentId,
      source: 'logged',
      amount: 1_000_000,
      method: 'cash',
      paid_at: '2026-02-02',
      reference: '',
      comment: '',
    },
    by: 'system:test',
    limit: 0,
    force: false,
    known: false,
  })
  await run({ type: 'Void', comment: 'Wrong', releaseIdOf: (id) => id })
  await run({ type: 'NoteFreed' })
  return { invoiceId, paymentId }
}
