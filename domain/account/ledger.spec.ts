import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, evolve, initial, ledgerMonth, ledgerStream, spaceOfLedger, type LedgerState, type Opening } from './ledger.ts'

const NEW: Opening = { settlements: 0, settled: 0, balance: 0, account_version: 1, previous: null }
const MOST = 9_000_000_000_000_000

const settle = (state: LedgerState, settlement: number, amount: number, opening: Opening | null = NEW) =>
  decide(
    {
      type: 'SettleSpend',
      spaceId: 's',
      month: '202611',
      opening,
      settled: { settlement, amount, charges: { count: 1, first: 'b', last: 'b', sha256: 'x' }, campaigns: [] },
    },
    state,
  )
const typesOf = (decision: ReturnType<typeof decide>) =>
  decision.kind === 'events' ? decision.events.map(({ type }) => type) : decision.rejection.code
const after = (state: LedgerState, decision: ReturnType<typeof decide>): LedgerState =>
  decision.kind === 'events' ? decision.events.reduce(evolve, state) : state

describe('the books of an account', () => {
  it('are named by account and month, and the account is found in the name', () => {
    expect(ledgerStream('a-b-c', ledgerMonth('2026-11-30T23:59:59.999Z'))).toBe('ledger-a-b-c-202611')
    expect(spaceOfLedger('ledger-a-b-c-202611')).toBe('a-b-c')
  })

  it('open with what the months before add up to, and close with what the month added', () => {
    const opening = { settlements: 7, settled: 70, balance: -20, account_version: 3, previous: '202610' }
    const first = settle(initial, 8, 5, opening)
    expect(first).toMatchObject({
      events: [
        { type: 'LedgerOpened', data: { space_id: 's', month: '202611', ...opening } },
        { type: 'SpendSettled', data: { settlement: 8, amount: 5 } },
      ],
    })
    const open = after(after(initial, first), settle(after(initial, first), 9, 6, null))
    expect(decide({ type: 'CloseLedger' }, open)).toEqual({
      kind: 'events',
      events: [{ type: 'LedgerClosed', data: { count: 2, spent: 11, settlements: 9, settled: 81 } }],
    })
  })

  it('take a settlement that the account has from before for recorded', () => {
    expect(typesOf(settle(initial, 7, 5, { ...NEW, settlements: 7 }))).toEqual([])
    expect(typesOf(settle(initial, 8, 5, { ...NEW, settlements: 7 }))).toEqual(['LedgerOpened', 'SpendSettled'])
  })

  it('stay closed, and take what they have as a repeat', () => {
    const open = after(initial, settle(initial, 1, 5))
    const closed = after(open, decide({ type: 'CloseLedger' }, open))
    expect(typesOf(decide({ type: 'CloseLedger' }, closed))).toEqual([])
    expect(typesOf(settle(closed, 1, 5))).toEqual([])
    expect(typesOf(settle(closed, 2, 5))).toBe(3)
    expect(typesOf(decide({ type: 'CloseLedger' }, initial))).toEqual([])
  })

  it('refuse a first settlement without an opening', () => expect(typesOf(settle(initial, 1, 5, null))).toBe(110))

  // covers FP-69
  it('hold no more than 9·10^15 micros', () => {
    const opening = { ...NEW, settled: MOST - 5 }
    expect(typesOf(settle(initial, 1, 5, opening))).toEqual(['LedgerOpened', 'SpendSettled'])
    expect(typesOf(settle(initial, 1, 6, opening))).toBe(2)
  })

  it('record every settlement once, over months, repeats and closings, and each month starts from the sums of the one before', () => {
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
        // What a clerk would write down: the amount of each number, once.
        const clerk = new Map<number, number>()
        let books = initial
        let opening: Opening = NEW
        let next = 1
        for (const step of taken) {
          if (step.do === 'close') {
            const state = after(books, decide({ type: 'CloseLedger' }, books))
            if (!state.opened) continue
            reached.closed += 1
            opening = { ...opening, settlements: state.settlements, settled: state.settled }
            books = initial
            continue
          }
          if (step.do === 'repeat') {
            if (next === 1) continue
            reached.repeats += 1
            expect(typesOf(settle(books, next - 1, 99, opening))).toEqual([])
            continue
          }
          const decision = settle(books, next, step.amount, opening)
          if (!books.opened) reached.months += 1
          expect(typesOf(decision)).toEqual(books.opened ? ['SpendSettled'] : ['LedgerOpened', 'SpendSettled'])
          books = after(books, decision)
          clerk.set(next, step.amount)
          next += 1
        }
        const sum = [...clerk.values()].reduce((total, amount) => total + amount, 0)
        expect(books.opened ? books.settled : opening.settled).toBe(sum)
        expect(books.opened ? books.settlements : opening.settlements).toBe(clerk.size)
      }),
      { numRuns: 300 },
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(100)
  })
})
