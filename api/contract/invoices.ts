import { LANGUAGE_CODES } from '#domain/kit/languages'
import { PAYMENT_METHODS } from '#domain/account/movements'
import { asOfQuery, endpoint, named, page, position } from './http.ts'
import { ledgerRow } from './ledger.ts'
import { invoiceStatus } from './sets.ts'
import { z } from './zod.ts'

/** Invoices of accounts, their payments and corrections (fine print 61, decisions G-216). Amounts are in the account's currency. */

const ID = z.object({ id: z.string() })
const text = z.nullish(z.string().check(z.maxLength(5000)))
/** A day, or an instant of it: ISO 8601 or epoch milliseconds. */
const someDate = z.union([z.string(), z.number()])
const date = z.nullish(someDate)

const tax = z.object({
  /** Whether the amounts of the lines contain it. */
  included: z.boolean(),
  percent: z.number(),
  /** Amount that is taxed. */
  taxable: z.number(),
  amount: z.number(),
})

const invoiceRow = z.object({
  id: z.string(),
  /** `invoice` or `credit_note`. */
  kind: z.enum(['invoice', 'credit_note']),
  /** Null for a draft. */
  number: z.nullable(z.string()),
  status: invoiceStatus,
  space_id: z.string(),
  space_name: z.string(),
  currency: z.string(),
  charge_from_date: z.string(),
  charge_to_date: z.string(),
  /** When it was issued, or drafted. */
  dated_at: z.string(),
  due_at: z.nullable(z.string()),
  /** Amount to be paid: the sum of the lines, rounded to the currency's minor unit, and a tax that is added. */
  total: z.number(),
  /** Null without a tax. */
  tax: z.nullable(tax),
  paid: z.number(),
  balance_due: z.number(),
  /** Sum of its credit notes. */
  credited: z.number(),
})
export type InvoiceSummary = z.infer<typeof invoiceRow>

const totals = z.object({
  currency: z.string(),
  count: z.number(),
  total: z.number(),
  paid: z.number(),
  balance_due: z.number(),
  overdue: z.number(),
  credited: z.number(),
})

export const listInvoices = endpoint({
  id: 'invoice.list',
  reads: ['accounts', 'invoices'],
  method: 'POST',
  path: '/v1/invoice',
  access: 'invoice.read',
  summary: 'Invoices and credit notes, newest first, with totals by currency; pages are zero-based',
  query: asOfQuery,
  body: 'json',
  input: z.object({
    page: z.nullish(z.int().check(z.gte(0), z.lte(1_000_000))),
    page_size: z.nullish(z.int().check(z.gte(1), z.lte(150))),
    from_date: date,
    to_date: date,
    status: z.nullish(z.union([invoiceStatus, z.array(invoiceStatus).check(z.maxLength(10))])),
    space_id: z.nullish(z.string()),
    search: text,
  }),
  output: z.extend(page(named('InvoiceSummary', invoiceRow)), { totals: z.array(totals) }),
})

const line = z.object({
  campaign_id: z.string(),
  name: z.string(),
  /** Exact to six decimals. */
  amount: z.number(),
  /** As documents print it: in the currency's minor unit, so that lines add up. */
  printed: z.number(),
  /** Null where they were not counted by charge. */
  impressions: z.nullable(z.number()),
  /** Price of a thousand impressions, exact to six decimals. */
  cpm: z.nullable(z.number()),
  /** Delivery of an earlier period that was reported after its invoice. */
  late: z.boolean(),
})
export type InvoiceLineOut = z.infer<typeof line>

const payment = named(
  'InvoicePayment',
  z.object({
    id: z.string(),
    /** logged, balance, card or credit_note. */
    type: z.enum(['logged', 'balance', 'card', 'credit_note']),
    /** pending, confirmed, applied, declined or failed. */
    stage: z.enum(['pending', 'confirmed', 'applied', 'declined', 'failed']),
    date: z.string(),
    method: z.nullable(z.enum(PAYMENT_METHODS)),
    reference: z.string(),
    comment: z.string(),
    /** All of the money. */
    amount: z.number(),
    /** Part of it that pays this invoice now. */
    applied: z.number(),
    by: z.string(),
    confirmed_by: z.nullable(z.string()),
    /** Whether the caller may confirm it: they did not log it, and neither they nor the user who did set up the other's way in. */
    may_decide: z.boolean(),
  }),
)
export type InvoicePayment = z.infer<typeof payment>

