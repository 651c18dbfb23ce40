import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { confirmApproval, listApprovals, type Approval } from '#contract/approvals'
import { getInvoice, listInvoices, logPayment, payManually, type InvoiceDetails } from '#contract/invoices'
import { listPaymentMethods, type PaymentMethodsAnswer } from '#contract/payments'
import { isBeyond, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const PARTY = {
  name: '',
  legal_entity_name: '',
  tin_number: '',
  address_line_1: '',
  address_line_2: '',
  city: '',
  postal_code: '',
  country: '',
  email: '',
}
const PAYMENT = { bank_name: '', bank_account: '', bank_code: '', payment_link: '', payment_terms: '' }
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
  subtotal: 100.5,
  tax: null,
  mails: 1,
  comment: '',
  buyer: { ...PARTY, name: 'Nile Travel', legal_entity_name: 'Nile Travel LLC', tin_number: '123' },
  seller: { ...PARTY, ...PAYMENT, name: 'Placard' },
  lines: [{ campaign_id: 'c1', name: 'Sailing', amount: 100.498, printed: 100.5, impressions: 50_249, cpm: 2, late: false }],
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

  it('shows an administrator, who does not charge cards, no card to pay with', async () => {
    const { server } = open('SYSTEM_ADMIN')
    const dialog = await startPaying()
    expect(within(dialog).queryByLabelText('Pay with')).toBeNull()
    expect(server.calls(listPaymentMethods)).toHaveLength(0)
  })

  it('asks for the reference of a payment, and says that a second person must confirm it', async () => {
    const { server } = open('WHITELABEL_ACCOUNTANT')
    server.on(logPayment, () => ({
      id: 'i1',
      number: null,
      status: 2,
      position: '1',
      payment_id: 'p1',
      stage: 'pending' as const,
    }))
    await userEvent.click(await screen.findByRole('button', { name: 'Log payment' }))
    const dialog = await screen.findByRole('dialog', { name: /^Log a payment/ })
    const log = within(dialog).getByRole('button', { name: 'Log payment' })
    await userEvent.click(log)
    expect(server.calls(logPayment)).toHaveLength(0)
    await userEvent.type(within(dialog).getByLabelText(/Reference/), 'W-9')
    await userEvent.click(log)
    expect(await screen.findByText('Another owner or administrator must confirm it')).toBeVisible()
    // A repeated payment is refused unless the user says that it is another one.
    expect(server.calls(logPayment)[0]?.body).toMatchObject({ reference: 'W-9', force: false })
  })
})

