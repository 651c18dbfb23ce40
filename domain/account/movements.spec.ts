import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { decide, evolve, initial } from './account.ts'
import { movementOf, movementType, unassignedFunds, type MovementCommand, type MovementEvent } from './movements.ts'

const OPENED = evolve(initial, {
  type: 'AccountOpened',
  data: { space_id: 's', whitelabel_id: 'w', name: 'Nile', currency: 'USD', house: false },
})
const given = givenFor({ decide, evolve, initial: OPENED })
const received = (amount: number, invoice_id: string | null = null): MovementEvent => ({
  type: 'PaymentReceived',
  data: { payment_id: 'p', amount, method: 'card', invoice_id },
})

const amount = fc.integer({ min: 1, max: 5_000_000_000 })
const id = fc.constantFrom('a', 'b', 'c')
const command: fc.Arbitrary<MovementCommand> = fc.oneof(
  fc.record({ type: fc.constant('CreditFunds' as const), amount: fc.integer({ min: -9e9, max: 9e9 }), reason: fc.constant('r') }),
  fc.record({
    type: fc.constant('ReceivePayment' as const),
    paymentId: id,
    amount,
    method: fc.constantFrom('card' as const, 'cash' as const),
    invoiceId: fc.option(id),
    assigned: fc.integer({ min: 0, max: 6_000_000_000 }),
  }),
  fc.record({ type: fc.constant('RefundPayment' as const), paymentId: id, refundId: id, amount }),
  fc.record({ type: fc.constantFrom('DisputePayment' as const, 'WinDispute' as const), paymentId: id, disputeId: id, amount }),
  fc.record({ type: fc.constant('CreditInvoice' as const), invoiceId: id, creditNoteId: id, amount }),
  fc.record({ type: fc.constantFrom('ChargeTax' as const, 'ReverseTax' as const), invoiceId: id, amount }),
  fc.record({ type: fc.constantFrom('AssignFunds' as const, 'ReleaseFunds' as const), invoiceId: id, assignmentId: id, amount }),
)

/** What they take is no funds that could pay an invoice. */
const SPENT: ReadonlySet<string> = new Set(['SpendSettled', 'TaxCharged', 'TaxReversed'])

describe('movements of an account', () => {
  it('add up to the balance, and assigned funds to what pays invoices, in any order', () => {
    const reached = new Map<string, number>()
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40, size: 'max' }), (commands) => {
        let life = given()
        const happened: MovementEvent[] = []
        for (const one of commands) {
          const after = life.when(one)
          const events = after.events as readonly MovementEvent[]
          for (const event of events)
            if (event.type === 'FundsAssigned' && one.type === 'AssignFunds')
              expect(event.data.amount).toBeLessThanOrEqual(unassignedFunds(life.state))
          happened.push(...events)
          for (const type of after.refusal === null ? events.map((event) => event.type) : ['rejected'])
            reached.set(type, (reached.get(type) ?? 0) + 1)
          life = after
        }
        const { state } = life
        const sum = (of: (event: MovementEvent) => number) => happened.reduce((total, event) => total + of(event), 0)
        const ofType = (type: MovementEvent['type']) => sum((event) => (event.type === type ? event.data.amount : 0))
        expect(state.balance).toBe(sum(movementOf))
        expect(state.assigned ?? 0).toBe(ofType('FundsAssigned') - ofType('FundsReleased'))
        expect(unassignedFunds(state)).toBe(
          sum((event) => (SPENT.has(event.type) ? 0 : movementOf(event))) - (state.assigned ?? 0),
        )
      }),
      { numRuns: 500 },
    )
    for (const type of [
      'rejected',
      'PaymentReceived',
      'PaymentRefunded',
      'PaymentDisputed',
      'DisputeWon',
      'CreditNoteIssued',
      'FundsAssigned',
      'FundsReleased',
      'TaxCharged',
      'TaxReversed',
      'FundsCorrected',
    ])
      expect(reached.get(type) ?? 0).toBeGreaterThan(20)
  })

  it('refuses to assign more than the funds that pay no invoice', () => {
    const { when } = given(received(100))
    when({ type: 'AssignFunds', invoiceId: 'i', assignmentId: 'x', amount: 101 }).then(2, 'amount:fundsShort')
    when({ type: 'AssignFunds', invoiceId: 'i', assignmentId: 'x', amount: 100 }).then(['FundsAssigned'])
  })

  it('counts spend as paid from funds, so that assigning ignores it', () => {
    const charges = { count: 1, first: 'b', last: 'b', sha256: null }
    const spent: MovementEvent = { type: 'SpendSettled', data: { settlement: 1, amount: 60, charges, campaigns: [] } }
    const { state } = given(received(100), spent)
    expect(state.balance).toBe(40)
    expect(unassignedFunds(state)).toBe(100)
  })

  it('assigns a payment for an invoice at most in full', () => {
    const { when } = given()
    const pay = (assigned: number) =>
      when({ type: 'ReceivePayment', paymentId: 'p', amount: 50, method: 'cash', invoiceId: 'i', assigned })
    pay(70).then(['PaymentReceived', { type: 'FundsAssigned', data: expect.objectContaining({ amount: 50 }) }])
    pay(0).then(['PaymentReceived'])
  })

  it.each([0, -5, 0.5, Number.NaN])('refuses a payment of %s', (wrong) => {
    given().when({ type: 'ReceivePayment', paymentId: 'p', amount: wrong, method: 'card', invoiceId: null, assigned: 0 }).then(2)
  })

  it('names a card payment without an invoice a refill, and every other one a payment', () => {
    expect(movementType(received(5))).toBe('refill')
    expect(movementType(received(5, 'i'))).toBe('payment')
  })
})

