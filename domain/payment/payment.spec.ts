import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { MICROS } from '../kit/money.ts'
import { amountFaults, decimalsOf, fromMinor, refillLimits, refillPresets, toMinor } from './amounts.ts'
import { isRefillDue, monthStart } from './auto-refill.ts'
import { CARD_BRANDS, cardBrandOf } from './brands.ts'
import { FAILURE_CODES, failureCodeOf } from './failures.ts'
import { decide, evolve, initial, movementsOf, type PaymentCommand, type PaymentReport } from './payment.ts'

const payment = {
  space_id: 's',
  whitelabel_id: 'dsp',
  amount: 50 * MICROS,
  currency: 'USD',
  card_id: 'c',
  origin: 'refill',
  invoice_id: null,
} as const
const START: PaymentCommand = { type: 'Start', payment }
const GIVE_UP: PaymentCommand = { type: 'GiveUp', failureCode: 'canceled' }
const report = (over: Partial<PaymentReport> = {}): PaymentCommand => ({
  type: 'Report',
  report: { providerId: 'pi', status: 'succeeded', failureCode: null, refunds: [], disputes: [], ...over },
})
const asked = report({ status: 'requires_action' })
const failed = report({ status: 'failed', failureCode: 'insufficient_funds' })
const refunded = report({ refunds: [{ id: 're', amount: MICROS, status: 'succeeded' }] })
const refundFailed = report({ refunds: [{ id: 're', amount: MICROS, status: 'failed' }] })
const OPEN: PaymentCommand = { type: 'Open', providerId: 'pi' }
const disputed = (status: 'open' | 'won' | 'lost') => report({ disputes: [{ id: 'dp', amount: 50 * MICROS, status }] })

const given = givenFor({ decide, evolve, initial })

describe('a payment', () => {
  it.each([
    ['is started once', [START], START, []],
    ['that was never started is not reported', [], report(), 131],
    ['of nothing is not started', [], { type: 'Start', payment: { ...payment, amount: 0 } }, 2],
    ['succeeds', [START], report(), ['PaymentSucceeded']],
    ['succeeds once', [START, report()], report(), []],
    ['waits for its user', [START], asked, ['PaymentActionRequired']],
    ['is opened once: another one at the provider is never confirmed', [START, OPEN], { type: 'Open', providerId: 'pi_2' }, []],
    ['that failed is not opened', [START, GIVE_UP], OPEN, []],
    ['that was never started is not opened', [], OPEN, 131],
    ['takes a refund back that failed later', [START, refunded], refundFailed, ['RefundFailed']],
    ['takes a failed refund back once', [START, refunded, refundFailed], refundFailed, []],
    ['ignores a refund that failed before it was known', [START, report()], refundFailed, []],
    ['fails after a confirmation', [START, asked], failed, ['PaymentFailed']],
    ['fails once', [START, failed], failed, []],
    ['that failed does not wait again', [START, failed], asked, []],
    ['that failed succeeds when the money arrives after all', [START, failed], report(), ['PaymentSucceeded']],
    ['that succeeded does not fail', [START, report()], failed, []],
    ['that succeeded is not given up', [START, report()], GIVE_UP, []],
    ['that waits is given up', [START, asked], GIVE_UP, ['PaymentFailed']],
    ['is refunded', [START, report()], refunded, ['RefundReported']],
    ['is refunded once', [START, report(), refunded], refunded, []],
    ['succeeds and is refunded in one report', [START], refunded, ['PaymentSucceeded', 'RefundReported']],
    ['is disputed', [START, report()], disputed('open'), ['DisputeOpened']],
    ['is disputed and decided in one report', [START, report()], disputed('lost'), ['DisputeOpened', 'DisputeClosed']],
    ['whose dispute was won is not disputed by an older report', [START, disputed('won')], disputed('open'), []],
    ['whose dispute was lost stays lost', [START, disputed('lost')], disputed('won'), []],
    ['that the provider has not confirmed stays as it is', [START], report({ status: 'unconfirmed' }), []],
  ] as const)('a payment: %s', (_, before, command, expected) => {
    given(before).when(command).then(expected)
  })

  it('moves the ledger by its sum, whatever is reported in whatever order', () => {
    const commands = fc.constantFrom<PaymentCommand>(
      asked,
      failed,
      report(),
      refunded,
      disputed('open'),
      disputed('won'),
      disputed('lost'),
      GIVE_UP,
    )
    const reached = new Set<string>()
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 12, size: 'max' }), (list) => {
        const { state } = given(START, list)
        const movements = movementsOf('p', state)
        expect(new Set(movements.map(({ type, id }) => `${type} ${id}`)).size).toBe(movements.length)
        expect(movements.length > 0).toBe(state.status === 'succeeded')
        const sum = movements.reduce(
          (all, { type, amount }) => all + (type === 'received' || type === 'won' ? amount : -amount),
          0,
        )
        expect(Math.abs(sum)).toBeLessThanOrEqual(51 * MICROS)
        for (const one of [state.status, ...Object.values(state.disputes).map(({ status }) => status)]) reached.add(one)
      }),
      { numRuns: 2000 },
    )
    expect([...reached].sort()).toEqual(['failed', 'lost', 'open', 'processing', 'requires_action', 'succeeded', 'won'])
  })
})

