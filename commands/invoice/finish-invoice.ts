import { documentNumber, sumsOf } from '#domain/invoice/amounts'
import type { InvoiceCommand } from '#domain/invoice/invoice'
import { zoneOf, type CreditState, type InvoiceState, type PaymentState, type ReleaseState } from '#domain/invoice/state'
import { addedTax, NO_TAX, taxOf } from '#domain/invoice/tax'
import { yearIn } from '#domain/invoice/terms'
import type { Rejection } from '#domain/kit/errors'
import type { CommandContext } from '#domain/kit/event-metadata'
import { offsetAt } from '#domain/kit/time-zone'
import type { MovementCommand } from '#domain/account/movements'
import type { ExecuteInvoice, InvoiceDeps } from './invoice-port.ts'

/** Author of the remaining steps: the caller, or the policy. */
export type FinishingActor = Pick<CommandContext, 'actor' | 'role' | 'on_behalf_of' | 'source' | 'correlation'>

const POLICY: FinishingActor = { actor: 'system:invoices', role: 'SYSTEM', on_behalf_of: null, source: 'policy', correlation: '' }

export type Finished = {
  readonly state: InvoiceState
  readonly position: bigint
  /** Why the account refused payments, by payment. */
  readonly refusals: ReadonlyMap<string, Rejection>
}

/**
 * Carries out every step that an invoice has decided and not recorded as done: taking charges and a number, moving funds of the
 * account, freeing charges, issuing credit notes. Each step can be repeated, so that a request, the policy after a crash, and both at
 * once have the same result. Null for an invoice that does not exist.
 */
