import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InvoiceDocument } from './document.ts'
import { missingForUbl, ublOf } from './ubl.ts'

/** The rules of EN 16931 and Peppol that sums and parties can break; the schema itself is not part of the product. */

const PARTY = { address_line_2: '', city: 'Berlin', postal_code: '10117', country: 'DE' } as const
const DOCUMENT = {
  language: 'en',
  kind: 'invoice',
  mark: null,
  number: 'DSP-2026-000007',
  brand: { name: 'Berlin Ads', primary: '#1f7a4d', logo: null },
  seller: {
    ...PARTY,
    name: 'Berlin Ads',
    legal_entity_name: 'Berlin Ads GmbH & Söhne',
    tin_number: '123 456 789',
    address_line_1: 'Unter den Linden 1',
    email: 'billing@berlin.example',
    bank_name: 'Spree Bank',
    bank_account: 'DE89 3704 0044 0532 0130 00',
    bank_code: 'COBADEFFXXX',
    payment_link: '',
    payment_terms: '14 days',
  },
  buyer: {
    ...PARTY,
    name: 'Nile "Travel"',
    legal_entity_name: '',
    tin_number: 'DE987654321',
    address_line_1: '',
    email: 'pay@nile.example',
  },
  currency: 'EUR',
  digits: 2,
  from: '2026-10-01',
  to: '2026-10-31',
  issuedAt: '2026-11-24T09:08:00.000Z',
  issued: '2026-11-24',
  due: '2026-12-24',
  lines: [
    { name: 'Sommer <1>', amount: 1447.74, impressions: 723_868, cpm: 2, late: false },
    { name: 'Herbst', amount: 10.01, impressions: null, cpm: null, late: true },
  ],
  subtotal: 1457.75,
  tax: { included: false, percent: 19, taxable: 1457.75, amount: 276.97 },
  total: 1734.72,
  payments: [],
  balanceDue: 1734.72,
  note: '',
  comment: '',
  corrects: null,
} as const satisfies InvoiceDocument

const xmlOf = (document: InvoiceDocument) => ublOf({ ...document, number: document.number ?? '', buyerReference: 'space-1' })

type Node = { readonly name: string; readonly attributes: string; readonly children: Node[]; text: string }

/** A strict reader of its own: throws for anything that is not well-formed. */
function parse(xml: string): Node {
  const root: Node = { name: '', attributes: '', children: [], text: '' }
  const open = [root]
  let at = xml.indexOf('?>') + 2
  while (at < xml.length) {
    const current = open.at(-1) ?? root
    if (xml[at] !== '<') {
      const end = xml.indexOf('<', at) === -1 ? xml.length : xml.indexOf('<', at)
      const raw = xml.slice(at, end)
      if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(raw) || /[>]/.test(raw)) throw new Error(`unescaped text: ${raw}`)
      current.text += raw
      at = end
      continue
    }
    const end = xml.indexOf('>', at)
    if (end === -1) throw new Error('a tag does not end')
    const tag = xml.slice(at + 1, end)
    if (tag.startsWith('/')) {
      if (current.name !== tag.slice(1)) throw new Error(`${tag} closes ${current.name}`)
      open.pop()
    } else {
      const match = /^([a-zA-Z:]+)((?: [a-zA-Z:]+="[^"<]*")*)$/.exec(tag)
      if (match === null) throw new Error(`not a tag: ${tag}`)
      const node: Node = { name: match[1] ?? '', attributes: match[2] ?? '', children: [], text: '' }
      current.children.push(node)
      open.push(node)
    }
    at = end + 1
  }
  if (open.length !== 1) throw new Error('a tag is not closed')
  return root.children[0] ?? root
}
const all = (node: Node, name: string): readonly Node[] =>
  node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)])
const under = (node: Node, ...path: readonly string[]): readonly Node[] =>
  path.reduce<readonly Node[]>(
    (nodes, name) => nodes.flatMap(({ children }) => children.filter((one) => one.name === name)),
    [node],
  )
