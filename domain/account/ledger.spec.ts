import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { decide, evolve, initial, ledgerMonth, ledgerStream, spaceOfLedger, type LedgerCommand, type Opening } from './ledger.ts'

const NEW: Opening = { settlements: 0, settled: 0, balance: 0, account_version: 1, previous: null }
const MOST = 9_000_000_000_000_000

const given = givenFor({ decide, evolve, initial })
const settle = (settlement: number, amount: number, opening: Opening | null = NEW): LedgerCommand => ({
  type: 'SettleSpend',
  spaceId: 's',
  month: '202611',
  opening,
  settled: { settlement, amount, charges: { count: 1, first: 'b', last: 'b', sha256: 'x' }, campaigns: [] },
})
const CLOSE: LedgerCommand = { type: 'CloseLedger' }

describe('the books of an account', () => {
  it('the books of an account are named by account and month, and the account is found in the name', () => {
    expect(ledgerStream('a-b-c', ledgerMonth('2026-11-30T23:59:59.999Z'))).toBe('ledger-a-b-c-202611')
    expect(spaceOfLedger('ledger-a-b-c-202611')).toBe('a-b-c')
  })

  it('the books of an account open with what the months before add up to, and close with what the month added', () => {
    const opening = { settlements: 7, settled: 70, balance: -20, account_version: 3, previous: '202610' }
    given()
      .when(settle(8, 5, opening))
      .then([
        { type: 'LedgerOpened', data: { space_id: 's', month: '202611', ...opening } },
        { type: 'SpendSettled', data: expect.objectContaining({ settlement: 8, amount: 5 }) },
      ])
      .when(settle(9, 6, null))
      .when(CLOSE)
      .then([{ type: 'LedgerClosed', data: { count: 2, spent: 11, settlements: 9, settled: 81 } }])
  })

  it('the books of an account take a settlement that the account has from before for recorded', () => {
    given()
      .when(settle(7, 5, { ...NEW, settlements: 7 }))
      .then([])
    given()
      .when(settle(8, 5, { ...NEW, settlements: 7 }))
      .then(['LedgerOpened', 'SpendSettled'])
  })

  it('the books of an account stay closed, and take what they have as a repeat', () => {
    const { when } = given(settle(1, 5), CLOSE)
    when(CLOSE).then([])
    when(settle(1, 5)).then([])
    when(settle(2, 5)).then(3)
    given().when(CLOSE).then([])
  })

  it('the books of an account refuse a first settlement without an opening', () =>
    given()
      .when(settle(1, 5, null))
      .then(110))

  // covers FP-69
  it('the books of an account take a settlement beyond 9·10^15 micros of all time, and stay exact', () => {
    const opening = { ...NEW, settled: MOST - 5 }
    given()
      .when(settle(1, MOST, opening))
      .then(['LedgerOpened', 'SpendSettled'])
      .when(settle(2, 7, null))
      .when(CLOSE)
      .then([{ type: 'LedgerClosed', data: { count: 2, spent: MOST + 7, settlements: 2, settled: '18000000000000002' } }])
    given()
      .when(settle(3, 1, { ...NEW, settled: '18000000000000002' }))
      .when(CLOSE)
      .then([expect.objectContaining({ data: expect.objectContaining({ settled: '18000000000000003' }) })])
  })

  it('the books of an account record every settlement once, and each month starts from the sums of the one before', () => {
    const reached = { repeats: 0, months: 0, closed: 0 }
    const steps = fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.record({ do: fc.constant('settle' as const), amount: fc.nat(1_000_000) }) },
        { weight: 2, arbitrary: fc.constant({ do: 'repeat' as const }) },
        { weight: 1, arbitrary: fc.constant({ do: 'close' as const }) },
      ),
      { maxLength: 40, size: 'max' },
    )
    fc.assert(
      fc.property(steps, (taken) => {
        // A clerk would write down the amount of each number, once.
        const clerk = new Map<number, number>()
        let books = given()
        let opening: Opening = NEW
        let next = 1
        for (const step of taken) {
          if (step.do === 'close') {
            const { opened, settlements, settled } = books.when(CLOSE).state
            if (!opened) continue
            reached.closed += 1
            opening = { ...opening, settlements, settled }
            books = given()
            continue
          }
          if (step.do === 'repeat') {
            if (next === 1) continue
            reached.repeats += 1
            books.when(settle(next - 1, 99, opening)).then([])
            continue
          }
          const { opened } = books.state
          if (!opened) reached.months += 1
          books = books
            .when(settle(next, step.amount, opening))
            .then(opened ? ['SpendSettled'] : ['LedgerOpened', 'SpendSettled'])
          clerk.set(next, step.amount)
          next += 1
        }
        const sum = [...clerk.values()].reduce((total, amount) => total + amount, 0)
        const { opened, ...sums } = books.state
        expect(opened ? sums.settled : opening.settled).toBe(sum)
        expect(opened ? sums.settlements : opening.settlements).toBe(clerk.size)
      }),
      { numRuns: 300 },
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(100)
  })
})
