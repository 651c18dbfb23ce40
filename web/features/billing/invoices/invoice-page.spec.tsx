import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { getInvoice, payManually, type InvoiceDetails } from '../../../../api/contract/invoices.ts'
import { listPaymentMethods, type PaymentMethodsAnswer } from '../../../../api/contract/payments.ts'
import { refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const INVOICE: InvoiceDetails = {
  id: 'i1',
  kind: 'invoice',
  number: 'DSP-2026-000007',
  status: 2,
  space_id: 'space-1',
  space_name: 'Nile Travel',
  currency: 'USD',
  charge_from_date: '2026-10-01',
  charge_to_date: '2026-10-31',
  dated_at: '2026-11-01T09:00:00.000Z',
  due_at: '2026-11-30T23:59:59.999Z',
  total: 100.5,
  paid: 0,
  balance_due: 100.5,
  credited: 0,
  note: '',
  due_date: null,
  issued_at: '2026-11-01T09:00:00.000Z',
  exact_total: 100.498,
  rounding: 0.002,
  mails: 1,
  comment: '',
  buyer: { name: 'Nile Travel', legal_entity_name: 'Nile Travel LLC', tin_number: '123' },
  seller: { name: 'Placard', legal_entity_name: '', tin_number: '' },
  lines: [{ campaign_id: 'c1', name: 'Sailing', amount: 100.498, late: false }],
  payments: [],
  documents: [],
  history: [],
  unassigned_funds: 40,
  may: { edit: false, send: true, pay: true, void: true, credit: true },
}

const METHODS: PaymentMethodsAnswer = {
  provider: 'test',
  publishable_key: null,
  isAllowMakePayment: true,
  space_id: 'space-1',
  currency: 'USD',
  limits: { min: 10, max: 100_000, decimals: 2, presets: [] },
  paymentMethods: [
    {
      id: 'card-1',
      provider: 'test',
      brand: 'visa',
      brand_label: 'Visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2029,
      holder_name: null,
      country: 'US',
      funding: 'credit',
      is_default: true,
      status: 'active',
      expires_soon: false,
      created_at: '2026-01-01T00:00:00.000Z',
      last_used_at: null,
    },
  ],
}

function open(role: string) {
  const server = signedInServer({ role })
  server.on(getInvoice, () => INVOICE)
  server.on(listPaymentMethods, () => METHODS)
  return { server, ...renderRoute('/admin/invoice/details/i1') }
}

async function startPaying() {
  await userEvent.click(await screen.findByRole('button', { name: /^Pay/ }))
  return screen.findByRole('dialog', { name: 'Pay DSP-2026-000007' })
}

describe('the page of an invoice', () => {
  it('shows what is due, the line and the rounding', async () => {
    open('WL_OWNER')
    expect(await screen.findByRole('heading', { name: /DSP-2026-000007/ })).toBeVisible()
    expect(screen.getAllByText('$100.50').length).toBeGreaterThan(0)
    expect(screen.getByText('Sailing')).toBeVisible()
  })

  it('lets an owner pay with a card of the account, and explains a declined one', async () => {
    const { server } = open('WL_OWNER')
    server.on(payManually, () => refusal(142, 409))
    const dialog = await startPaying()
    await userEvent.selectOptions(await within(dialog).findByLabelText('Pay with'), 'Visa •••• 4242')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Pay' }))
    expect(await screen.findByText('The payment was declined')).toBeVisible()
    expect(server.calls(payManually)[0]?.body).toEqual({ payment_method_id: 'card-1', amount: 100.5, comment: '' })
    expect(dialog).toBeVisible()
  })

  it('lets an accountant pay from the funds of the account alone', async () => {
    const { server } = open('WHITELABEL_ACCOUNTANT')
    server.on(payManually, () => refusal(2, 400))
    const dialog = await startPaying()
    expect(within(dialog).queryByLabelText('Pay with')).toBeNull()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Pay' }))
    await waitFor(() => expect(server.calls(payManually)[0]?.body).toEqual({ from_balance: true, amount: 100.5, comment: '' }))
    expect(server.calls(listPaymentMethods)).toHaveLength(0)
  })
})