export function createFinish({ accounts, port, commandId, chargeCard, execute }: InvoiceDeps & { execute: ExecuteInvoice }) {
  return async function finish(id: string, by: FinishingActor = POLICY): Promise<Finished | null> {
    const contextOf = (...parts: readonly string[]): CommandContext => ({
      ...by,
      command_id: commandId('invoice', id, ...parts),
      body_hash: null,
      causation: null,
    })
    const refusals = new Map<string, Rejection>()
    const first = await execute(id, contextOf('read'), { type: 'Read' })
    if (first.kind === 'rejected') return null
    let { state, position } = first

    async function record(command: InvoiceCommand, ...parts: readonly string[]): Promise<void> {
      const done = await execute(id, contextOf(...parts), command)
      if (done.kind === 'rejected') throw new Error(`${command.type} of invoice ${id} was refused with ${done.rejection.code}`)
      // A repeat answers with the state of then.
      const newest = await execute(id, contextOf('read'), { type: 'Read' })
      if (newest.kind === 'done') state = newest.state
      if (done.position > position) position = done.position
    }
    async function move(command: MovementCommand, ...parts: readonly string[]): Promise<Rejection | null> {
      const done = await accounts.execute(state.space_id, contextOf(...parts), command)
      if (done.kind === 'rejected') return done.rejection
      if (done.position > position) position = done.position
      return null
    }
    async function moveSurely(command: MovementCommand, ...parts: readonly string[]): Promise<void> {
      const refusal = await move(command, ...parts)
      if (refusal !== null) throw new Error(`${command.type} for invoice ${id} was refused with ${refusal.code}`)
    }

    async function issue(issuedAt: string): Promise<void> {
      const { space_id: spaceId, whitelabel_id: whitelabelId, from, to } = state
      const year = yearIn(issuedAt, zoneOf(state))
      const taken = await port.takeCharges({ invoiceId: id, spaceId, whitelabelId, from, to, year, issuedAt })
      if (taken === null) return record({ type: 'CancelIssuing' }, 'cancelled', issuedAt)
      await port.keepParties({ documentId: id, whitelabelId, spaceId })
      const names = await port.namesOf([...new Set(taken.lines.map(({ campaign_id }) => campaign_id))])
      const lines = taken.lines.map((line) => ({ ...line, name: names.get(line.campaign_id) ?? line.campaign_id }))
      // Before the document says so: the invoice is not issued until the ledger has the tax, and a repeat finds the same charges.
      const { tax } = sumsOf(
        lines.reduce((sum, { amount }) => sum + amount, 0),
        state,
        state.currency,
      )
      const added = addedTax({ tax_mode: state.tax_mode, tax })
      if (added > 0) await moveSurely({ type: 'ChargeTax', invoiceId: id, amount: added }, 'tax', issuedAt)
      return record({ type: 'Issue', number: documentNumber(whitelabelId, year, taken.number), lines }, 'issued')
    }

    async function pay(paymentId: string, payment: PaymentState): Promise<void> {
      const refusal = await receive(paymentId, payment)
      if (refusal === 'pending') return
      if (refusal !== null) {
        await record({ type: 'FailPayment', paymentId, code: refusal.code }, 'payment', paymentId, 'failed')
        if (state.payments[paymentId]?.stage === 'failed') refusals.set(paymentId, refusal)
        return
      }
      await record({ type: 'ApplyPayment', paymentId }, 'payment', paymentId, 'applied')
      // Another process saw the account refuse it before it accepted: what was assigned pays nothing.
      if (state.payments[paymentId]?.stage === 'failed')
        await moveSurely(
          { type: 'ReleaseFunds', invoiceId: id, assignmentId: paymentId, amount: payment.assigns },
          'payment',
          paymentId,
          'returned',
        )
    }

    async function receive(paymentId: string, payment: PaymentState): Promise<Rejection | 'pending' | null> {
      const { amount, assigns, method } = payment
      if (payment.source === 'balance')
        return move({ type: 'AssignFunds', invoiceId: id, assignmentId: paymentId, amount: assigns }, 'payment', paymentId)
      if (payment.source === 'logged')
        return move(
          { type: 'ReceivePayment', paymentId, amount, method: method ?? 'other', invoiceId: id, assigned: assigns },
          'payment',
          paymentId,
        )
      const { space_id: spaceId } = state
      const charged = await chargeCard({
        paymentId,
        spaceId,
        invoiceId: id,
        amount,
        assigned: assigns,
        cardId: payment.reference,
      })
      if (charged === 'pending') return 'pending'
      return charged === 'paid' ? null : { code: 142, faults: [] }
    }

    async function release(releaseId: string, { payment_id, amount }: ReleaseState): Promise<void> {
      await moveSurely({ type: 'ReleaseFunds', invoiceId: id, assignmentId: payment_id, amount }, 'release', releaseId)
      await record({ type: 'RecordRelease', releaseId }, 'released', releaseId)
    }

    /** The account refuses when it assigned its funds elsewhere in the meantime: then they stay there. */
    async function restore(releaseId: string, { payment_id, restored }: ReleaseState): Promise<void> {
      const amount = restored?.amount ?? 0
      const refusal = await move({ type: 'AssignFunds', invoiceId: id, assignmentId: payment_id, amount }, 'restore', releaseId)
      await record({ type: 'RecordRestoration', releaseId, assigned: refusal === null ? amount : 0 }, 'restored', releaseId)
    }

    async function credit(creditNoteId: string, { amount, assigns, comment, at }: CreditState): Promise<void> {
      const terms = state.tax_mode === 'none' ? NO_TAX : { tax_mode: 'inclusive' as const, tax_rate: state.tax_rate }
      const { space_id, whitelabel_id, currency, number: invoiceNumber } = state
      const year = yearIn(at, zoneOf(state))
      const taken = await port.takeNumber({ documentId: creditNoteId, whitelabelId: whitelabel_id, year })
      const number = documentNumber(whitelabel_id, year, taken)
      await port.keepParties({ documentId: creditNoteId, whitelabelId: whitelabel_id, spaceId: space_id })
      const documented = await execute(creditNoteId, contextOf('credit', creditNoteId, 'document'), {
        type: 'Document',
        document: {
          space_id,
          whitelabel_id,
          currency,
          offset_seconds: offsetAt(zoneOf(state), at),
          number,
          issued_at: at,
          invoice_id: id,
          invoice_number: invoiceNumber ?? '',
          amount,
          ...terms,
          tax: taxOf(amount, terms, currency).tax,
          comment,
        },
      })
      if (documented.kind === 'rejected') throw new Error(`credit note ${creditNoteId} was refused`)
      await moveSurely({ type: 'CreditInvoice', invoiceId: id, creditNoteId, amount }, 'credit', creditNoteId)
      const refusal =
        assigns === 0
          ? null
          : await move(
              { type: 'AssignFunds', invoiceId: id, assignmentId: creditNoteId, amount: assigns },
              'credit',
              creditNoteId,
              'assigned',
            )
      // Refused when other funds were taken back: the credit stays with the account.
      const assigned = refusal === null ? assigns : 0
      await record({ type: 'LinkCredit', creditNoteId, number, assigned }, 'credit', creditNoteId, 'linked')
      const other = assigned - (state.credits[creditNoteId]?.assigned ?? assigned)
      if (other > 0)
        await moveSurely(
          { type: 'ReleaseFunds', invoiceId: id, assignmentId: creditNoteId, amount: other },
          'credit',
          creditNoteId,
          'returned',
        )
    }

    if (state.stage === 'issuing') await issue(state.issued_at ?? '')
    for (const [paymentId, payment] of Object.entries(state.payments))
      if (payment.stage === 'confirmed') await pay(paymentId, payment)
    for (const [releaseId, one] of Object.entries(state.releases)) if (!one.recorded) await release(releaseId, one)
    for (const [releaseId, one] of Object.entries(state.releases))
      if (one.restored?.recorded === false) await restore(releaseId, one)
    for (const [creditNoteId, one] of Object.entries(state.credits)) if (one.number === null) await credit(creditNoteId, one)
    if (state.stage === 'void' && !state.freed) {
      const added = addedTax(state)
      if (added > 0) await moveSurely({ type: 'ReverseTax', invoiceId: id, amount: added }, 'tax', 'reversed')
      await port.freeCharges(id)
      await record({ type: 'NoteFreed' }, 'freed')
    }
    return { state, position, refusals }
  }
}