const party = z.object({
  name: z.string(),
  legal_entity_name: z.string(),
  tin_number: z.string(),
  address_line_1: z.string(),
  address_line_2: z.string(),
  city: z.string(),
  postal_code: z.string(),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  email: z.string(),
})
const seller = z.extend(party, {
  bank_name: z.string(),
  bank_account: z.string(),
  bank_code: z.string(),
  payment_link: z.string(),
  payment_terms: z.string(),
})

const invoice = named(
  'Invoice',
  z.extend(invoiceRow, {
    note: z.string(),
    due_date: z.nullable(z.string()),
    issued_at: z.nullable(z.string()),
    /** The exact sum of the lines. */
    exact_total: z.number(),
    /** From `exact_total` to `subtotal`. */
    rounding: z.number(),
    /** The sum of the printed lines. */
    subtotal: z.number(),
    mails: z.number(),
    comment: z.string(),
    buyer: party,
    seller,
    lines: z.array(line),
    payments: z.array(payment),
    /** Credit notes on it; a credit note names its invoice. */
    documents: z.array(z.object({ id: z.string(), number: z.nullable(z.string()), amount: z.number(), comment: z.string() })),
    history: z.array(z.object({ id: z.string(), at: z.string(), type: z.string(), actor: z.string(), text: z.string() })),
    /** Funds of the account that pay no invoice; null for callers who cannot pay with them. */
    unassigned_funds: z.nullable(z.number()),
    /** Steps that the caller may take now. */
    may: z.object({
      edit: z.boolean(),
      send: z.boolean(),
      pay: z.boolean(),
      void: z.boolean(),
      credit: z.boolean(),
    }),
  }),
)
export type InvoiceDetails = z.infer<typeof invoice>

export const getInvoice = endpoint({
  id: 'invoice.get',
  reads: ['accounts', 'invoices', 'campaign-list'],
  method: 'GET',
  path: '/v1/invoice/:id',
  access: 'invoice.read',
  summary: 'An invoice with its lines, payments, credit notes and history; the lines of a draft are those of now',
  params: ID,
  query: asOfQuery,
  output: invoice,
})

const written = named(
  'InvoiceWritten',
  z.object({ id: z.string(), number: z.nullable(z.string()), status: invoiceStatus, position }),
)

export const createInvoice = endpoint({
  id: 'invoice.create',
  reads: [],
  method: 'POST',
  path: '/v1/invoice/create',
  access: 'invoice.write',
  summary: 'Draft an invoice of a period; both days are included',
  body: 'json',
  input: z.object({
    space_id: z.string(),
    charge_from_date: someDate,
    charge_to_date: someDate,
    due_date: date,
    note: text,
    allow_empty: z
      .nullish(z.boolean())
      .check(z.describe('False refuses a draft that has nothing to invoice yet; true, the default, makes it')),
  }),
  output: written,
  command: true,
})

export const saveInvoice = endpoint({
  id: 'invoice.save',
  reads: [],
  method: 'PUT',
  path: '/v1/invoice/:id',
  access: 'invoice.write',
  summary: 'Change a draft; fields that are left out stay as they are',
  params: ID,
  body: 'json',
  input: z.object({
    charge_from_date: z.optional(someDate),
    charge_to_date: z.optional(someDate),
    due_date: date,
    note: text,
  }),
  output: written,
  command: true,
})

export const deleteInvoice = endpoint({
  id: 'invoice.delete',
  reads: [],
  method: 'DELETE',
  path: '/v1/invoice/:id',
  access: 'invoice.write',
  summary: 'Delete a draft',
  params: ID,
  output: written,
  command: true,
})