const texts = (node: Node, ...path: readonly string[]) => under(node, ...path).map(({ text }) => text)
/** Amounts in whole minor units of two digits. */
const cents = (decimal: string | undefined): bigint => {
  if (decimal === undefined || !/^-?\d+\.\d{2}$/.test(decimal)) throw new Error(`not two decimals: ${decimal}`)
  return BigInt(decimal.replace('.', ''))
}
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)

/** BR-CO-10, -13, -14, -15 and -16, BR-S-08, and PEPPOL-EN16931-R120. */
function checkSums(root: Node, line: 'cac:InvoiceLine' | 'cac:CreditNoteLine', quantity: string) {
  const total = (name: string) => cents(texts(root, 'cac:LegalMonetaryTotal', name)[0])
  const lines = under(root, line)
  const net = sum(lines.map((one) => cents(texts(one, 'cbc:LineExtensionAmount')[0])))
  const tax = cents(texts(root, 'cac:TaxTotal', 'cbc:TaxAmount')[0])
  expect(total('cbc:LineExtensionAmount')).toBe(net)
  expect(total('cbc:TaxExclusiveAmount')).toBe(net)
  expect(total('cbc:TaxInclusiveAmount')).toBe(net + tax)
  expect(total('cbc:PayableAmount')).toBe(net + tax)
  expect(cents(texts(root, 'cac:TaxTotal', 'cac:TaxSubtotal', 'cbc:TaxableAmount')[0])).toBe(net)
  expect(cents(texts(root, 'cac:TaxTotal', 'cac:TaxSubtotal', 'cbc:TaxAmount')[0])).toBe(tax)
  for (const one of lines) {
    const count = Number(texts(one, quantity)[0])
    const price = Number(texts(one, 'cac:Price', 'cbc:PriceAmount')[0]) / Number(texts(one, 'cac:Price', 'cbc:BaseQuantity')[0])
    expect(Math.abs(count * price - Number(texts(one, 'cbc:LineExtensionAmount')[0]))).toBeLessThan(0.02)
  }
  return { net, tax }
}

/** Top elements of UBL 2.1, in the order of its schema. */
const ORDER = [
  'cbc:CustomizationID',
  'cbc:ProfileID',
  'cbc:ID',
  'cbc:IssueDate',
  'cbc:DueDate',
  'cbc:InvoiceTypeCode',
  'cbc:CreditNoteTypeCode',
  'cbc:Note',
  'cbc:DocumentCurrencyCode',
  'cbc:BuyerReference',
  'cac:InvoicePeriod',
  'cac:BillingReference',
  'cac:AccountingSupplierParty',
  'cac:AccountingCustomerParty',
  'cac:PaymentMeans',
  'cac:PaymentTerms',
  'cac:TaxTotal',
  'cac:LegalMonetaryTotal',
  'cac:InvoiceLine',
  'cac:CreditNoteLine',
]
function checkOrder({ children }: Node) {
  const places = children.map(({ name }) => ORDER.indexOf(name))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
}

