import type { Language } from '#domain/kit/languages'

/** An invoice or credit note as it is printed. Amounts are in currency units; days are YYYY-MM-DD of the white-label. */
export type InvoiceDocument = {
  readonly language: Language
  readonly kind: 'invoice' | 'credit_note'
  readonly mark: 'draft' | 'void' | null
  readonly number: string | null
  readonly brand: {
    readonly name: string
    readonly primary: string
    /** PNG; null without one. */
    readonly logo: Uint8Array | null
  }
  readonly seller: Seller
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
  readonly lines: readonly DocumentLine[]
  /** Sum of the lines. */
  readonly subtotal: number
  /** Null without a tax. */
  readonly tax: DocumentTax | null
  /** Amount to be paid, the tax included. */
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

export type DocumentLine = {
  readonly name: string
  readonly amount: number
  /** Null where they were not counted by charge. */
  readonly impressions: number | null
  /** Price of a thousand impressions. */
  readonly cpm: number | null
  readonly late: boolean
}
export type DocumentTax = {
  /** Whether the amounts of the lines contain it. */
  readonly included: boolean
  readonly percent: number
  readonly taxable: number
  readonly amount: number
}

/** Party that a document names, as it was when it was issued. Empty texts were not known. */
export type Party = {
  readonly name: string
  readonly legal_entity_name: string
  readonly tin_number: string
  readonly address_line_1: string
  readonly address_line_2: string
  readonly city: string
  readonly postal_code: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly email: string
}
/** The seller with how it is paid. */
export type Seller = Party & {
  readonly bank_name: string
  readonly bank_account: string
  readonly bank_code: string
  readonly payment_link: string
  readonly payment_terms: string
}

/** The same bytes for the same document. */
export type RenderInvoice = (document: InvoiceDocument) => Promise<Uint8Array>
