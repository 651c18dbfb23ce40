import { eventDecoder, FIRST, type EventSchema, type EventSchemas } from '../kit/event-schema.ts'
import type { Micros } from '../kit/money.ts'
import type { PaymentMethod } from '../account/movements.ts'
import { NO_TAX, type TaxTerms } from './tax.ts'

/** An invoice, or a credit note on one: a document with its own number (decisions G-216, fine print 61). */

export const INVOICE_STREAMS = 'invoice-'
export const invoiceStream = (id: string): string => `${INVOICE_STREAMS}${id}`

/** Where the money of a payment comes from: recorded by hand, from the account's funds, or a card. */
export type PaymentSource = 'logged' | 'balance' | 'card'

/** Terms that staff write in a draft. Days are those of the white-label, the last one included. */
export type DraftTerms = {
  readonly charge_from_date: string
  readonly charge_to_date: string
  /** Instants, ISO 8601 UTC; `to` is excluded. */
  readonly from: string
  readonly to: string
  /** Chosen by hand; null for the account's due day. */
  readonly due_date: string | null
  /** Printed on the document. */
  readonly note: string
}

export type InvoiceLine = {
  readonly campaign_id: string
  readonly name: string
  readonly amount: Micros
  /** Impressions that were charged; null where the charges are older than their count. */
  readonly impressions: number | null
  /** Delivery of an earlier period that was reported after its invoice was issued. */
  readonly late: boolean
}

/** A line as it is stored: an event has a largest size, and an invoice many lines. What is false or not known is left out. */
export type StoredLine = Omit<InvoiceLine, 'impressions' | 'late'> & Partial<Pick<InvoiceLine, 'impressions' | 'late'>>

export const storedLine = ({ impressions, late, ...line }: InvoiceLine): StoredLine => ({
  ...line,
  ...(impressions === null ? {} : { impressions }),
  ...(late ? { late } : {}),
})
export const lineOf = ({ impressions = null, late = false, ...line }: StoredLine): InvoiceLine => ({ ...line, impressions, late })

export type PaymentDetails = {
  readonly payment_id: string
  readonly source: PaymentSource
  /** All of the money, which may be more than is due. */
  readonly amount: Micros
  readonly method: PaymentMethod | null
  /** Day of the payment, YYYY-MM-DD. */
  readonly paid_at: string
  readonly reference: string
  readonly comment: string
}