export const sendInvoice = endpoint({
  id: 'invoice.send',
  reads: [],
  method: 'POST',
  path: '/v1/invoice/send/:id',
  access: 'invoice.write',
  summary: "Issue a draft and mail it as a PDF, to the account's owner unless addresses are given; an issued one is mailed again",
  params: ID,
  body: 'json',
  input: z.object({ emails: z.nullish(z.array(z.string().check(z.maxLength(320))).check(z.maxLength(10))) }),
  output: written,
  command: true,
})

const paid = z.extend(written, { payment_id: z.string(), stage: payment.shape.stage })

export const logPayment = endpoint({
  id: 'invoice.logPayment',
  reads: [],
  method: 'POST',
  path: '/v1/invoice/log-payment/:id',
  access: 'invoice.write',
  stepUp: 'session',
  summary:
    'Record money that was received elsewhere, with a reference or an Idempotency-Key; more than is due waits for a second person',
  params: ID,
  body: 'json',
  input: z.object({
    amount: z.number(),
    paid_at: date,
    method: z.nullish(z.string()),
    reference: text,
    comment: text,
    /** Records a payment whose reference, amount and day are known already; needs a comment. */
    force: z.nullish(z.boolean()),
  }),
  output: paid,
  command: true,
})

export const payManually = endpoint({
  id: 'invoice.payManually',
  reads: [],
  method: 'POST',
  path: '/v1/invoice/pay-manually/:id',
  access: 'invoice.write',
  summary: "Pay an invoice from the account's funds, or by a card of the account; all that is due without an amount",
  params: ID,
  body: 'json',
  input: z.object({
    from_balance: z.nullish(z.boolean()),
    payment_method_id: z.nullish(z.string()),
    amount: z.nullish(z.number()),
    comment: text,
  }),
  output: paid,
  command: true,
})

export const confirmPayment = endpoint({
  id: 'invoice.confirmPayment',
  reads: [],
  method: 'POST',
  path: '/v1/invoice/payment/:id/confirm',
  access: 'balance.credit',
  stepUp: 'session',
  summary: 'Confirm a payment that waits for a second person; never by the user who recorded it',
  params: ID,
  output: paid,
  command: true,
})

export const rejectPayment = endpoint({
  id: 'invoice.rejectPayment',
  reads: [],
  method: 'POST',
  path: '/v1/invoice/payment/:id/reject',
  access: 'balance.credit',
  summary: 'Reject a payment that waits for confirmation; never by the user who recorded it',
  params: ID,
  body: 'json',
  input: z.object({ comment: text }),
  output: paid,
  command: true,
})

export const voidInvoice = endpoint({
  id: 'invoice.void',
  reads: [],
  method: 'POST',
  path: '/v1/invoice/void/:id',
  access: 'invoice.write',
  summary: 'Void an issued invoice; its charges can be invoiced again, and its payments stay with the account',
  params: ID,
  body: 'json',
  input: z.object({ comment: text }),
  output: written,
  command: true,
})

export const creditInvoice = endpoint({
  id: 'invoice.credit',
  reads: [],
  method: 'POST',
  path: '/v1/invoice/credit/:id',
  access: 'invoice.write',
  stepUp: 'session',
  summary: 'Issue a credit note on an invoice, which raises the balance of the account and pays what is still due',
  params: ID,
  body: 'json',
  input: z.object({ amount: z.number(), comment: text }),
  output: z.extend(written, {
    credit_note_id: z.string(),
    credit_note_number: z.nullable(z.string()),
    stage: z.enum(['pending', 'applied']),
  }),
  command: true,
})

export const invoiceTransactions = endpoint({
  id: 'invoice.transactions',
  reads: ['accounts', 'invoices'],
  method: 'GET',
  path: '/v1/invoice/transactions/:id',
  access: 'invoice.read',
  summary: 'Payments and credit notes of an invoice',
  params: ID,
  output: z.array(payment),
})

export const userTransactions = endpoint({
  id: 'invoice.userTransactions',
  reads: ['accounts'],
  method: 'GET',
  path: '/v1/invoice/user-transactions/:id',
  access: 'invoice.read',
  summary: 'The ledger of an account, by the id of the account or of one of its users, newest first',
  params: ID,
  query: z.object({
    page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))),
    page_size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(150))),
  }),
  output: page(ledgerRow),
})

