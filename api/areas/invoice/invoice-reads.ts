import { INVOICE_STATUS } from '#domain/invoice/invoice-status'
import { settledFundsOf, spendsOf } from '#projections/account/funds'
import { payersOf } from '#projections/invoice/payers'
import { languageOf } from '#domain/kit/languages'
import { actorNamer } from '#commands/identity/person'
import type { FastifyInstance } from 'fastify'
import { fault } from '#domain/kit/faults'
import { unassignedFunds } from '#domain/account/movements'
import type { InvoiceLine } from '#domain/invoice/events'
import { zoneOf } from '#domain/invoice/state'
import { isStaff, may, reachOf, type Actor } from '#domain/kit/access'
import { cpmOf, printedLines } from '#domain/invoice/amounts'
import { fromMicros, type Sum } from '#domain/kit/money'
import { pageOfLedger } from '#projections/account/accounts'
import {
  findInvoice,
  historyOfInvoice,
  pageOfInvoices,
  totalsOfInvoices,
  type InvoiceFilter,
  type InvoiceHistoryRow,
  type InvoiceRow,
} from '#projections/invoice/queries'
import * as contract from '#contract/invoices'
import type { z } from '#contract/zod'
import { accountOf, authorize } from '#api/http/caller'
import { streamCsv } from '#api/http/csv'
import { amountsOf, claimOf, isDraft, invoiceDocument, invoiceFile, linesNow, subtotalOf } from './files.ts'
import { partiesOf } from './parties.ts'
import { missingForUbl, ublOf } from '#commands/invoice/ubl'
import { asOf, type Moment } from '../as-of.ts'
import type { Needs, Served } from '#api/areas/services'
import { shownMovements } from '../account/movements.ts'
import { periodOf } from '#api/http/period'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import { paymentsOf, possibleSteps, summaryOf } from './shown.ts'
import { invoiceSheet } from './workbook.ts'

type Deps = Served<
  'accounts' | 'db' | 'files' | 'invoices' | 'media' | 'past' | 'people' | 'secondPerson' | 'store' | 'threads' | 'whiteLabels'
>

type Then = Needs<'db' | 'now'> & Moment

const PAGE_SIZE = 25
const FINDER_SIZE = 50
const STATUSES: readonly number[] = Object.values(INVOICE_STATUS)

