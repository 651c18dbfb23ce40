import type { Language } from '../mail/layout.ts'

/** An invoice or credit note as it is printed. Amounts are in currency units; days are YYYY-MM-DD of the white-label. */
export type InvoiceDocument = {
  readonly language: Language
  readonly kind: 'invoice' | 'credit_note'
  readonly mark: 'draft' | 'void' | null
  readonly number: string | null
  readonly brand: { readonly name: string; readonly primary: string }
  readonly seller: Party
  readonly buyer: Party
  readonly currency: string
  /** Digits after the point of every amount: those of the currency. */
  readonly digits: number
  readonly from: string
  readonly to: string
  /** When it was issued; the time of the PDF's own metadata. */
  readonly issuedAt: string
  readonly issued: string
  readonly due: string | null
  readonly lines: readonly { readonly name: string; readonly amount: number; readonly late: boolean }[]
  readonly total: number
  readonly payments: readonly { readonly date: string; readonly type: PaymentKind; readonly amount: number }[]
  readonly balanceDue: number
  readonly note: string
  /** Why it is void, or what the credit note corrects. */
  readonly comment: string
  /** Number of the invoice that a credit note corrects. */
  readonly corrects: string | null
}
export type PaymentKind = 'logged' | 'balance' | 'card' | 'credit_note'
export type Party = { readonly name: string; readonly legal_entity_name: string; readonly tin_number: string }

/** The same bytes for the same document. */
export type RenderInvoice = (document: InvoiceDocument) => Promise<Uint8Array>