export const invoiceUsers = endpoint({
  id: 'invoice.users',
  reads: ['accounts', 'invoices'],
  method: 'POST',
  path: '/v1/invoice/users',
  access: 'invoice.read',
  summary: 'Accounts with something to invoice or with invoices',
  body: 'json',
  input: z.object({ search: text }),
  output: z.object({
    users: z.array(
      z.object({
        user_id: z.nullable(z.string()),
        space_id: z.string(),
        space_name: z.string(),
        currency: z.string(),
        invoices: z.number(),
        /** Settled spend on no invoice. */
        to_invoice: z.number(),
      }),
    ),
  }),
})

export const invoicePdf = endpoint({
  id: 'invoice.pdf',
  reads: ['accounts', 'invoices', 'campaign-list'],
  method: 'GET',
  path: '/v1/invoice/:id/pdf',
  access: 'invoice.read',
  summary: 'The document as a PDF, in the language of the caller unless one is given',
  params: ID,
  query: z.object({ language: z.optional(z.enum(LANGUAGE_CODES)) }),
  output: z.unknown(),
  raw: true,
  download: true,
})

export const invoiceCsv = endpoint({
  id: 'invoice.csv',
  reads: ['invoices', 'campaign-list'],
  method: 'GET',
  path: '/v1/invoice/:id/csv',
  access: 'invoice.read',
  summary: 'The lines of an invoice as CSV',
  params: ID,
  output: z.unknown(),
  raw: true,
  download: true,
})

export const invoiceXlsx = endpoint({
  id: 'invoice.xlsx',
  reads: ['accounts', 'invoices', 'campaign-list'],
  method: 'GET',
  path: '/v1/invoice/:id/xlsx',
  access: 'invoice.read',
  summary: 'The document as an Excel workbook, in the language of the caller unless one is given',
  params: ID,
  query: z.object({ language: z.optional(z.enum(LANGUAGE_CODES)) }),
  output: z.unknown(),
  raw: true,
  download: true,
})

export const invoiceUbl = endpoint({
  id: 'invoice.ubl',
  reads: ['accounts', 'invoices'],
  method: 'GET',
  path: '/v1/invoice/:id/ubl',
  access: 'invoice.read',
  summary:
    'An issued document as UBL 2.1 by Peppol BIS Billing 3.0; refused with the fields of the parties that it lacks (seller and buyer: country, email; seller: tax number)',
  params: ID,
  output: z.unknown(),
  raw: true,
  download: true,
})

export const invoiceLine = endpoint({
  id: 'invoice.line',
  reads: ['accounts', 'invoices'],
  method: 'GET',
  path: '/v1/invoice/:id/lines/:campaign_id',
  access: 'invoice.read',
  summary: 'Days and settlements behind a line; each settlement is a movement of the ledger',
  params: z.object({ id: z.string(), campaign_id: z.string() }),
  query: z.object({ late: z.optional(z.enum(['true', 'false'])) }),
  output: z.object({
    campaign_id: z.string(),
    amount: z.number(),
    days: z.array(
      z.object({
        day: z.string(),
        amount: z.number(),
        settlements: z.array(
          z.object({
            number: z.number(),
            amount: z.number(),
            /** The event in the account's ledger, and when it was recorded. */
            movement_id: z.nullable(z.string()),
            at: z.nullable(z.string()),
          }),
        ),
      }),
    ),
  }),
})
export type InvoiceLineDays = z.infer<typeof invoiceLine.output>

export const INVOICE_ENDPOINTS = [
  listInvoices,
  createInvoice,
  invoiceUsers,
  sendInvoice,
  logPayment,
  payManually,
  confirmPayment,
  rejectPayment,
  voidInvoice,
  creditInvoice,
  invoiceTransactions,
  userTransactions,
  getInvoice,
  saveInvoice,
  deleteInvoice,
  invoicePdf,
  invoiceCsv,
  invoiceXlsx,
  invoiceUbl,
  invoiceLine,
]
