import { systemContext } from '#domain/kit/event-metadata'
import type { FastifyInstance } from 'fastify'
import { fault, unitsFault } from '#domain/kit/faults'
import { PAYMENT_METHODS } from '#domain/account/movements'
import { may } from '#domain/kit/access'
import { decide as decideInvoice, type InvoiceCommand } from '#domain/invoice/invoice'
import type { DraftTerms, PaymentDetails, PaymentSource } from '#domain/invoice/events'
import { openOf, statusOf, zoneOf, type InvoiceState } from '#domain/invoice/state'
import { dayAfter, dueAt, endOfDay, LONGEST_PERIOD } from '#domain/invoice/terms'
import { refusalOf, type Fault } from '#domain/kit/errors'
import { toMicros } from '#domain/kit/money'
import { offsetAt, startOfDay, type Zone } from '#domain/kit/time-zone'
import { isEmail } from '#domain/kit/validators'
import { invoiceOfPayment, paymentIsKnown } from '#projections/invoice/queries'
import { actorNow } from '#commands/identity/actor-now'
import * as contract from '#contract/invoices'
import type { Call } from '#api/http/call'
import { authorize, contextOf, type Caller } from '#api/http/caller'
import type { Place } from '#domain/kit/access'
import { taxNow } from '#commands/invoice/issued-tax'
import type { Served } from '#api/areas/services'
import { callerOf } from '#api/http/person'
import { dayOf } from '#api/http/period'
import { register } from '#api/http/register'
import { accepted, Refused, refused } from '#commands/refused'
import { createInvoiceMails } from './mails.ts'

/** Mailings of one invoice, and of one user: to the account's own addresses, and to addresses that the call names. */
const MAILS_OF_INVOICE = { limit: 20, seconds: 3600 }
const MAILS = { limit: 300, seconds: 3600 }
const MAILS_ELSEWHERE = { limit: 30, seconds: 3600 }