/** Lists, details and documents. */
export function registerInvoiceReads(app: FastifyInstance, kit: Deps): void {
  const { accounts, db, guards, invoices, people, secondPerson } = kit

  /** An invoice in reach. Drafts are the white-label's own business: an account does not see them. */
  async function invoiceFor(actor: Actor, id: string, { db: rows }: Needs<'db'> = kit): Promise<InvoiceRow> {
    const row = await findInvoice(rows, id)
    const place = row === null ? null : { spaceId: row.state.space_id, whitelabelId: row.state.whitelabel_id }
    authorize(actor, 'invoice.read', place, 131)
    if (row === null || (!isStaff(actor) && row.state.stage !== 'issued' && row.state.stage !== 'void')) throw refused(131)
    return row
  }
  async function namerFor(actor: Actor, spaceId: string, ids: readonly string[]) {
    const known = await people.namesOf([...new Set(ids)].filter((id) => !id.startsWith('system:')))
    return actorNamer(actor, spaceId, known)
  }
  /** Sums drafts of a list as of now in one statement; their sums as of then are not known. */
  async function summariesOf(rows: readonly InvoiceRow[], { now, asOf: at }: Then) {
    const drafts = rows.filter(({ state }) => isDraft(state))
    const totals =
      drafts.length === 0 || at !== undefined
        ? new Map<string, number>()
        : await invoices.charges.draftTotals(drafts.map(({ id, state }) => claimOf(id, state)))
    return Promise.all(
      rows.map(async (row) => summaryOf(row, now(), await amountsOf(kit, row.state, [{ amount: totals.get(row.id) ?? 0 }]))),
    )
  }
  const paymentsFor = async (actor: Actor, { state }: InvoiceRow, { asOf: at }: Moment = {}) => {
    const ids = Object.values(state.payments).flatMap(({ by, confirmed_by }) => [by, confirmed_by ?? by])
    const name = await namerFor(actor, state.space_id, [...ids, ...Object.values(state.credits).map(({ by }) => by)])
    const mayDecide =
      at === undefined && may(actor, 'balance.credit', { spaceId: state.space_id, whitelabelId: state.whitelabel_id })
    const hands = mayDecide ? await secondPerson.handsOf(actor.userId) : null
    return paymentsOf(
      state,
      (id) => name(id, 'PaymentLogged'),
      ({ by }) => hands?.has(by) === false,
    )
  }

  register(app, guards, contract.listInvoices, async (call) => {
    const actor = personOf(call)
    const { status = null, space_id: spaceId = null } = call.body
    const statuses = status === null ? [] : [status].flat()
    const unknown = statuses.some((key) => !STATUSES.includes(key))
    if (unknown) throw refused(133, [{ path: 'status', code: 133, message: 'Status is not supported' }])
    if (spaceId !== null) {
      const account = await accounts.find(spaceId)
      const place = account === null ? null : { spaceId, whitelabelId: account.whitelabel_id }
      if (place === null || !may(actor, 'invoice.read', place))
        throw refused(1420, [{ path: 'space_id', code: 1420, message: 'Space mismatch' }])
    }
    const reach = reachOf(actor, 'invoice.read')
    const among = {
      whitelabelId: reach === 'all' ? null : actor.whitelabelId,
      spaceId: spaceId ?? (reach === 'space' ? actor.homeSpaceId : null),
    }
    return asOf(kit, call, { invoices: among }, (then) =>
      listOf(then, { ...among, statuses, ...call.body, drafts: isStaff(actor) }),
    )
  })

  type Listed = Pick<InvoiceFilter, 'whitelabelId' | 'spaceId' | 'statuses' | 'drafts'> &
    z.output<typeof contract.listInvoices.input>

  async function listOf(then: Then, { page: asked, page_size: most, search, ...listed }: Listed) {
    const { db: rm, now } = then
    const [page, size] = [asked ?? 0, most ?? PAGE_SIZE]
    const filter: InvoiceFilter = {
      ...listed,
      ...periodOf(listed),
      search: search ?? '',
      now: now(),
    }
    const [{ rows, total }, sums] = await Promise.all([pageOfInvoices(rm, filter, page, size), totalsOfInvoices(rm, filter)])
    return {
      current_page: page,
      page_size: size,
      total_size: total,
      data: await summariesOf(rows, then),
      totals: sums.map(({ currency, count, payable, paid, overdue, credited }) => ({
        currency,
        count,
        total: fromMicros(payable),
        paid: fromMicros(paid),
        balance_due: fromMicros(payable - paid),
        overdue: fromMicros(overdue),
        credited: fromMicros(credited),
      })),
    }
  }

  register(app, guards, contract.getInvoice, async (call) => {
    const actor = personOf(call)
    const { id } = call.params
    const one = { whitelabelId: null, spaceId: null, id }
    return asOf(kit, call, { invoices: one }, (then) => detailsOf(then, actor, id))
  })

  async function detailsOf(then: Deps & Moment, actor: Actor, id: string): Promise<contract.InvoiceDetails> {
    const { db: rm, now, asOf: at } = then
    const row = await invoiceFor(actor, id, then)
    const { state } = row
    const place = { spaceId: state.space_id, whitelabelId: state.whitelabel_id }
    const mayWrite = at === undefined && may(actor, 'invoice.write', place)
    // The lines of a draft are not known but now.
    const lines = at !== undefined && isDraft(state) ? [] : await linesNow(then, id, state)
    const amounts = await amountsOf(kit, state, lines)
    const printed = printedLines(
      lines.map(({ amount }) => amount),
      subtotalOf(amounts),
      state.currency,
    )
    const history = await historyOfInvoice(rm, id)
    const name = await namerFor(
      actor,
      state.space_id,
      history.map((entry) => entry.actor),
    )
    return {
      ...summaryOf(row, now(), amounts),
      note: state.note,
      due_date: state.due_date,
      issued_at: state.issued_at,
      exact_total: fromMicros(amounts.total),
      rounding: fromMicros(amounts.rounding),
      subtotal: fromMicros(subtotalOf(amounts)),
      mails: state.mails,
      comment: state.comment,
      ...(await partiesOf(kit, { id, ...place })),
      lines: lines.map((line, i) => ({ ...line, ...priced(line), printed: fromMicros(printed[i] ?? 0) })),
      payments: await paymentsFor(actor, row, then),
      documents:
        state.invoice_id === null
          ? Object.entries(state.credits).map(([credit, one]) => ({
              id: credit,
              number: one.number,
              amount: fromMicros(one.amount),
              comment: one.comment,
            }))
          : [{ id: state.invoice_id, number: state.invoice_number, amount: 0, comment: '' }],
      history: history
        .filter(({ type }) => !INTERNAL.has(type))
        .map((entry) => ({ ...historyOut(entry), actor: name(entry.actor, entry.type) })),
      unassigned_funds: mayWrite ? fromMicros(await fundsLeft(state.space_id)) : null,
      may: possibleSteps(state, mayWrite),
    }
  }

  /** Funds of the account that pay no invoice. */
  async function fundsLeft(spaceId: string): Promise<Sum> {
    const row = await settledFundsOf(db, spaceId)
    return row === undefined ? 0 : unassignedFunds({ opened: true, settlements: 0, ...row })
  }

  register(app, guards, contract.invoiceTransactions, async (call) => {
    const actor = personOf(call)
    return paymentsFor(actor, await invoiceFor(actor, call.params.id))
  })

  register(app, guards, contract.userTransactions, async (call) => {
    const actor = personOf(call)
    const { id } = call.params
    const person = await people.find(id)
    const spaceId = accountOf(actor, id, person) ?? id
    const account = await accounts.find(spaceId)
    authorize(actor, 'invoice.read', account === null ? null : { spaceId, whitelabelId: account.whitelabel_id }, 131)
    const { page = 0, page_size: size = PAGE_SIZE } = call.query
    const { rows, total } = await pageOfLedger(db, { spaceId, from: null, to: null, type: null, daily: false, page, size })
    return { current_page: page, page_size: size, total_size: total, data: await shownMovements(kit, actor, spaceId, rows) }
  })

  register(app, guards, contract.invoiceUsers, async (call) => {
    const actor = personOf(call)
    const reach = reachOf(actor, 'invoice.read')
    const search = call.body.search?.trim() ?? ''
    const rows = await payersOf(db, {
      reach,
      whitelabelId: actor.whitelabelId,
      spaceId: actor.homeSpaceId,
      search,
      most: FINDER_SIZE,
    })
    return { users: rows.map((row) => ({ ...row, to_invoice: fromMicros(row.to_invoice) })) }
  })

  register(app, guards, contract.invoicePdf, async (call, reply) => {
    const actor = personOf(call)
    const { id } = call.params
    await invoiceFor(actor, id)
    const file = await invoiceFile(kit, id, call.query.language ?? (await languageFor(actor)))
    if (file === null) throw refused(131)
    return reply
      .type(file.contentType)
      .headers({ 'Content-Disposition': `inline; filename="${file.filename}"`, 'X-Content-Type-Options': 'nosniff' })
      .send(Buffer.from(file.content))
  })

  const languageFor = async (actor: Actor) => languageOf((await people.find(actor.userId))?.language_key)
  const attached = (name: string) => ({
    'Content-Disposition': `attachment; filename="${name}"`,
    'X-Content-Type-Options': 'nosniff',
  })

  register(app, guards, contract.invoiceXlsx, async (call, reply) => {
    const actor = personOf(call)
    const { id } = call.params
    await invoiceFor(actor, id)
    const document = await invoiceDocument(kit, id, call.query.language ?? (await languageFor(actor)))
    if (document === null) throw refused(131)
    return reply
      .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      .headers(attached(`${document.number ?? 'draft'}.xlsx`))
      .send(await kit.threads.workbook(invoiceSheet(document)))
  })

  register(app, guards, contract.invoiceUbl, async (call, reply) => {
    const { id } = call.params
    const { state } = await invoiceFor(personOf(call), id)
    const document = await invoiceDocument(kit, id, 'en')
    // Neither a draft nor a void invoice is to be booked.
    if (document === null || document.number === null || state.stage !== 'issued') throw refused(134)
    const missing = missingForUbl(document)
    if (missing.length > 0)
      throw refused(
        2,
        missing.map(({ party, field }) => fault(`${party}.${field}`, 2, 'required')),
      )
    return reply
      .type('application/xml; charset=utf-8')
      .headers(attached(`${document.number}.xml`))
      .send(ublOf({ ...document, number: document.number, buyerReference: state.space_id }))
  })

  register(app, guards, contract.invoiceCsv, async (call, reply) => {
    const { id } = call.params
    const { state } = await invoiceFor(personOf(call), id)
    const lines = await linesNow(kit, id, state)
    const file = streamCsv(
      ['campaign_id', 'campaign', 'amount', 'currency', 'reported_late', 'impressions', 'cpm'],
      (async function* () {
        yield lines.map((line) => [
          line.campaign_id,
          line.name,
          fromMicros(line.amount),
          state.currency,
          line.late ? 'yes' : 'no',
          line.impressions ?? '',
          priced(line).cpm ?? '',
        ])
      })(),
    )
    return reply
      .type('text/csv; charset=utf-8')
      .headers({
        'Content-Disposition': `attachment; filename="${state.number ?? 'draft'}.csv"`,
        'X-Content-Type-Options': 'nosniff',
      })
      .send(file)
  })

  register(app, guards, contract.invoiceLine, async (call): Promise<contract.InvoiceLineDays> => {
    const { id, campaign_id: campaignId } = call.params
    const { state } = await invoiceFor(personOf(call), id)
    const days = await invoices.charges.daysOfLine({
      claim: claimOf(id, state),
      campaignId,
      late: call.query.late === 'true',
      zone: zoneOf(state),
      isDraft: isDraft(state),
    })
    if (days.length === 0) throw refused(131)
    const spends = await spendsOf(
      db,
      state.space_id,
      days.flatMap(({ settlements }) => settlements.map(({ number }) => number)),
    )
    const movements = new Map(spends.map((row) => [row.settlement, row]))
    return {
      campaign_id: campaignId,
      amount: fromMicros(days.reduce((total, { amount }) => total + amount, 0)),
      days: days.map(({ day, amount, settlements }) => ({
        day,
        amount: fromMicros(amount),
        settlements: settlements.map((settlement) => ({
          number: settlement.number,
          amount: fromMicros(settlement.amount),
          movement_id: movements.get(settlement.number)?.event_id ?? null,
          at: movements.get(settlement.number)?.at ?? null,
        })),
      })),
    }
  })
}

/** Steps of carrying out what was decided. */
const INTERNAL: ReadonlySet<string> = new Set(['InvoiceIssuing', 'ReleaseRecorded', 'RestorationRecorded', 'ChargesFreed'])

/** Amounts of a line in currency units, exact to six decimals. */
function priced({ amount, impressions }: Pick<InvoiceLine, 'amount' | 'impressions'>) {
  const cpm = cpmOf(amount, impressions)
  return { amount: fromMicros(amount), cpm: cpm === null ? null : fromMicros(cpm) }
}

/** `text` is the comment or number of the entry. */
function historyOut({ id, at, type, data }: InvoiceHistoryRow) {
  const text = data['comment'] ?? data['number'] ?? ''
  return { id, at, type, text: typeof text === 'string' ? text : '' }
}