describe('a dialog of an invoice', () => {
  const openLog = async () => {
    const opened = open('WHITELABEL_ACCOUNTANT')
    await userEvent.click(await screen.findByRole('button', { name: 'Log payment' }))
    return { ...opened, dialog: within(await screen.findByRole('dialog', { name: /^Log a payment/ })) }
  }

  it('takes a day as the language writes it, and refuses text that is none', async () => {
    const { server, dialog } = await openLog()
    server.on(logPayment, () => ({
      id: 'i1',
      number: null,
      status: 2,
      position: '1',
      payment_id: 'p1',
      stage: 'applied' as const,
    }))
    await userEvent.type(dialog.getByLabelText(/Reference/), 'W-9')
    const day = dialog.getByRole('textbox', { name: 'Date' })
    await userEvent.clear(day)
    await userEvent.type(day, 'someday')
    await userEvent.click(dialog.getByRole('button', { name: 'Log payment' }))
    expect(await dialog.findByText('Enter a day')).toBeVisible()
    await userEvent.clear(day)
    await userEvent.type(day, '11/02/2026')
    await userEvent.click(dialog.getByRole('button', { name: 'Log payment' }))
    await waitFor(() => expect(server.calls(logPayment)[0]?.body).toMatchObject({ paid_at: '2026-11-02' }))
  })

  it('asks before Escape loses what was typed, and closes at once without it', async () => {
    const { dialog } = await openLog()
    await userEvent.type(dialog.getByLabelText(/Reference/), 'W-9')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(await screen.findByRole('button', { name: 'Stay' }))
    expect(dialog.getByLabelText(/Reference/)).toHaveValue('W-9')
    await userEvent.clear(dialog.getByLabelText(/Reference/))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('closes with what was typed once the user agrees', async () => {
    const { dialog } = await openLog()
    await userEvent.type(dialog.getByLabelText(/Reference/), 'W-9')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('the list of invoices', () => {
  it('shows what is due, and nothing due for a draft or a void invoice', async () => {
    const server = signedInServer({ role: 'WL_OWNER' })
    const data = [
      { ...INVOICE, id: 'i1', number: 'DSP-2026-000001', status: 2 },
      { ...INVOICE, id: 'i2', number: 'DSP-2026-000002', status: 5 },
      { ...INVOICE, id: 'i3', number: 'DSP-2026-000003', status: 1 },
    ].map((one) => ({ ...one, balance_due: 77 }))
    server.on(listInvoices, () => ({ current_page: 0, page_size: 25, total_size: 3, data, totals: [] }))
    server.on(listApprovals, () => ({ approvals: [] }))
    renderRoute('/admin/payments')
    const dueOf = async (name: RegExp) => {
      const row = await screen.findByRole('row', { name })
      return within(row).queryByText('$77.00')
    }
    expect(await dueOf(/000001/)).toBeVisible()
    expect([await dueOf(/000002/), await dueOf(/000003/)]).toEqual([null, null])
  })

  it('shows the last page instead of a page beyond it', async () => {
    const server = signedInServer({ role: 'WL_OWNER' })
    server.on(listInvoices, ({ body }) => ({
      current_page: 0,
      page_size: 25,
      total_size: 30,
      data: isBeyond(body, 25, 30) ? [] : [INVOICE],
      totals: [],
    }))
    server.on(listApprovals, () => ({ approvals: [] }))
    const { address } = renderRoute('/admin/payments?page=9')
    expect(await screen.findByRole('row', { name: /000007/ })).toBeVisible()
    expect(address()).toBe('/admin/payments?page=1')
  })
})

describe('money by hand that waits', () => {
  const WAITING: Approval = {
    id: 'a1',
    kind: 'credit',
    space_id: 'space-1',
    space_name: 'Nile Travel',
    invoice_id: null,
    amount: -40,
    currency: 'USD',
    person: null,
    roles: [],
    right: null,
    right_until: null,
    subject: null,
    changes: [],
    comment: 'A slip',
    at: '2026-11-24T10:00:00.000Z',
    by: 'Olga Ivanova',
    may_decide: true,
    may_withdraw: false,
    state: 'waiting',
    expires_at: '2026-12-08T10:00:00.000Z',
    decided_at: null,
    decided_by: null,
  }
  const DECIDED: Approval = {
    ...WAITING,
    id: 'a0',
    may_decide: false,
    state: 'rejected',
    expires_at: null,
    decided_at: '2026-11-24T11:00:00.000Z',
    decided_by: 'Boris Orlov',
  }
  const list = (role: string, approvals: Approval[], decided: Approval[] = []) => {
    const server = signedInServer({ role })
    server.on(listInvoices, () => ({ current_page: 0, page_size: 25, total_size: 0, data: [], totals: [] }))
    server.on(listApprovals, ({ query }) => ({ approvals: query.get('state') === 'decided' ? decided : approvals }))
    return { server, ...renderRoute('/admin/payments') }
  }

  it('money by hand that waits is confirmed by another owner', async () => {
    const { server } = list('WL_OWNER', [WAITING])
    server.on(confirmApproval, () => ({ id: 'a1', stage: 'applied' as const, position: '1' }))
    const section = await screen.findByRole('region', { name: 'Waiting for a second person' })
    expect(within(section).getByText('Correction of Nile Travel')).toBeVisible()
    expect(within(section).getByText(/^Olga Ivanova, Nov 24, 2026 .*: A slip · Until Dec 08, 2026/)).toBeVisible()
    await userEvent.click(within(section).getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('It was confirmed and carried out')).toBeVisible()
    expect(server.calls(confirmApproval)).toHaveLength(1)
  })

  it('shows old and new payment details, and the new credit limit of an account', async () => {
    const changes = [{ field: 'bank_account' as const, from: '', to: 'DE02120300000000202051' }]
    list('WL_OWNER', [
      {
        ...WAITING,
        id: 'a2',
        kind: 'invoicing',
        amount: null,
        currency: null,
        space_id: null,
        space_name: '',
        comment: '',
        changes,
      },
      { ...WAITING, id: 'a3', kind: 'credit_limit', amount: 5000, comment: '' },
    ])
    const section = within(await screen.findByRole('region', { name: 'Waiting for a second person' }))
    expect(section.getByText('Whom and where customers pay')).toBeVisible()
    expect(section.getByText('Bank account: nothing → DE02120300000000202051')).toBeVisible()
    expect(section.getByText('New credit limit of Nile Travel')).toBeVisible()
    expect(section.getByText('$5,000.00')).toBeVisible()
  })

  it('money by hand that waits is listed with who decided it, once that is asked for', async () => {
    list('WL_OWNER', [], [DECIDED])
    const section = await screen.findByRole('region', { name: 'Waiting for a second person' })
    expect(within(section).queryByText(/Boris Orlov/)).toBeNull()
    await userEvent.click(within(section).getByRole('button', { name: 'Show what was decided' }))
    expect(within(section).getByText(/^Rejected by Boris Orlov, Nov 24, 2026/)).toBeVisible()
    expect(within(section).queryByRole('button', { name: 'Confirm' })).toBeNull()
  })

  it('money by hand that waits is only withdrawn by the user who asked for it, and an accountant is not asked', async () => {
    list('WL_OWNER', [{ ...WAITING, may_decide: false, may_withdraw: true }])
    const section = await screen.findByRole('region', { name: 'Waiting for a second person' })
    expect(
      within(section)
        .getAllByRole('button')
        .map((one) => one.textContent),
    ).toEqual(['Withdraw'])
    const { server } = list('WHITELABEL_ACCOUNTANT', [WAITING])
    await waitFor(() => expect(server.calls(listInvoices).length).toBeGreaterThan(0))
    expect(server.calls(listApprovals)).toHaveLength(0)
  })
})
