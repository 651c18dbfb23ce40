import type { Cell, CellValue, Sheet } from '#platform/threads/workbook'
import type { InvoiceDocument, Party } from '#commands/invoice/document'

type Language = InvoiceDocument['language']

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

const bold = (value: CellValue): Cell => ({ value, isBold: true })

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
export function invoiceSheet(document: InvoiceDocument): Sheet {
  const t = TEXTS[document.language]
  const { tax, digits } = document
  const format = digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`
  const money = (value: number, isBold = false): Cell => ({ value, format, isBold })
  const fact = (name: string, value: CellValue): readonly Cell[] => [name, value]
  const sum = (name: string, value: number, isBold = false): readonly Cell[] => [
    { value: name, isBold },
    null,
    null,
    null,
    money(value, isBold),
  ]
  const lines =
    document.kind === 'credit_note'
      ? [{ name: document.comment, amount: document.total, impressions: null, cpm: null, late: false }]
      : document.lines
  const rows: readonly (readonly Cell[])[] = [
    fact(t.number, document.number),
    fact(t.issued, document.issued),
    ...(document.due === null ? [] : [fact(t.due, document.due)]),
    ...(document.from === '' ? [] : [fact(t.period, `${document.from} – ${document.to}`)]),
    fact(t.currency, document.currency),
    fact(t.seller, partyText(document.seller)),
    fact(t.buyer, partyText(document.buyer)),
    [],
    [t.campaign, t.late, t.impressions, t.cpm, t.amount].map(bold),
    ...lines.map((line) => [
      line.name,
      line.late ? t.yes : null,
      { value: line.impressions, format: '#,##0' },
      { value: line.cpm, format: '#,##0.0000' },
      money(line.amount),
    ]),
    [],
    ...(tax === null || tax.included ? [] : [sum(t.subtotal, document.subtotal), sum(`${t.tax} ${tax.percent} %`, tax.amount)]),
    sum(`${t.total} (${document.currency})`, document.total, true),
    ...(tax?.included === true ? [sum(`${t.included} ${tax.percent} %`, tax.amount)] : []),
  ]
  return { name: t.sheet, widths: [40, 24, 14, 12, 16], rows, stickyRows: 0 }
}
