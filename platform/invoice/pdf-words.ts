import type { InvoiceDocument, PaymentKind } from '#commands/invoice/document'

export type Words = {
  readonly kinds: Readonly<Record<InvoiceDocument['kind'], string>>
  readonly marks: Readonly<Record<'draft' | 'void', string>>
  readonly payments: Readonly<Record<PaymentKind, string>>
} & Readonly<
  Record<
    | 'number'
    | 'draft'
    | 'corrects'
    | 'issued'
    | 'due'
    | 'period'
    | 'from'
    | 'to'
    | 'tin'
    | 'campaign'
    | 'amount'
    | 'impressions'
    | 'cpm'
    | 'currency'
    | 'subtotal'
    | 'tax'
    | 'taxIncluded'
    | 'bank'
    | 'account'
    | 'bankCode'
    | 'payOnline'
    | 'terms'
    | 'late'
    | 'total'
    | 'balanceDue'
    | 'voided',
    string
  >
>

/** Texts of a printed document. */
export const WORDS: Readonly<Record<InvoiceDocument['language'], Words>> = {
  en: {
    kinds: { invoice: 'Invoice', credit_note: 'Credit note' },
    marks: { draft: 'DRAFT', void: 'VOID' },
    payments: { logged: 'Payment', balance: 'Paid from the balance', card: 'Paid by card', credit_note: 'Credit note' },
    number: 'Number',
    draft: 'Draft',
    corrects: 'For invoice',
    issued: 'Issued',
    due: 'Due',
    period: 'Period',
    from: 'From',
    to: 'Bill to',
    tin: 'TIN',
    campaign: 'Campaign',
    amount: 'Amount',
    impressions: 'Impressions',
    cpm: 'CPM',
    currency: 'Currency',
    subtotal: 'Subtotal',
    tax: 'VAT',
    taxIncluded: 'Including VAT',
    bank: 'Bank',
    account: 'IBAN or account',
    bankCode: 'BIC or bank code',
    payOnline: 'Pay online',
    terms: 'Payment terms',
    late: 'Delivery of an earlier period, reported late',
    total: 'Total',
    balanceDue: 'Balance due',
    voided: 'Void',
  },
  ru: {
    kinds: { invoice: 'Счёт', credit_note: 'Кредит-нота' },
    marks: { draft: 'ЧЕРНОВИК', void: 'АННУЛИРОВАН' },
    payments: { logged: 'Платёж', balance: 'Оплачено с баланса', card: 'Оплачено картой', credit_note: 'Кредит-нота' },
    number: 'Номер',
    draft: 'Черновик',
    corrects: 'К счёту',
    issued: 'Выставлен',
    due: 'Оплатить до',
    period: 'Период',
    from: 'Продавец',
    to: 'Покупатель',
    tin: 'ИНН',
    campaign: 'Кампания',
    amount: 'Сумма',
    impressions: 'Показы',
    cpm: 'CPM',
    currency: 'Валюта',
    subtotal: 'Без НДС',
    tax: 'НДС',
    taxIncluded: 'В том числе НДС',
    bank: 'Банк',
    account: 'Счёт в банке',
    bankCode: 'БИК или код банка',
    payOnline: 'Оплатить онлайн',
    terms: 'Условия оплаты',
    late: 'Показы прошлого периода, переданные с опозданием',
    total: 'Итого',
    balanceDue: 'К оплате',
    voided: 'Аннулирован',
  },
}