describe('an invoice as UBL', () => {
  it('names its parties, the profile, how to pay, and the tax that is added', () => {
    const root = parse(xmlOf(DOCUMENT))
    checkOrder(root)
    expect(root.name).toBe('Invoice')
    expect(root.attributes).toContain('urn:oasis:names:specification:ubl:schema:xsd:Invoice-2')
    expect(texts(root, 'cbc:CustomizationID')).toEqual([
      'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
    ])
    expect(texts(root, 'cbc:InvoiceTypeCode')).toEqual(['380'])
    expect(all(root, 'cbc:RegistrationName').map(({ text }) => text)).toEqual([
      'Berlin Ads GmbH &amp; Söhne',
      'Nile &quot;Travel&quot;',
    ])
    expect(all(root, 'cbc:CompanyID').map(({ text }) => text)).toEqual(['DE123456789', 'DE987654321'])
    expect(texts(root, 'cac:PaymentMeans', 'cac:PayeeFinancialAccount', 'cbc:ID')).toEqual(['DE89370400440532013000'])
    expect(all(root, 'cbc:Percent').map(({ text }) => text)).toEqual(['19', '19', '19'])
    expect(checkSums(root, 'cac:InvoiceLine', 'cbc:InvoicedQuantity')).toEqual({ net: 145_775n, tax: 27_697n })
    expect(all(root, 'cbc:InvoicedQuantity').map(({ text }) => text)).toEqual(['723868', '1'])
    for (const amount of ['cbc:LineExtensionAmount', 'cbc:PayableAmount', 'cbc:TaxAmount'])
      for (const { attributes } of all(root, amount)) expect(attributes).toBe(' currencyID="EUR"')
  })

  it('an invoice as UBL without a tax is not subject to VAT, and names no VAT number', () => {
    const root = parse(xmlOf({ ...DOCUMENT, tax: null, total: DOCUMENT.subtotal }))
    checkSums(root, 'cac:InvoiceLine', 'cbc:InvoicedQuantity')
    expect(all(root, 'cac:PartyTaxScheme')).toEqual([])
    expect(all(root, 'cbc:Percent')).toEqual([])
    expect(all(root, 'cbc:TaxExemptionReasonCode').map(({ text }) => text)).toEqual(['VATEX-EU-O'])
    expect(texts(root, 'cac:TaxTotal', 'cac:TaxSubtotal', 'cac:TaxCategory', 'cbc:ID')).toEqual(['O'])
    // The seller is identified all the same (BR-CO-26).
    expect(all(root, 'cbc:CompanyID').map(({ text }) => text)).toEqual(['123 456 789', 'DE987654321'])
  })

  it('an invoice as UBL has net lines that add up, whatever the tax that its amounts contain', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9_999_999 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.boolean(),
        (amounts, rate, included) => {
          const given = amounts.reduce((total, one) => total + one, 0)
          const tax = Math.round((given * rate) / (included ? 10_000 + rate : 10_000))
          const total = included ? given : given + tax
          const root = parse(
            xmlOf({
              ...DOCUMENT,
              lines: amounts.map((cent, i) => ({
                name: `Campaign ${i}`,
                amount: cent / 100,
                impressions: i % 2 === 0 ? 1 + cent * 3 : null,
                cpm: null,
                late: false,
              })),
              subtotal: given / 100,
              tax: { included, percent: rate / 100, taxable: (total - tax) / 100, amount: tax / 100 },
              total: total / 100,
            }),
          )
          const sums = checkSums(root, 'cac:InvoiceLine', 'cbc:InvoicedQuantity')
          expect(sums).toEqual({ net: BigInt(total - tax), tax: BigInt(tax) })
        },
      ),
    )
  })

  it('an invoice as UBL is well-formed with any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const lines = [{ name, amount: DOCUMENT.subtotal, impressions: null, cpm: null, late: false }]
        checkOrder(parse(xmlOf({ ...DOCUMENT, lines, note: name, buyer: { ...DOCUMENT.buyer, legal_entity_name: name } })))
      }),
    )
  })

  it('a credit note as UBL names the invoice, and has one line of what it gives back', () => {
    const credit: InvoiceDocument = {
      ...DOCUMENT,
      kind: 'credit_note',
      number: 'DSP-2026-000008',
      corrects: 'DSP-2026-000007',
      comment: 'Discount',
      from: '',
      to: '',
      due: null,
      lines: [],
      subtotal: 119,
      tax: { included: true, percent: 19, taxable: 100, amount: 19 },
      total: 119,
    }
    const root = parse(xmlOf(credit))
    checkOrder(root)
    expect(root.name).toBe('CreditNote')
    expect(texts(root, 'cbc:CreditNoteTypeCode')).toEqual(['381'])
    expect(texts(root, 'cac:BillingReference', 'cac:InvoiceDocumentReference', 'cbc:ID')).toEqual(['DSP-2026-000007'])
    expect(checkSums(root, 'cac:CreditNoteLine', 'cbc:CreditedQuantity')).toEqual({ net: 10_000n, tax: 1900n })
  })

  it('needs what the standard requires of the parties', () => {
    expect(missingForUbl(DOCUMENT)).toEqual([])
    const { seller, buyer } = DOCUMENT
    expect(
      missingForUbl({ seller: { ...seller, tin_number: '', country: '' }, buyer: { ...buyer, email: '' } }).map(
        ({ party, field }) => `${party}.${field}`,
      ),
    ).toEqual(['seller.country', 'seller.tin_number', 'buyer.email'])
  })
})
