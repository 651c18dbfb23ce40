import writeExcelFile from 'write-excel-file/node'
import type { InvoiceDocument, Party } from '#commands/invoice/document'

type Language = InvoiceDocument['language']
type Value = string | number | null

const TEXTS = {
  en: {
    sheet: 'Invoice',
    number: 'Number',
    issued: 'Issued',
    due: 'Due',
    period: 'Period',
    currency: 'Currency',
    seller: 'From',
    buyer: 'Bill to',
    campaign: 'Campaign',
    late: 'Reported late',
    impressions: 'Impressions',
    cpm: 'CPM',
    amount: 'Amount',
    yes: 'Yes',
    subtotal: 'Subtotal',
    tax: 'VAT',
    included: 'Including VAT',
    total: 'Total',
  },
  ru: {
    sheet: 'Счёт',
    number: 'Номер',
    issued: 'Выставлен',
    due: 'Оплатить до',
    period: 'Период',
    currency: 'Валюта',
    seller: 'Продавец',
    buyer: 'Покупатель',
    campaign: 'Кампания',
    late: 'Передано с опозданием',
    impressions: 'Показы',
    cpm: 'CPM',
    amount: 'Сумма',
    yes: 'Да',
    subtotal: 'Без НДС',
    tax: 'НДС',
    included: 'В том числе НДС',
    total: 'Итого',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<string, string>>>>

/** Characters that XML cannot hold: a file with one of them would not open. */
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Texts are typed as texts: a spreadsheet never reads one as a formula. */
const cell = (value: Value, style: { readonly format?: string; readonly fontWeight?: 'bold' } = {}) =>
  value === null
    ? null
    : typeof value === 'number'
      ? { value, type: Number, ...style }
      : { value: value.replaceAll(UNWRITABLE, ''), type: String, ...style }

const partyText = (party: Party): string =>
  [
    party.legal_entity_name === '' ? party.name : party.legal_entity_name,
    party.address_line_1,
    party.address_line_2,
    `${party.postal_code} ${party.city}`.trim(),
    party.country,
    party.tin_number,
  ]
    .filter((text) => text !== '')
    .join(', ')

/** A document as a workbook: its facts, its lines in the currency's minor unit, and its sums. */
export async function invoiceWorkbook(document: InvoiceDocument): Promise<Buffer> {
  const t = TEXTS[document.language]
  const { tax, digits } = document
  const format = digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`
  const money = (value: number, bold = false) => cell(value, bold ? { format, fontWeight: 'bold' } : { format })
  const fact = (name: string, value: Value) => [cell(name), cell(value)]
  const sum = (name: string, value: number, bold = false) => [
    cell(name, bold ? { fontWeight: 'bold' } : {}),
    null,
    null,
    null,
    money(value, bold),
  ]
  const lines =
    document.kind === 'credit_note'
      ? [{ name: document.comment, amount: document.total, impressions: null, cpm: null, late: false }]
      : document.lines
  const rows = [
    fact(t.number, document.number),
    fact(t.issued, document.issued),
    ...(document.due === null ? [] : [fact(t.due, document.due)]),
    ...(document.from === '' ? [] : [fact(t.period, `${document.from} – ${document.to}`)]),
    fact(t.currency, document.currency),
    fact(t.seller, partyText(document.seller)),
    fact(t.buyer, partyText(document.buyer)),
    [],
    [t.campaign, t.late, t.impressions, t.cpm, t.amount].map((name) => cell(name, { fontWeight: 'bold' })),
    ...lines.map((line) => [
      cell(line.name),
      cell(line.late ? t.yes : null),
      cell(line.impressions, { format: '#,##0' }),
      cell(line.cpm, { format: '#,##0.0000' }),
      money(line.amount),
    ]),
    [],
    ...(tax === null || tax.included ? [] : [sum(t.subtotal, document.subtotal), sum(`${t.tax} ${tax.percent} %`, tax.amount)]),
    sum(`${t.total} (${document.currency})`, document.total, true),
    ...(tax?.included === true ? [sum(`${t.included} ${tax.percent} %`, tax.amount)] : []),
  ]
  const columns = [{ width: 40 }, { width: 24 }, { width: 14 }, { width: 12 }, { width: 16 }]
  return writeExcelFile(rows, { sheet: t.sheet, columns }).toBuffer()
}