describe('amounts', () => {
  it.each([
    ['USD', 12.34, 1234],
    ['NGN', 5000.5, 500_050],
    ['JPY', 500, 500],
    ['TND', 50.25, 50_250],
    ['AMD', 2000, 200_000],
  ])('amounts of %s are exact in minor units', (currency, units, minor) => {
    expect(toMinor(units * MICROS, currency)).toBe(minor)
    expect(fromMinor(minor, currency)).toBe(units * MICROS)
  })

  it('amounts that minor units cannot say are refused', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 12 }),
        fc.constantFrom('USD', 'NGN', 'JPY', 'TND', 'KWD'),
        (micros, currency) => {
          const minor = toMinor(micros, currency)
          if (minor !== null) expect(fromMinor(minor, currency)).toBe(micros)
          const digits = 10 ** (6 - decimalsOf(currency))
          expect(minor === null).toBe(micros % digits !== 0)
        },
      ),
    )
    expect(amountFaults(10_000_001, 'USD').map(({ key }) => key)).toEqual(['decimals'])
    expect(amountFaults(-1, 'USD').map(({ key }) => key)).toEqual(['positiveNumber'])
    expect(amountFaults(9.99 * MICROS, 'USD').map(({ key }) => key)).toEqual(['outOfRange'])
  })

  it.each(['USD', 'EUR', 'GBP', 'NGN', 'AMD', 'TND', 'CHF'])(
    'amounts of %s have suggestions within what Stripe charges',
    (currency) => {
      const { max } = refillLimits(currency)
      expect(toMinor(max, currency)).toBeLessThanOrEqual(99_999_999)
      for (const units of refillPresets(currency)) expect(amountFaults(units * MICROS, currency)).toEqual([])
    },
  )
})

describe('names of providers', () => {
  // covers BILL-10
  it('the brands of cards are fourteen', () => {
    const others = ['Carte Blanche', 'China UnionPay', 'Diners Club', 'Discover', 'JCB', 'Laser', 'UK Maestro', 'Maestro']
    const labels = [...others, 'Amex', 'MasterCard', 'Solo', 'Switch', 'Visa', 'unrecognized']
    expect(Object.values(CARD_BRANDS).toSorted()).toEqual(labels.toSorted())
  })

  it('brands from a provider are brands of the list, or unrecognized', () => {
    expect(cardBrandOf('American Express')).toBe('amex')
    expect(cardBrandOf('diners')).toBe('diners')
    expect(cardBrandOf('unionpay')).toBe('china_unionpay')
    for (const brand of Object.keys(CARD_BRANDS)) expect(cardBrandOf(brand)).toBe(brand)
    for (const other of ['eftpos_au', '', null, undefined, 'toString']) expect(cardBrandOf(other)).toBe('unrecognized')
  })

  it('failures from a provider are failures of the list, or a declined card', () => {
    for (const code of FAILURE_CODES) expect(failureCodeOf(code)).toBe(code)
    expect(failureCodeOf('stolen_card', 'card_declined')).toBe('card_declined')
    expect(failureCodeOf('generic_decline', 'payment_intent_authentication_failure')).toBe('authentication_failed')
    expect(failureCodeOf(null, undefined)).toBe('card_declined')
  })
})

describe('an automatic refill', () => {
  const auto = { enabled: true, threshold: 10, amount: 20, monthly_limit: 50 }
  it.each([
    ['is due below the threshold', auto, 9, 0, true],
    ['is not due at the threshold', auto, 10, 0, false],
    ['is not due while it is off', { ...auto, enabled: false }, 0, 0, false],
    ['is due up to the limit of the month', auto, 0, 30, true],
    ['is not due beyond the limit of the month', auto, 0, 31, false],
  ] as const)('an automatic refill: %s', (_, settings, available, taken, due) =>
    expect(isRefillDue(settings, available, taken)).toBe(due),
  )

  it('counts the months of the white-label', () => {
    expect(monthStart('2026-11-30T21:00:00.000Z', 4 * 3600)).toBe('2026-11-30T20:00:00.000Z')
    expect(monthStart('2026-11-30T19:00:00.000Z', 4 * 3600)).toBe('2026-10-31T20:00:00.000Z')
    expect(monthStart('2026-01-01T03:00:00.000Z', -5 * 3600)).toBe('2025-12-01T05:00:00.000Z')
  })
})
