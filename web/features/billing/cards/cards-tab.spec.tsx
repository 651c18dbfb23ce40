import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { getSpace } from '#contract/accounts'
import { balance } from '#contract/balance'
import {
  getAutoRefill,
  listPaymentMethods,
  refill,
  refillHistory,
  saveAutoRefill,
  setDefaultPaymentMethod,
  type PaymentMethodRecord,
  type PaymentMethodsAnswer,
  type RefillRow,
} from '#contract/payments'
import { pageOf, refusal, signedInServer } from '@/test/fake-server'
import { fundsOf } from '@/test/funds-fixture'
import { renderRoute } from '@/test/render-route'

const card = (over: Partial<PaymentMethodRecord>): PaymentMethodRecord => ({
  id: 'c1',
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
  created_at: '2026-11-01T10:00:00.000Z',
  last_used_at: null,
  ...over,
})
const CARDS = [
  card({}),
  card({ id: 'c2', brand: 'mastercard', brand_label: 'MasterCard', last4: '4444', is_default: false, expires_soon: true }),
  card({ id: 'c3', last4: '0069', is_default: false, status: 'expired', exp_year: 2025 }),
]
const row = (over: Partial<RefillRow>): RefillRow => ({
  id: 'p1',
  created_at: '2026-11-20T10:00:00.000Z',
  amount: 50,
  currency: 'USD',
  status: 'succeeded',
  failure_code: null,
  origin: 'refill',
  refunded: 0,
  disputed: 0,
  card: { id: 'c1', brand_label: 'Visa', last4: '4242' },
  receipt: { number: 'R-0123456789', status: 'sent' },
  actor: 'Ada Nile',
  ...over,
})

type Given = { readonly role?: string; readonly methods?: Partial<PaymentMethodsAnswer> }

function open({ role = 'USER_OWNER', methods = {} }: Given = {}) {
  const server = signedInServer({ role })
  server.on(getSpace, ({ params: { id = '' } }) => ({
    space_id: id,
    space_name: 'Nile Travel',
    whitelabel_id: 'dsp',
    currency: 'USD',
    house: false,
    created_at: '2026-01-01T00:00:00.000Z',
    suspended: false,
    rewarded_ads_cpm_rate: 1,
    allow_make_payment: true,
  }))
  server.on(balance, () => fundsOf(100))
  server.on(listPaymentMethods, () => ({
    paymentMethods: CARDS,
    isAllowMakePayment: true,
    provider: 'test' as const,
    publishable_key: null,
    space_id: 'space-1',
    currency: 'USD',
    limits: { min: 10, max: 1000, decimals: 2, presets: [50, 100] },
    ...methods,
  }))
  server.on(refillHistory, () =>
    pageOf([
      row({}),
      row({ id: 'p2', status: 'failed', failure_code: 'insufficient_funds', receipt: null, origin: 'auto_refill' }),
    ]),
  )
  server.on(getAutoRefill, () => ({
    enabled: false,
    threshold: 50,
    amount: 100,
    monthly_limit: 500,
    currency: 'USD',
    spent_this_month: 0,
    stopped: { failure_code: 'expired_card' as const, at: '2026-11-19T10:00:00.000Z' },
  }))
  return { server, user: userEvent.setup(), ...renderRoute('/payments/history?tab=cards') }
}

const cards = async () => within(await screen.findByRole('list', { name: 'Cards' })).getAllByRole('listitem')

describe('cards and refills', () => {
  // covers BILL-01 BILL-06
  it('shows each card with its brand, number, expiry and state', async () => {
    open()
    const [first, second, third] = await cards()
    expect(first).toHaveTextContent('Visa •••• 4242Default')
    expect(second).toHaveTextContent('MasterCard •••• 4444Expires soon')
    expect(third).toHaveTextContent('Visa •••• 0069ExpiredExpired 12/2025')
    expect(screen.getByText('Test mode: no real money moves.')).toBeVisible()
  })

  // covers BILL-03
  it('makes another card the default', async () => {
    const { server, user } = open()
    const asked: string[] = []
    server.on(setDefaultPaymentMethod, ({ params: { id = '' } }) => {
      asked.push(id)
      return { id, position: '9' }
    })
    await user.click(await screen.findByRole('button', { name: 'Make MasterCard •••• 4444 the default' }))
    expect(asked).toEqual(['c2'])
  })

  // covers BILL-04
  it('shows the refill history with the reason of a failure and the receipt', async () => {
    open()
    const table = await screen.findByRole('table', { name: 'Refills', busy: false })
    const [, paid, failed] = within(table).getAllByRole('row')
    expect(paid).toHaveTextContent('Paid')
    expect(paid).toHaveTextContent('R-0123456789Sent by mail')
    expect(paid).toHaveTextContent('$50.00')
    expect(failed).toHaveTextContent('FailedThe card does not have enough funds')
    expect(failed).toHaveTextContent('Automatic refill')
  })

  // covers BILL-08
  it('a refill is disabled with its reason where payments are switched off', async () => {
    open({ methods: { isAllowMakePayment: false } })
    expect(await screen.findByText(/Payments by card are switched off/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Refill' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Add a card' })).toBeDisabled()
  })

  it('lets accountants read and not change', async () => {
    open({ role: 'ACCOUNTANT' })
    expect(await cards()).toHaveLength(3)
    expect(screen.queryByRole('button', { name: 'Refill' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add a card' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
  })

  it('repeats a lost refill under the same key, and explains a declined one under a new key', async () => {
    const { server, user } = open()
    const keys: (string | null)[] = []
    let answer: () => unknown = () => refusal(1, 503)
    server.on(refill, ({ headers }) => {
      keys.push(headers.get('Idempotency-Key'))
      return answer() as never
    })
    await user.click(await screen.findByRole('button', { name: 'Refill' }))
    const dialog = await screen.findByRole('dialog', { name: 'Refill the balance' })
    await user.type(await within(dialog).findByLabelText('Amount'), '50')
    const pay = () => user.click(within(dialog).getByRole('button', { name: 'Pay $50.00' }))
    await pay()
    await within(dialog).findByRole('alert')
    answer = () => refusal(142, 409)
    await pay()
    expect(await within(dialog).findByText(/The bank declined the card/)).toBeVisible()
    answer = () => ({
      id: 'p',
      status: 'succeeded',
      failure_code: null,
      amount: 50,
      currency: 'USD',
      client_token: null,
      position: '9',
    })
    await pay()
    expect(await within(dialog).findByText('$50.00 added to the balance')).toBeVisible()
    const [lost, , declined] = [keys[0], keys[1], keys.at(-2)]
    expect(declined).toBe(lost)
    expect(keys.at(-1)).not.toBe(lost)
  })

  it('shows why the automatic refill stopped, and every fault of a change', async () => {
    const { server, user } = open()
    server.on(saveAutoRefill, () => refusal(2, 400, [{ path: 'monthly_limit', code: 2, message: 'Too low', key: 'belowAmount' }]))
    expect(await screen.findByText(/Stopped on Nov 19, 2026/)).toBeVisible()
    await user.click(screen.getByRole('switch', { name: 'Refill automatically' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The limit should not be below the amount of one refill')).toBeVisible()
  })
})
