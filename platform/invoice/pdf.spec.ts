import sharp from 'sharp'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import type { InvoiceDocument } from '#commands/invoice/document'
import { renderInvoice } from './pdf.ts'

const PARTY = { address_line_1: '', address_line_2: '', city: '', postal_code: '', country: '', email: '' } as const
const PAYMENT = { bank_name: '', bank_account: '', bank_code: '', payment_link: '', payment_terms: '' } as const
const line = (name: string, amount: number, late = false) => ({ name, amount, impressions: null, cpm: null, late })

const DOCUMENT: InvoiceDocument = {
  language: 'en',
  kind: 'invoice',
  mark: null,
  number: 'NG-2026-000123',
  brand: { name: 'Lagos Ads', primary: '#1f7a4d', logo: null },
  seller: { ...PARTY, ...PAYMENT, name: 'Lagos Ads', legal_entity_name: 'Lagos Ads Limited', tin_number: '12345678-0001' },
  buyer: { ...PARTY, name: 'Lagos Foods', legal_entity_name: '', tin_number: '' },
  currency: 'NGN',
  from: '2026-05-01',
  to: '2026-05-31',
  issuedAt: '2026-06-01T09:15:00.000Z',
  issued: '2026-06-01',
  due: '2026-07-01',
  lines: [{ ...line('Лагос: летняя распродажа', 1234.57), impressions: 822_000, cpm: 1.501913 }, line('Abuja', 10, true)],
  digits: 2,
  subtotal: 1244.57,
  tax: null,
  total: 1244.57,
  payments: [{ date: '2026-06-02', type: 'logged', amount: 1000 }],
  balanceDue: 244.57,
  note: 'Thank you',
  comment: '',
  corrects: null,
}

async function read(document: InvoiceDocument) {
  const bytes = await renderInvoice(document)
  const pdf = await getDocumentProxy(Uint8Array.from(bytes))
  const { text, totalPages } = await extractText(pdf, { mergePages: false })
  return { bytes, pages: text, all: text.join('\n'), totalPages }
}

describe('the PDF of an invoice', () => {
  it('the PDF of an invoice has ₦, Cyrillic names, payments and what is due', async () => {
    const { all } = await read(DOCUMENT)
    for (const part of [
      'Invoice',
      'NG-2026-000123',
      'Lagos Ads Limited',
      'TIN 12345678-0001',
      'Lagos Foods',
      'May 1, 2026 – May 31, 2026',
      'Лагос: летняя распродажа',
      '₦1,234.57',
      'reported late',
      '₦1,244.57',
      '−₦1,000.00',
      '₦244.57',
      'Thank you',
      '1 / 1',
    ])
      expect(all).toContain(part)
  })

  it.each([
    ['USD', 'ru', '1 244,57 $', 'Счёт'],
    ['AMD', 'en', '֏1,244.57', 'Invoice'],
  ] as const)('the PDF of an invoice in %s and %s has %s', async (currency, language, amount, kind) => {
    const { all } = await read({ ...DOCUMENT, currency, language })
    expect(all).toContain(amount)
    expect(all).toContain(kind)
  })

  it.each([
    ['JPY', 0, '¥1,245'],
    ['TND', 3, 'TND 1,244.570'],
  ] as const)('amounts in %s have %d digits', async (currency, digits, amount) => {
    const { all } = await read({ ...DOCUMENT, currency, digits, total: digits === 0 ? 1245 : 1244.57 })
    expect(all).toContain(amount)
  })

  it('names both parties in full, the tax that is added, and how to pay', async () => {
    const address = {
      address_line_1: '1 Marina Road',
      address_line_2: 'Floor 2',
      city: 'Lagos',
      postal_code: '101241',
      country: 'NG',
    }
    const seller = {
      ...DOCUMENT.seller,
      ...address,
      bank_name: 'Lagoon Bank',
      bank_account: '0123456789',
      bank_code: 'LAGONGLA',
      payment_link: 'https://pay.lagos.example',
      payment_terms: '14 days\nno discount',
    }
    const tax = { included: false, percent: 7.5, taxable: 1244.57, amount: 93.34 }
    const taxed = { ...DOCUMENT, seller, buyer: { ...DOCUMENT.buyer, ...address }, tax, total: 1337.91 }
    const { all } = await read(taxed)
    for (const part of ['1 Marina Road', 'Floor 2', '101241 Lagos', 'Nigeria', 'NGN', '822,000', '1.5019'])
      expect(all).toContain(part)
    for (const part of ['Lagoon Bank', '0123456789', 'LAGONGLA', 'https://pay.lagos.example', '14 days', 'no discount'])
      expect(all).toContain(part)
    for (const part of ['Subtotal', '₦1,244.57', 'VAT 7.5 %', '₦93.34', 'Total (NGN)', '₦1,337.91']) expect(all).toContain(part)
    const included = await read({ ...taxed, language: 'ru', tax: { ...tax, included: true }, total: 1244.57 })
    expect(included.all).toContain('В том числе НДС 7,5 %')
    expect(included.all).not.toContain('Без НДС')
    // A credit note is not paid.
    const credit = await read({ ...taxed, kind: 'credit_note', corrects: 'NG-2026-000122', comment: 'Discount' })
    expect(credit.all).not.toContain('0123456789')
  })

  it('the PDF of an invoice has the logo in place of the name, and the same bytes each time', async () => {
    const logo = await sharp({ create: { width: 300, height: 60, channels: 4, background: '#1f7a4d' } })
      .png()
      .toBuffer()
    const branded = { ...DOCUMENT, brand: { ...DOCUMENT.brand, name: 'Only a name', logo } }
    const [one, two] = [await read(branded), await renderInvoice(branded)]
    expect(one.all).not.toContain('Only a name')
    expect(Buffer.from(one.bytes).includes('/Subtype /Image')).toBe(true)
    expect(Buffer.from(one.bytes).equals(Buffer.from(two))).toBe(true)
  })

  it('the PDF of an invoice has Armenian names beside Latin and Cyrillic ones', async () => {
    const name = 'Երևան Yerevan Ереван'
    expect((await read({ ...DOCUMENT, lines: [line(name, 1)] })).all).toContain('Yerevan')
    const { all } = await read({ ...DOCUMENT, buyer: { ...DOCUMENT.buyer, name } })
    expect(all.replaceAll(/\s+/g, ' ')).toContain(name)
  })

  it.each([
    ['void', 'VOID'],
    ['draft', 'DRAFT'],
  ] as const)('the PDF of an invoice that is %s says so on every page', async (mark, text) => {
    const lines = Array.from({ length: 80 }, (_, i) => line(`Campaign ${i}`, 1))
    const { pages } = await read({ ...DOCUMENT, mark, lines })
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) expect(page).toContain(text)
  })

  it('the PDF of an invoice has a thousand lines over numbered pages, and names of any length', async () => {
    const lines = Array.from({ length: 1000 }, (_, i) => line(`Campaign ${i} ${'x'.repeat(i % 200)}`, i))
    const { all, totalPages } = await read({ ...DOCUMENT, lines })
    expect(all).toContain(`${totalPages} / ${totalPages}`)
    expect(all).toContain('Campaign 999')
  })

  it('the PDF of an invoice is the same, byte for byte, for the same document', async () => {
    const [one, two] = [await renderInvoice(DOCUMENT), await renderInvoice(DOCUMENT)]
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true)
  })
})
