import { extractText, getDocumentProxy } from 'unpdf'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InvoiceDetails } from '#contract/invoices'
import type { WhiteLabelOut } from '#contract/white-label'
import { DELIVERED, deliveryIn } from '../support/delivery.ts'
import { startTestProduct, type Answer, type Session, type TestProduct } from '../support/product.ts'

const TODAY = new Date().toISOString().slice(0, 10)
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const SELLER = {
  legal_name: 'Placard Medien GmbH',
  address_line_1: 'Unter den Linden 1',
  city: 'Berlin',
  postal_code: '10117',
  country: 'DE',
  tax_number: 'DE123456789',
  email: 'billing@placard.example',
  bank_name: 'Spree Bank',
  bank_account: 'DE89370400440532013000',
  bank_code: 'COBADEFFXXX',
  payment_link: 'https://pay.placard.example/now',
  payment_terms: '14 days net',
  tax_mode: 'exclusive',
  tax_rate: 1900,
} as const

type Written = { readonly id: string; readonly errors: readonly { readonly path: string; readonly key?: string }[] }
type Movement = { readonly type: string; readonly amount: number; readonly invoice_id: string | null }

describe('an invoice with parties, quantities and a tax', () => {
  let product: TestProduct
  let accountant: Session
  let owner: Session
  let ada: Session
  let space = ''
  let adaId = ''
  let campaign = ''
  let charge: Awaited<ReturnType<typeof deliveryIn>>['charge']

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    accountant = await product.as('accountant@dsp.example')
    owner = await product.as('owner@dsp.example')
    const delivery = await deliveryIn(product)
    ;({ ada, charge, space } = delivery)
    adaId = (await ada.call<{ id: string }>('GET', '/v1/user/me')).data.id
    campaign = await delivery.running({ budget: 1000, name: 'Sailing' })
  })
  afterAll(() => product.stop())

  let newest = '0'
  async function write(who: Session, method: 'POST' | 'PUT', path: string, body: object): Promise<Answer<Written>> {
    const answer = await who.call<Written>(method, path, body)
    newest = answer.headers.get('x-position') ?? newest
    return answer
  }
  const read = async <T>(path: string, who = accountant) =>
    (await who.call<T>('GET', path, undefined, { 'x-position': newest })).data
  const details = (id: string) => read<InvoiceDetails>(`/v1/invoice/${id}`)
  const balance = async () => (await read<{ balance: number }>(`/v1/space/balance/${space}`, ada)).balance
  const movements = async () => {
    const body = { page_size: 50 }
    const { data } = await ada.call<{ data: Movement[] }>('POST', `/v1/space/${space}/ledger`, body, { 'x-position': newest })
    return data.data.filter(({ type }) => type.startsWith('tax'))
  }

  const deliver = (spent: number, impressions: number) => charge(campaign, spent, impressions)
  async function drafted(day = TODAY): Promise<string> {
    const made = await write(accountant, 'POST', '/v1/invoice/create', {
      space_id: space,
      charge_from_date: day,
      charge_to_date: day,
    })
    expect(made.code).toBe(0)
    return made.data.id
  }
  const issue = (id: string) => write(accountant, 'POST', `/v1/invoice/send/${id}`, {})
  const file = (id: string, kind: string, who = accountant) =>
    fetch(`${product.base}/v1/invoice/${id}/${kind}`, { headers: { authorization: `Bearer ${who.token}` } })
  const pdf = async (id: string) => {
    const bytes = new Uint8Array(await (await file(id, 'pdf?language=en')).arrayBuffer())
    const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
    return text.replaceAll(/\s+/g, ' ')
  }
  const setInvoicing = (invoicing: object) => write(owner, 'PUT', '/v1/whitelabel/dsp', { invoicing })

  it('the seller needs a tax number for a tax, and every wrong field is named', async () => {
    const wrong = await setInvoicing({ country: 'Germany', email: 'x', payment_link: 'javascript:1', tax_mode: 'exclusive' })
    expect(wrong).toMatchObject({ status: 400, code: 2 })
    expect(wrong.data.errors.map(({ path }) => path).sort()).toEqual([
      'invoicing.country',
      'invoicing.email',
      'invoicing.payment_link',
      'invoicing.tax_number',
      'invoicing.tax_rate',
    ])
    expect((await setInvoicing(SELLER)).code).toBe(0)
    expect((await read<WhiteLabelOut>('/v1/whitelabel/dsp', owner)).invoicing).toEqual({ ...SELLER, address_line_2: '' })
    expect((await ada.call('PUT', '/v1/whitelabel/dsp', { invoicing: SELLER })).status).toBe(403)
  })

  it('adds the tax to the invoice and to the ledger, once, and a credit note and a void take it back', async () => {
    await deliver(100.498, 50_249)
    const before = await balance()
    const id = await drafted()
    expect(await details(id)).toMatchObject({
      total: 119.6,
      subtotal: 100.5,
      exact_total: 100.498,
      tax: { included: false, percent: 19, taxable: 100.5, amount: 19.1 },
      lines: [{ amount: 100.498, printed: 100.5, impressions: 50_249, cpm: 2 }],
      seller: { legal_entity_name: SELLER.legal_name, city: 'Berlin', bank_account: SELLER.bank_account },
    })
    expect(await balance()).toBe(before)
    expect((await file(id, 'ubl')).status).toBe(409)
    expect((await issue(id)).code).toBe(0)
    expect((await issue(id)).code).toBe(0)
    expect(await details(id)).toMatchObject({ total: 119.6, balance_due: 119.6, tax: { amount: 19.1 } })
    expect(await balance()).toBeCloseTo(before - 19.1, 6)
    expect(await movements()).toEqual([expect.objectContaining({ type: 'tax', amount: -19.1, invoice_id: id })])

    const text = await pdf(id)
    for (const part of ['Unter den Linden 1', '10117 Berlin', 'Germany', 'VAT 19 %', '$19.10', '$119.60', 'USD', '50,249'])
      expect(text).toContain(part)
    for (const part of [SELLER.bank_account, SELLER.bank_code, SELLER.payment_link, SELLER.payment_terms, 'DE123456789'])
      expect(text).toContain(part)
    // An issued invoice stays, whatever the seller is later.
    expect((await setInvoicing({ legal_name: 'Other GmbH', bank_account: 'X1', tax_rate: 700 })).code).toBe(0)
    expect(await pdf(id)).toBe(text)
    expect(await details(id)).toMatchObject({ total: 119.6, seller: { legal_entity_name: SELLER.legal_name } })
    expect((await setInvoicing(SELLER)).code).toBe(0)

    // The buyer that was kept has no country: the standard requires one.
    const missing = await file(id, 'ubl')
    expect([missing.status, await missing.json()]).toEqual([
      400,
      expect.objectContaining({
        data: { errors: [expect.objectContaining({ path: 'buyer.country' }), expect.objectContaining({ path: 'buyer.email' })] },
      }),
    ])
    expect((await write(owner, 'POST', `/v1/invoice/void/${id}`, { comment: 'No address' })).code).toBe(0)
    expect(await balance()).toBeCloseTo(before, 6)
    expect((await movements()).map(({ type, amount }) => [type, amount])).toEqual([
      ['tax_reversed', 19.1],
      ['tax', -19.1],
    ])
  })

  it('an invoice is a workbook and UBL too, once both parties are known, and a credit note gives its tax back', async () => {
    const legal = {
      user_id: adaId,
      legal_entity_name: 'Nile Travel S.A.E.',
      tin_number: 'EG987',
      address_line_1: 'Corniche 5',
      city: 'Cairo',
      postal_code: '11511',
      country: 'eg',
      invoice_email: 'pay@nile.example',
    }
    expect((await write(owner, 'PUT', '/v1/user/legal', { ...legal, country: 'Egypt' })).status).toBe(400)
    expect(await write(owner, 'PUT', '/v1/user/legal', legal)).toMatchObject({ code: 0, data: { country: 'EG', tax_mode: null } })
    // Fields that are left out stay.
    const { user_id, legal_entity_name, tin_number } = legal
    const again = await write(owner, 'PUT', '/v1/user/legal', { user_id, legal_entity_name, tin_number })
    expect(again).toMatchObject({ code: 0, data: { city: 'Cairo', country: 'EG' } })

    const id = await drafted()
    expect((await issue(id)).code).toBe(0)
    const sheet = await readSheet(Buffer.from(await (await file(id, 'xlsx?language=en')).arrayBuffer()))
    const rows = sheet.map((row) => row.filter((one) => one !== null))
    expect(rows).toContainEqual(['Currency', 'USD'])
    expect(rows).toContainEqual(['Bill to', 'Nile Travel S.A.E., Corniche 5, 11511 Cairo, EG, EG987'])
    expect(rows).toContainEqual(['Sailing', 50_249, 2, 100.5])
    expect(rows).toContainEqual(['VAT 19 %', 19.1])
    expect(rows).toContainEqual(['Total (USD)', 119.6])
    const ubl = await file(id, 'ubl')
    expect([ubl.status, ubl.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    const xml = await ubl.text()
    expect(xml).toContain('<cbc:PayableAmount currencyID="USD">119.60</cbc:PayableAmount>')
    expect(xml).toContain('<cbc:InvoicedQuantity unitCode="C62">50249</cbc:InvoicedQuantity>')
    expect(xml).toContain('<cbc:RegistrationName>Nile Travel S.A.E.</cbc:RegistrationName>')

    const before = await balance()
    const credited = await owner.call<{ credit_note_id: string }>('POST', `/v1/invoice/credit/${id}`, {
      amount: 119.6,
      comment: 'Discount',
    })
    newest = credited.headers.get('x-position') ?? newest
    expect(credited.code).toBe(0)
    expect(await balance()).toBeCloseTo(before + 119.6, 6)
    expect(await details(id)).toMatchObject({ balance_due: 0, credited: 119.6 })
    const note = credited.data.credit_note_id
    expect(await details(note)).toMatchObject({
      total: 119.6,
      tax: { included: true, percent: 19, taxable: 100.5, amount: 19.1 },
    })
    const noteXml = await (await file(note, 'ubl')).text()
    expect(noteXml).toContain('<cbc:TaxAmount currencyID="USD">19.10</cbc:TaxAmount>')
    expect(noteXml).toContain((await details(id)).number ?? 'none')
    expect(await pdf(note)).toContain('Including VAT 19 %')
    // Beyond what was invoiced nothing can be credited.
    const more = await owner.call('POST', `/v1/invoice/credit/${id}`, { amount: 0.01, comment: 'More' })
    expect(more.code).toBe(2)
  })

  it('an invoice with parties, quantities and a tax has the tax of the account where it has one of its own', async () => {
    const legal = { user_id: adaId, legal_entity_name: 'Nile Travel S.A.E.', tin_number: 'EG987' }
    expect((await write(owner, 'PUT', '/v1/user/legal', { ...legal, tax_mode: 'inclusive', tax_rate: 20_000 })).status).toBe(400)
    const included = await write(owner, 'PUT', '/v1/user/legal', { ...legal, tax_mode: 'inclusive', tax_rate: 1400 })
    expect(included).toMatchObject({ code: 0, data: { tax_mode: 'inclusive', tax_rate: 1400 } })
    await deliver(57, 1000)
    // Delivery of a day that is on an invoice already goes on the next one.
    const id = await drafted(TOMORROW)
    const tax = { included: true, percent: 14, taxable: 50, amount: 7 }
    expect(await details(id)).toMatchObject({ total: 57, subtotal: 57, tax, lines: [{ printed: 57, cpm: 57, late: true }] })
    const before = await balance()
    expect((await issue(id)).code).toBe(0)
    expect(await balance()).toBe(before)
    expect(await details(id)).toMatchObject({ total: 57, balance_due: 57, tax })
    expect(await pdf(id)).toContain('Including VAT 14 % $7.00')
    const xml = await (await file(id, 'ubl')).text()
    expect(xml).toContain('<cbc:LineExtensionAmount currencyID="USD">50.00</cbc:LineExtensionAmount>')
    // Without its own tax again, it has that of the white-label.
    expect(await write(owner, 'PUT', '/v1/user/legal', { ...legal, tax_mode: null })).toMatchObject({
      code: 0,
      data: { tax_mode: null, tax_rate: null },
    })
  })

  it('an invoice with parties, quantities and a tax is not drafted without anything to invoice, unless that is wanted', async () => {
    const empty = { space_id: space, charge_from_date: '2026-01-01', charge_to_date: '2026-01-31' }
    const refused = await write(accountant, 'POST', '/v1/invoice/create', { ...empty, allow_empty: false })
    expect(refused).toMatchObject({ status: 400, data: { errors: [{ path: 'charge_from_date', key: 'nothingToInvoice' }] } })
    expect((await write(accountant, 'POST', '/v1/invoice/create', { ...empty, allow_empty: true })).code).toBe(0)
  })

  it('an invoice with parties, quantities and a tax is previewed with what is typed, by those who customise', async () => {
    const preview = (who: Session, id: string, kind: string, body: object) =>
      fetch(`${product.base}/v1/whitelabel/${id}/preview/${kind}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ language: 'en', ...body }),
      })
    const answer = await preview(owner, 'dsp', 'invoice', {
      name: 'Typed Ads',
      invoicing: { legal_name: 'Typed GmbH', country: 'Z' },
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
    expect(text).toContain('Typed GmbH')
    expect(text).toContain('VAT 19 %')
    const mail = (await (await preview(owner, 'dsp', 'mail', { name: 'Typed <Ads>', template: 'invoice' })).json()) as {
      data: { subject: string; html: string }
    }
    expect(mail.data.subject).toContain('Typed <Ads>')
    expect(mail.data.html).toContain('Typed &lt;Ads&gt;')
    for (const kind of ['invoice', 'mail']) {
      const body = { template: 'invoice' }
      expect((await preview(owner, 'ng', kind, body)).status).toBe(404)
      expect((await preview(accountant, 'dsp', kind, body)).status).toBe(403)
      expect((await preview(ada, 'dsp', kind, body)).status).toBe(403)
    }
    // Nothing was saved.
    expect((await read<WhiteLabelOut>('/v1/whitelabel/dsp', owner)).invoicing.legal_name).toBe(SELLER.legal_name)
  })
})
