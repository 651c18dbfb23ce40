import { describe, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { decide, evolve, initial, type AccountCommand, type AccountEvent } from './account.ts'
import type { BalanceNotice } from './low-balance.ts'

const OPENED: AccountEvent = {
  type: 'AccountOpened',
  data: { space_id: 's', whitelabel_id: 'w', name: 'Nile', currency: 'USD', house: false },
}
const given = givenFor({ decide, evolve, initial })
const credit = (amount: number): AccountCommand => ({ type: 'CreditFunds', amount, reason: 'test' })

describe('crediting an account', () => {
  it.each([
    [5, 'FundsCredited'],
    [-5, 'FundsCorrected'],
  ] as const)('crediting an account by %s is recorded as %s', (amount, type) => {
    given(OPENED)
      .when(credit(amount))
      .then([{ type, data: { amount, reason: 'test' } }])
  })

  it('crediting an account is refused with 110 for an account that was never opened', () => {
    given().when(credit(5)).then(110)
  })

  it.each([0, Number.NaN])('crediting an account is refused with 2 for an amount of %s', (amount) => {
    given(OPENED).when(credit(amount)).then(2, 'amount:positiveNumber')
  })
})

describe('the credit limit of an account', () => {
  const limit = (creditLimit: number): AccountCommand => ({ type: 'SetCreditLimit', creditLimit })

  it('changes, and a repeat changes nothing', () => {
    given(OPENED)
      .when(limit(5))
      .then([{ type: 'CreditLimitChanged', data: { credit_limit: 5 } }])
      .when(limit(5))
      .then([])
  })

  it.each([-1, Number.NaN])('the credit limit of an account is refused with 2 as %s', (amount) => {
    given(OPENED).when(limit(amount)).then(2)
  })
})

describe('a new name of an account', () => {
  const rename = (name: string, isFree = true): AccountCommand => ({ type: 'RenameAccount', name, isFree })

  it('a new name of an account is kept without spaces around it and with composed accents, and a repeat changes nothing', () => {
    given(OPENED)
      .when(rename(' Cafe\u0301 Nile '))
      .then([{ type: 'AccountRenamed', data: { name: 'Caf\u00e9 Nile' } }])
      .when(rename('Cafe\u0301 Nile', false))
      .then([])
  })

  it.each([
    [rename(''), 1410],
    [rename(' \u00a0'), 1410],
    [rename('x'.repeat(256)), 2],
    [rename('a\nb'), 2],
    [rename('Taken', false), 1411],
  ] as const)('%j is refused with %i', (command, code) => {
    given(OPENED).when(command).then(code)
  })

  it('a new name of an account is refused with 110 for an account that was never opened', () => {
    given().when(rename('Never')).then(110)
  })
})

describe('notices of an account', () => {
  const note = (available: number, daily = 0): AccountCommand => ({ type: 'NoteFunds', available, daily })
  const noticed = (available: number, ...notices: readonly BalanceNotice[]): AccountEvent => ({
    type: 'BalanceNoticesChanged',
    data: { notices, available },
  })

  it('notices of an account say once that it is used up when its books took all that it had', () => {
    const empty = given(OPENED, credit(7))
      .when(note(0))
      .then([noticed(0, 'empty')])
    for (const available of [0, -1, -5_000_000]) empty.when(note(available)).then([])
    empty.when(note(1)).then([noticed(1)])
  })

  it('notices of an account are raised for an account that owes what it spent on credit, though the credit is gone', () => {
    given(OPENED)
      .when(note(-5))
      .then([noticed(-5, 'empty')])
  })

  it('notices of an account say that an account is empty that spent exactly what it had', () => {
    const charges = { count: 1, first: 'b', last: 'b', sha256: null }
    const spent: AccountEvent = { type: 'SpendSettled', data: { settlement: 1, amount: 7, charges, campaigns: [] } }
    given(OPENED, credit(7), spent)
      .when(note(0))
      .then([noticed(0, 'empty')])
  })

  it('notices of an account are recorded once, and end with the funds that ended them', () => {
    const low = given(OPENED, credit(1))
      .when(note(5, 2))
      .then([noticed(5, 'runway_3')])
    low.when(note(4, 2)).then([])
    low.when(note(2_000_000_000, 2)).then([noticed(2_000_000_000)])
  })

  it('a first refill raises no notices, however small', () => {
    given(OPENED, credit(7)).when(note(7)).then([])
  })

  it('a new account that never had money has no notices', () => {
    given(OPENED).when(note(0)).then([])
  })
})