describe('sums of an account', () => {
  const MOST = 9_000_000_000_000_000
  const large = fc.integer({ min: MOST / 4, max: MOST })
  const move: fc.Arbitrary<MovementCommand> = fc.oneof(
    fc.record({ type: fc.constant('CreditFunds' as const), amount: large, reason: fc.constant('r') }),
    fc.record({ type: fc.constant('CreditFunds' as const), amount: large.map((amount) => -amount), reason: fc.constant('r') }),
    fc.record({
      type: fc.constant('ReceivePayment' as const),
      paymentId: id,
      amount: large,
      method: fc.constant('cash' as const),
      invoiceId: fc.constant('i'),
      assigned: large,
    }),
    fc.record({
      type: fc.constantFrom('AssignFunds' as const, 'ReleaseFunds' as const),
      invoiceId: id,
      assignmentId: id,
      amount: large,
    }),
    fc.record({
      type: fc.constantFrom('DisputePayment' as const, 'WinDispute' as const),
      paymentId: id,
      disputeId: id,
      amount: large,
    }),
  )

  // covers FP-69
  it('stay within 9·10^15 micros: what would pass that is refused with 2', () => {
    let refused = 0
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40, size: 'max' }), (commands) => {
        let life = given()
        let exact = 0n
        for (const one of commands) {
          const after = life.when(one)
          if (after.refusal !== null) {
            refused += 1
            expect(after.refusal).toMatchObject({ code: 2, faults: [{ path: 'amount' }] })
          }
          for (const event of after.events as readonly MovementEvent[]) exact += BigInt(movementOf(event))
          life = after
          const { state } = life
          for (const sum of [state.balance, state.settled ?? 0, state.assigned ?? 0])
            expect(Math.abs(sum)).toBeLessThanOrEqual(MOST)
          expect(BigInt(state.balance)).toBe(exact)
        }
      }),
      { numRuns: 300 },
    )
    expect(refused).toBeGreaterThan(100)
  })

  it('count the spend in the books: no correction takes the balance below the bound', () => {
    const { when } = given(received(5))
    const correct = (amount: number, booked: number) => when({ type: 'CreditFunds', amount: -amount, reason: 'r', booked })
    correct(5, MOST).then(['FundsCorrected'])
    correct(6, MOST).then(2, 'amount:fundsTooLarge')
    correct(6, MOST - 1).then(['FundsCorrected'])
  })

  it('of before that are larger may shrink, and the credit limit has the same bound', () => {
    const { when } = given(...Array.from({ length: 1100 }, () => received(MOST)))
    when({ type: 'CreditFunds', amount: 1, reason: 'r' }).then(2)
    when({ type: 'CreditFunds', amount: -MOST, reason: 'r' }).then(['FundsCorrected'])
    when({ type: 'SetCreditLimit', creditLimit: MOST + 1 }).then(2)
    when({ type: 'SetCreditLimit', creditLimit: MOST }).then(['CreditLimitChanged'])
  })
})
