import { describe, expect, it } from 'vitest'
import { decideAccount, evolveAccount, initialAccount, type AccountState } from './account.ts'

const OPENED: AccountState = evolveAccount(initialAccount, {
  type: 'AccountOpened',
  data: { space_id: 's', whitelabel_id: 'w', name: 'Nile', currency: 'USD', house: false },
})
const credit = (amount: number, state: AccountState) => decideAccount({ type: 'CreditFunds', amount, reason: 'test' }, state)

describe('crediting an account', () => {
  it('adds the amount', () =>
    expect(credit(5, OPENED)).toEqual({
      kind: 'events',
      events: [{ type: 'FundsCredited', data: { amount: 5, reason: 'test' } }],
    }))

  it('is refused with 110 where the account was never opened, instead of answering success and storing nothing', () =>
    expect(credit(5, initialAccount)).toMatchObject({ kind: 'rejected', rejection: { code: 110 } }))

  it.each([0, -1, Number.NaN])('is refused with 2 for an amount of %s', (amount) =>
    expect(credit(amount, OPENED)).toMatchObject({ kind: 'rejected', rejection: { code: 2, faults: [{ path: 'amount' }] } }),
  )
})
