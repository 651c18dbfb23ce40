import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { decide, evolve, initial } from './account.ts'
import { plus } from '../kit/money.ts'
import { balanceOf, movementOf, movementType, unassignedFunds, type MovementCommand, type MovementEvent } from './movements.ts'

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

/** Amounts that they take are no funds that could pay an invoice. */
const SPENT: ReadonlySet<string> = new Set(['SpendSettled', 'TaxCharged', 'TaxReversed'])

describe('movements of an account', () => {
  it('movements of an account add up to the balance, and assigned funds to what pays invoices, in any order', () => {
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
              expect(event.data.amount).toBeLessThanOrEqual(Number(unassignedFunds(life.state)))
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
          sum((event) => (SPENT.has(event.type) ? 0 : movementOf(event))) - Number(state.assigned ?? 0),
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
  const assigned = fc.integer({ min: 0, max: MOST })
  const record: fc.Arbitrary<MovementCommand> = fc.oneof(
    fc.record({
      type: fc.constant('ReceivePayment' as const),
      paymentId: id,
      amount: large,
      method: fc.constantFrom('card' as const, 'cash' as const),
      invoiceId: fc.option(id),
      assigned,
    }),
    fc.record({
      type: fc.constantFrom('RefundPayment' as const, 'ReverseRefund' as const),
      paymentId: id,
      refundId: id,
      amount: large,
    }),
    fc.record({
      type: fc.constantFrom('DisputePayment' as const, 'WinDispute' as const),
      paymentId: id,
      disputeId: id,
      amount: large,
    }),
    fc.record({ type: fc.constant('CreditInvoice' as const), invoiceId: id, creditNoteId: id, amount: large }),
    fc.record({ type: fc.constantFrom('ChargeTax' as const, 'ReverseTax' as const), invoiceId: id, amount: large }),
    fc.record({ type: fc.constant('ReleaseFunds' as const), invoiceId: id, assignmentId: id, amount: large }),
  )
  const decision: fc.Arbitrary<MovementCommand> = fc.oneof(
    fc.record({ type: fc.constant('CreditFunds' as const), amount: large, reason: fc.constant('r') }),
    fc.record({ type: fc.constant('CreditFunds' as const), amount: large.map((amount) => -amount), reason: fc.constant('r') }),
    fc.record({ type: fc.constant('AssignFunds' as const), invoiceId: id, assignmentId: id, amount: large }),
  )
  type Step = { readonly command: MovementCommand; readonly isRecord: boolean }
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: record.map((one) => ({ command: one, isRecord: true })) },
    { weight: 1, arbitrary: decision.map((one) => ({ command: one, isRecord: false })) },
  )
  /** Most steps of one life are of one kind: sums that rise and fall by chance stay small. */
  const life = fc
    .tuple(fc.array(step, { maxLength: 20, size: 'max' }), record, fc.nat(40))
    .map(([steps, often, times]): Step[] => [
      ...steps,
      ...Array.from({ length: times }, () => ({ command: often, isRecord: true })),
    ])

  // covers FP-69
  it('sums of an account are exact whatever happened, and what happened is never refused', () => {
    const reached = { refusedDecisions: 0, textBalance: 0, textTaxed: 0, textAssigned: 0, belowZero: 0, backInNumbers: 0 }
    fc.assert(
      fc.property(life, (steps) => {
        let account = given()
        let [balance, taxed, paying] = [0n, 0n, 0n]
        for (const { command: one, isRecord } of steps) {
          const after = account.when(one)
          if (isRecord) expect(after.refusal).toBeNull()
          else if (after.refusal !== null) {
            reached.refusedDecisions += 1
            expect(after.refusal).toMatchObject({ code: 2, faults: [{ path: 'amount' }] })
          }
          for (const event of after.events as readonly MovementEvent[]) {
            const moved = BigInt(movementOf(event))
            balance += moved
            if (event.type === 'TaxCharged' || event.type === 'TaxReversed') taxed -= moved
            if (event.type === 'FundsAssigned') paying += BigInt(event.data.amount)
            if (event.type === 'FundsReleased') paying -= BigInt(event.data.amount)
          }
          const wasText = typeof account.state.balance === 'string'
          account = after
          const { state } = account
          expect(BigInt(state.balance)).toBe(balance)
          expect(BigInt(state.taxed ?? 0)).toBe(taxed)
          expect(BigInt(state.assigned ?? 0)).toBe(paying)
          expect(BigInt(unassignedFunds(state))).toBe(balance + taxed - paying)
          // A snapshot is the state as JSON.
          expect(JSON.parse(JSON.stringify(state))).toEqual(state)
          if (typeof state.balance === 'string') reached.textBalance += 1
          if (typeof state.taxed === 'string') reached.textTaxed += 1
          if (typeof state.assigned === 'string') reached.textAssigned += 1
          if (balance < -BigInt(MOST)) reached.belowZero += 1
          if (wasText && typeof state.balance === 'number') reached.backInNumbers += 1
        }
      }),
      { numRuns: 300 },
    )
    for (const [state, times] of Object.entries(reached)) expect(times, state).toBeGreaterThan(100)
  })

  /** A life's receipts, the spend in the books, and a balance of 100. */
  const turnover = (times: number) => ({
    account: given(...Array.from({ length: times }, () => received(MOST)), received(100)),
    booked: plus(...Array.from({ length: times }, () => MOST)),
  })

  it('sums of an account take money that was charged although the receipts of all time are beyond 9·10^15 micros', () => {
    const { account, booked } = turnover(3)
    const refill = { paymentId: 'p', amount: 1_000_000_001, method: 'card', invoiceId: null, assigned: 0 } as const
    const { state } = account.when({ type: 'ReceivePayment', ...refill }).then(['PaymentReceived'])
    expect(balanceOf(state, booked)).toBe(1_000_000_101)
  })

  it('sums of an account leave room for money by the balance, not by the receipts of all time', () => {
    const { account, booked } = turnover(3)
    const room = (amount: number) => account.when({ type: 'CheckRoom', amount, booked })
    room(MOST / 2 - 100).then([])
    room(MOST / 2 - 99).then(2, 'amount:balanceFull')
  })

  it('sums of an account leave no room from half of the bound on, so that what is under way fits', () => {
    const room = (balance: number, amount: number) => given(received(balance)).when({ type: 'CheckRoom', amount })
    room(MOST / 2 - 1, 0).then([])
    room(MOST / 2 - 1, 1).then([])
    room(MOST / 2 - 1, 2).then(2, 'amount:balanceFull')
    room(MOST / 2, 0).then(2, 'amount:balanceFull')
    given({ type: 'CreditFunds', amount: -MOST, reason: 'r' }).when({ type: 'CheckRoom', amount: MOST }).then([])
  })

  it('sums of an account count the spend in the books: no correction takes the balance below the bound', () => {
    const { when } = given(received(5))
    const correct = (amount: number, booked: number) => when({ type: 'CreditFunds', amount: -amount, reason: 'r', booked })
    correct(5, MOST).then(['FundsCorrected'])
    correct(6, MOST).then(2, 'amount:fundsTooLarge')
    correct(6, MOST - 1).then(['FundsCorrected'])
  })

  it('sums beyond the bound may shrink by hand and not grow, and the credit limit has the same bound', () => {
    const { when } = given(...Array.from({ length: 1100 }, () => received(MOST)))
    when({ type: 'CreditFunds', amount: 1, reason: 'r' }).then(2, 'amount:fundsTooLarge')
    when({ type: 'CreditFunds', amount: -1, reason: 'r' }).then(['FundsCorrected'])
    when({ type: 'CreditFunds', amount: -MOST, reason: 'r' }).then(['FundsCorrected'])
    when({ type: 'SetCreditLimit', creditLimit: MOST + 1 }).then(2)
    when({ type: 'SetCreditLimit', creditLimit: MOST }).then(['CreditLimitChanged'])
  })

  it.each([0.5, Number.POSITIVE_INFINITY, Number.NaN, 0])('sums of an account take no credit of %s by hand', (amount) => {
    given().when({ type: 'CreditFunds', amount, reason: 'r' }).then(2, 'amount:positiveNumber')
  })
})