/** Steps of an invoice: each decides, and then carries out what was decided (`finish`). */
export function registerInvoiceRoutes(
  app: FastifyInstance,
  kit: Served<
    | 'accounts'
    | 'caughtUp'
    | 'commands.accounts'
    | 'commands.invoices'
    | 'db'
    | 'invoices'
    | 'limits'
    | 'people'
    | 'queueMail'
    | 'secondPerson'
    | 'store'
    | 'whiteLabels'
  >,
): void {
  const { accounts, secondPerson, commands, db, derivedId, guards, invoices, newId, now, caughtUp, store, whiteLabels } = kit
  const mails = createInvoiceMails(kit)
  type Reached = { readonly caller: Caller; readonly place: Place; readonly state: InvoiceState }

  /** The invoice as its events say now, for a caller who may change it. */
  async function invoiceFor(call: Call, id: string): Promise<Reached> {
    const caller = callerOf(call)
    const read = await commands.invoices.execute(id, systemContext('invoices', newId()), { type: 'Read' })
    const state = read.kind === 'done' ? read.state : null
    const place = state === null ? null : { spaceId: state.space_id, whitelabelId: state.whitelabel_id }
    authorize(caller.actor, 'invoice.write', place, 131)
    if (state === null) throw refused(131)
    return { caller, place, state }
  }

  /** Decides a step with the id of the caller's command. */
  async function decide({ caller, place }: Pick<Reached, 'caller' | 'place'>, id: string, command: InvoiceCommand) {
    return accepted(await commands.invoices.execute(id, contextOf(caller, place, 'invoice.write'), command))
  }

  /** Carries out what was decided, in the caller's name. */
  async function finish({ caller, place }: Pick<Reached, 'caller' | 'place'>, id: string) {
    const { command_id: _, body_hash: __, causation: ___, ...by } = contextOf(caller, place, 'invoice.write')
    const finished = await commands.invoices.finish(id, by)
    if (finished === null) throw refused(131)
    return finished
  }
  const written = (id: string, state: InvoiceState, position: bigint) => ({
    id,
    number: state.number,
    status: statusOf(state, now()),
    position: String(position),
  })

  /** The terms of a draft from what was sent; refuses all that is wrong. */
  function termsOf(sent: SentTerms, zone: Zone): DraftTerms {
    const { note } = sent
    const [charge_from_date, charge_to_date] = [dayOf(sent.charge_from_date, zone), dayOf(sent.charge_to_date, zone)]
    const due_date = sent.due_date === null ? null : dayOf(sent.due_date, zone)
    const faults: Fault[] = [
      ...Object.entries({ charge_from_date, charge_to_date, due_date }).flatMap(([path, day]) =>
        day === undefined ? [fault(path, 11, 'invalidDate')] : [],
      ),
      ...(note.length > 1000 ? [fault('note', 2, 'maxLength', { max: 1000 })] : []),
    ]
    if (faults.length === 0 && charge_from_date !== undefined && charge_to_date !== undefined && due_date !== undefined) {
      const from = startOfDay(charge_from_date, zone)
      const to = startOfDay(dayAfter(charge_to_date), zone)
      if (from >= to) faults.push(fault('charge_from_date', 1303, 'startAfterEnd'))
      else if (to > dayAfter(charge_from_date, LONGEST_PERIOD + 1)) faults.push(fault('charge_to_date', 2, 'notAllowed'))
      else return { charge_from_date, charge_to_date, from, to, due_date, note }
    }
    const refusal = refusalOf(faults)
    throw refusal === null ? refused(2) : new Refused(refusal)
  }

  /** Runs a step under the claim of the terms' period. */
  async function claimed<T>(invoiceId: string, spaceId: string, { from, to }: DraftTerms, step: () => Promise<T>): Promise<T> {
    const done = await commands.invoices.withPeriod({ invoiceId, spaceId, from, to }, step)
    if (done === null) throw refused(2, [fault('charge_from_date', 2, 'periodTaken')])
    return done
  }

  /** The terms with the part of the period that other invoices leave free at its first and last day. */
  async function fitted(invoiceId: string, spaceId: string, { from, to, ...terms }: DraftTerms, zone: Zone): Promise<DraftTerms> {
    return { ...terms, ...(await commands.invoices.fitted({ invoiceId, spaceId, from, to }, zone)) }
  }

  register(app, guards, contract.createInvoice, async (call) => {
    const caller = callerOf(call)
    const { body } = call
    const { space_id } = body
    const account = await accounts.find(space_id)
    const place = account === null ? null : { spaceId: space_id, whitelabelId: account.whitelabel_id }
    authorize(caller.actor, 'invoice.write', place, 1420)
    if (account === null || account.house) throw refused(1420)
    const { zone } = whiteLabels.brandOf(place.whitelabelId)
    const sent = termsOf({ ...body, due_date: body.due_date ?? null, note: body.note?.trim() ?? '' }, zone)
    const id = derivedId('invoice', caller.commandId)
    const terms = await fitted(id, space_id, sent, zone)
    const { from, to } = terms
    const isWanted =
      body.allow_empty !== false || (await invoices.charges.hasCharges({ invoiceId: id, spaceId: space_id, from, to }))
    if (!isWanted) throw refused(2, [fault('charge_from_date', 2, 'nothingToInvoice')])
    const draft = {
      ...terms,
      space_id,
      whitelabel_id: place.whitelabelId,
      currency: account.currency,
      offset_seconds: offsetAt(zone, now()),
      ...(typeof zone === 'string' ? { time_zone: zone } : {}),
    }
    const done = await claimed(id, space_id, terms, () => decide({ caller, place }, id, { type: 'Draft', draft }))
    return written(id, done.state, done.position)
  })

  register(app, guards, contract.saveInvoice, async (call) => {
    const { id } = call.params
    const reached = await invoiceFor(call, id)
    const { state } = reached
    if (state.stage !== 'draft') throw refused(134)
    const { charge_from_date, charge_to_date, due_date, note } = call.body
    const sent = termsOf(
      {
        charge_from_date: charge_from_date ?? state.charge_from_date,
        charge_to_date: charge_to_date ?? state.charge_to_date,
        due_date: due_date === undefined ? state.due_date : due_date,
        note: note === undefined ? state.note : (note?.trim() ?? ''),
      },
      zoneOf(state),
    )
    // A period may begin or end within a day: with the same days it stays.
    const sameDays = sent.charge_from_date === state.charge_from_date && sent.charge_to_date === state.charge_to_date
    const terms = sameDays ? { ...sent, from: state.from, to: state.to } : await fitted(id, state.space_id, sent, zoneOf(state))
    const done = await claimed(id, state.space_id, terms, () => decide(reached, id, { type: 'ChangeDraft', terms }))
    return written(id, done.state, done.position)
  })

  register(app, guards, contract.deleteInvoice, async (call) => {
    const { id } = call.params
    const done = await decide(await invoiceFor(call, id), id, { type: 'DeleteDraft' })
    await invoices.charges.releasePeriod(id)
    return written(id, done.state, done.position)
  })

  register(app, guards, contract.sendInvoice, async (call) => {
    const { id } = call.params
    const reached = await invoiceFor(call, id)
    const { state } = reached
    const emails = [...new Set((call.body.emails ?? []).map((email) => email.trim().toLowerCase()))]
    const wrong = emails.flatMap((email, i) => (isEmail(email) ? [] : [fault(`emails[${i}]`, 2, 'notAllowed')]))
    if (wrong.length > 0) throw refused(2, wrong)
    if (state.kind === 'credit_note' || state.stage === 'void' || state.stage === 'deleted') throw refused(134)
    const sender = reached.caller.actor.userId
    await kit.limits.reserve([
      { key: `mails of invoice ${id}`, ...MAILS_OF_INVOICE },
      {
        key: `invoice mails ${emails.length === 0 ? 'to account' : 'elsewhere'} ${sender}`,
        ...(emails.length === 0 ? MAILS : MAILS_ELSEWHERE),
      },
    ])
    let { position } = { position: await store.head() }
    let issued = state
    if (state.stage === 'draft' || state.stage === 'issuing') {
      if (state.stage === 'draft') await startIssuing(reached, id)
      const finished = await finish(reached, id)
      if (finished.state.stage !== 'issued') throw refused(2, [fault('charge_from_date', 2, 'nothingToInvoice')])
      ;({ state: issued, position } = finished)
    }
    const recipients = await mails.queue(id, issued, { commandId: call.commandId, emails })
    const context = contextOf(reached.caller, reached.place, 'invoice.write')
    const noted = accepted(
      await commands.invoices.execute(
        id,
        { ...context, command_id: derivedId('invoice', id, 'mailed', call.commandId), body_hash: null },
        { type: 'NoteMail', recipients },
      ),
    )
    return written(id, noted.state, noted.position > position ? noted.position : position)
  })

  async function startIssuing(reached: Reached, id: string): Promise<void> {
    const { state } = reached
    const account = await accounts.find(state.space_id)
    // Settlements that the ledger has are in the charges; the read model only names the terms.
    const instant = now()
    const dueDay = account?.settings.invoice_due_day ?? null
    const zone = zoneOf(state)
    const { space_id: spaceId, from, to } = state
    if (!(await invoices.charges.hasCharges({ invoiceId: id, spaceId, from, to })))
      throw refused(2, [fault('charge_from_date', 2, 'nothingToInvoice')])
    const due = state.due_date === null ? dueAt(instant, dueDay, zone) : endOfDay(state.due_date, zone)
    const tax = await taxNow({ accounts: commands.accounts, newId: kit.newId, store }, reached.place)
    const start = { type: 'StartIssuing', issuedAt: instant, dueAt: due, tax } as const
    await claimed(id, state.space_id, state, () => decide(reached, id, start))
  }

  /** Records a payment, and carries it out unless a second person must confirm it. */
  async function pay(call: Call, id: string, sent: SentPayment) {
    const reached = await invoiceFor(call, id)
    const { caller, place, state } = reached
    const amount = sent.amount === null ? Math.max(0, openOf(state)) : toMicros(sent.amount)
    const day = dayOf(sent.paidAt ?? now(), zoneOf(state))
    const faults: Fault[] = [
      ...(amount === null ? [unitsFault('amount', sent.amount ?? 0)] : []),
      ...(day === undefined ? [fault('paid_at', 11, 'invalidDate')] : []),
    ]
    const refusal = refusalOf(faults)
    if (refusal !== null || amount === null || day === undefined) throw refusal === null ? refused(2) : new Refused(refusal)
    const payment: PaymentDetails = {
      payment_id: derivedId('invoice-payment', call.commandId),
      source: sent.source,
      amount,
      method: PAYMENT_METHODS.find((method) => method === sent.method) ?? null,
      paid_at: day,
      reference: sent.reference,
      comment: sent.comment,
    }
    const { whitelabelId, spaceId } = place
    if (state.payments[payment.payment_id] === undefined) await requireRoom(spaceId, payment)
    const { alone, fresh } = await secondPerson.count({
      id: payment.payment_id,
      whitelabelId,
      spaceId,
      userId: caller.actor.userId,
      kind: 'payment',
      amount,
    })
    const known = sent.source === 'logged' && (await paymentIsKnown(db, place.spaceId, payment))
    let recorded = false
    try {
      const { state: decided } = await decide(reached, id, {
        type: 'LogPayment',
        payment,
        by: caller.actor.userId,
        limit: alone ? null : 0,
        force: sent.force,
        known,
      })
      const { stage } = decided.payments[payment.payment_id] ?? { stage: 'pending' }
      recorded = stage !== 'pending'
    } finally {
      if (fresh && !recorded) await secondPerson.uncount(payment.payment_id)
    }
    return paidOut(reached, id, payment.payment_id)
  }

  /** Before money is asked for, or said to be there: what arrived is recorded whatever the balance is. */
  async function requireRoom(spaceId: string, { source, amount }: Pick<PaymentDetails, 'source' | 'amount'>): Promise<void> {
    if (source === 'balance') return
    accepted(await commands.accounts.execute(spaceId, systemContext('invoices', newId()), { type: 'CheckRoom', amount }))
  }

  async function paidOut(reached: Reached, id: string, paymentId: string) {
    const { state, position, refusals } = await finish(reached, id)
    const refusal = refusals.get(paymentId)
    if (refusal !== undefined) throw new Refused(refusal)
    const stage = state.payments[paymentId]?.stage ?? 'pending'
    return { ...written(id, state, position), payment_id: paymentId, stage }
  }

  register(app, guards, contract.logPayment, async (call) => {
    const { amount, paid_at, method, reference, comment, force } = call.body
    // Without either, a repeat looks like a second payment.
    if (call.bodyHash === null && (reference?.trim() ?? '') === '') {
      const { state } = await invoiceFor(call, call.params.id)
      if (openOf(state) > 0) throw refused(1301, [fault('reference', 1301, 'required')])
    }
    return pay(call, call.params.id, {
      source: 'logged',
      amount,
      paidAt: paid_at ?? null,
      method: method ?? 'bank_transfer',
      reference: reference?.trim() ?? '',
      comment: comment?.trim() ?? '',
      force: force === true,
    })
  })

  register(app, guards, contract.payManually, async (call) => {
    const { from_balance, payment_method_id: card, amount, comment } = call.body
    const byCard = typeof card === 'string' && card !== ''
    if (byCard && from_balance === true) throw refused(2, [fault('payment_method_id', 2, 'notAllowed')])
    if (byCard) {
      const { caller, place } = await invoiceFor(call, call.params.id)
      if (!may(caller.actor, 'card.write', place)) throw refused(3)
    }
    return pay(call, call.params.id, {
      source: byCard ? 'card' : 'balance',
      amount: amount ?? null,
      paidAt: null,
      method: byCard ? 'card' : null,
      reference: byCard ? card : '',
      comment: comment?.trim() ?? '',
      force: false,
    })
  })

  /** The invoice of a payment, from the read model once it has caught up. */
  async function invoiceOf(call: Call, paymentId: string): Promise<{ readonly id: string; readonly reached: Reached }> {
    let id = await invoiceOfPayment(db, paymentId)
    if (id === null) {
      await caughtUp(['invoices'])
      id = await invoiceOfPayment(db, paymentId)
    }
    return { id: id ?? '', reached: await invoiceFor(call, id ?? '-') }
  }

  register(app, guards, contract.confirmPayment, async (call) => {
    const { id: paymentId } = call.params
    const { id, reached } = await invoiceOf(call, paymentId)
    const by = reached.caller.actor.userId
    const payment = reached.state.payments[paymentId]
    if (payment?.stage === 'pending' && payment.by !== by) {
      if ((await secondPerson.handsOf(by)).has(payment.by)) throw refused(3)
      const asker = await actorNow({ people: kit.people, now }, payment.by, reached.place.spaceId)
      if (asker === null || !may(asker.actor, 'invoice.write', reached.place)) {
        await decide(reached, id, { type: 'DeclinePayment', paymentId, by, comment: 'Who asked may not ask any more' })
        throw refused(3)
      }
    }
    if (payment?.source === 'card' && payment.stage === 'pending') await requireRoom(reached.place.spaceId, payment)
    await decide(reached, id, { type: 'ConfirmPayment', paymentId, by })
    return paidOut(reached, id, paymentId)
  })

  register(app, guards, contract.rejectPayment, async (call) => {
    const { id: paymentId } = call.params
    const { id, reached } = await invoiceOf(call, paymentId)
    const by = reached.caller.actor.userId
    await decide(reached, id, { type: 'DeclinePayment', paymentId, by, comment: call.body.comment?.trim() ?? '' })
    return paidOut(reached, id, paymentId)
  })

  register(app, guards, contract.voidInvoice, async (call) => {
    const { id } = call.params
    const reached = await invoiceFor(call, id)
    await decide(reached, id, {
      type: 'Void',
      comment: call.body.comment?.trim() ?? '',
      releaseIdOf: (paymentId) => derivedId('invoice-release', id, paymentId, 'void'),
    })
    const { state, position } = await finish(reached, id)
    return written(id, state, position)
  })

  register(app, guards, contract.creditInvoice, async (call) => {
    const { id } = call.params
    const reached = await invoiceFor(call, id)
    const amount = toMicros(call.body.amount)
    if (amount === null) throw refused(2, [unitsFault('amount', call.body.amount)])
    const creditNoteId = derivedId('credit-note', call.commandId)
    const comment = call.body.comment?.trim() ?? ''
    const { userId } = reached.caller.actor
    const credit = { type: 'Credit', creditNoteId, amount, comment, by: userId } as const
    const { whitelabelId, spaceId } = reached.place
    const { alone, fresh } = await secondPerson.count({
      id: creditNoteId,
      whitelabelId,
      spaceId,
      userId,
      kind: 'credit_note',
      amount,
    })
    if (!alone) {
      accepted(decideInvoice(credit, reached.state))
      const command = { kind: 'credit_note', invoice_id: id, amount, comment } as const
      if (!(await secondPerson.ask({ id: creditNoteId, whitelabelId, spaceId, userId, command }))) throw refused(134)
      const waiting = { credit_note_id: creditNoteId, credit_note_number: null, stage: 'pending' as const }
      return { ...written(id, reached.state, await store.head()), ...waiting }
    }
    try {
      await decide(reached, id, credit)
    } catch (error) {
      if (fresh) await secondPerson.uncount(creditNoteId)
      throw error
    }
    const { state, position } = await finish(reached, id)
    const number = state.credits[creditNoteId]?.number ?? null
    return { ...written(id, state, position), credit_note_id: creditNoteId, credit_note_number: number, stage: 'applied' }
  })
}

/** Days, or instants of them. */
type SentDate = string | number
type SentTerms = {
  readonly charge_from_date: SentDate
  readonly charge_to_date: SentDate
  readonly due_date: SentDate | null
  readonly note: string
}
type SentPayment = {
  readonly source: PaymentSource
  /** Null for all that is due. */
  readonly amount: number | null
  readonly paidAt: SentDate | null
  readonly method: string | null
  readonly reference: string
  readonly comment: string
  readonly force: boolean
}