export type InvoiceEvent =
  | {
      readonly type: 'InvoiceDrafted'
      readonly data: DraftTerms & {
        readonly space_id: string
        readonly whitelabel_id: string
        readonly currency: string
        /** Seconds east of UTC of the white-label's days at that time. */
        readonly offset_seconds: number
        /** IANA time zone of the white-label's days; absent for the fixed offset. */
        readonly time_zone?: string
      }
    }
  | { readonly type: 'DraftChanged'; readonly data: DraftTerms }
  | { readonly type: 'DraftDeleted'; readonly data: Readonly<Record<string, never>> }
  /** From here on the draft is frozen, until its charges are taken or there are none. */
  | { readonly type: 'InvoiceIssuing'; readonly data: TaxTerms & { readonly issued_at: string; readonly due_at: string } }
  | { readonly type: 'IssuingCancelled'; readonly data: Readonly<Record<string, never>> }
  | {
      readonly type: 'InvoiceIssued'
      readonly data: TaxTerms & {
        readonly number: string
        readonly issued_at: string
        readonly due_at: string
        readonly lines: readonly StoredLine[]
        /** The exact sum of the lines. */
        readonly total: Micros
        /** From `total` to the minor unit. */
        readonly rounding: Micros
        /** In `payable`; a tax that is added to the lines moves the ledger too (`TaxCharged`). */
        readonly tax: Micros
        readonly payable: Micros
      }
    }
  /** Addresses are personal data: the queue of mails holds them until they are sent. */
  | { readonly type: 'InvoiceMailed'; readonly data: { readonly recipients: number } }
  /** `assigns` is reserved for the invoice until the payment is applied or fails; null while a second person must confirm. */
  | {
      readonly type: 'PaymentLogged'
      readonly data: PaymentDetails & { readonly by: string; readonly assigns: Micros | null }
    }
  | { readonly type: 'PaymentConfirmed'; readonly data: { readonly payment_id: string; readonly assigns: Micros } }
  | { readonly type: 'PaymentDeclined'; readonly data: { readonly payment_id: string; readonly comment: string } }
  | { readonly type: 'PaymentApplied'; readonly data: { readonly payment_id: string; readonly amount: Micros } }
  /** The account refused it, and nothing was paid. */
  | { readonly type: 'InvoicePaymentFailed'; readonly data: { readonly payment_id: string; readonly code: number } }
  /** Funds of a payment no longer pay this invoice. The account releases them under this id. */
  | {
      readonly type: 'PaymentReversed'
      readonly data: {
        readonly payment_id: string
        readonly release_id: string
        readonly amount: Micros
        readonly cause: 'refund' | 'dispute' | 'void'
        /** Part of the payment that was taken back; 0 when the invoice became void. */
        readonly taken: Micros
      }
    }
  /** Money that was taken back came again: a refund failed, a dispute was won. `amount` is reserved until it is assigned. */
  | {
      readonly type: 'PaymentRestored'
      readonly data: {
        readonly payment_id: string
        readonly release_id: string
        readonly amount: Micros
        readonly cause: 'refund_failed' | 'dispute_won'
        /** Part of the payment that came again. */
        readonly given: Micros
      }
    }
  /** `amount` pays the invoice again; 0 when the account had assigned its funds elsewhere. */
  | { readonly type: 'RestorationRecorded'; readonly data: { readonly release_id: string; readonly amount: Micros } }
  | { readonly type: 'ReleaseRecorded'; readonly data: { readonly release_id: string } }
  | { readonly type: 'InvoiceVoided'; readonly data: { readonly comment: string } }
  /** The charges of a void invoice can be invoiced again. */
  | { readonly type: 'ChargesFreed'; readonly data: Readonly<Record<string, never>> }
  /** A credit note on this invoice: `assigns` of it pays what is still due. */
  | {
      readonly type: 'InvoiceCredited'
      readonly data: {
        readonly credit_note_id: string
        readonly amount: Micros
        readonly assigns: Micros
        readonly comment: string
        readonly by: string
      }
    }
  | {
      readonly type: 'CreditNoteLinked'
      readonly data: { readonly credit_note_id: string; readonly number: string; readonly assigned: Micros }
    }
  /** The document itself, in its own stream. */
  | {
      readonly type: 'CreditNoteDocumented'
      readonly data: TaxTerms & {
        readonly space_id: string
        readonly whitelabel_id: string
        readonly currency: string
        readonly offset_seconds: number
        readonly number: string
        readonly issued_at: string
        readonly invoice_id: string
        readonly invoice_number: string
        readonly amount: Micros
        /** In `amount`: a credit note corrects what was to be paid. */
        readonly tax: Micros
        readonly comment: string
      }
    }

/** Documents from before taxes have none. */
const withoutTax: EventSchema = { version: 2, upcasters: { 1: (data) => ({ ...data, ...NO_TAX, tax: 0 }) } }

export const INVOICE_EVENTS: EventSchemas<InvoiceEvent> = {
  InvoiceDrafted: FIRST,
  DraftChanged: FIRST,
  DraftDeleted: FIRST,
  InvoiceIssuing: { version: 2, upcasters: { 1: (data) => ({ ...data, ...NO_TAX }) } },
  IssuingCancelled: FIRST,
  InvoiceIssued: withoutTax,
  InvoiceMailed: FIRST,
  PaymentLogged: FIRST,
  PaymentConfirmed: FIRST,
  PaymentDeclined: FIRST,
  PaymentApplied: FIRST,
  InvoicePaymentFailed: FIRST,
  PaymentReversed: FIRST,
  PaymentRestored: FIRST,
  RestorationRecorded: FIRST,
  ReleaseRecorded: FIRST,
  InvoiceVoided: FIRST,
  ChargesFreed: FIRST,
  InvoiceCredited: FIRST,
  CreditNoteLinked: FIRST,
  CreditNoteDocumented: withoutTax,
}

export const decodeInvoiceEvent = eventDecoder<InvoiceEvent>(INVOICE_EVENTS)
