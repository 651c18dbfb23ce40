import { describe, expect, it } from 'vitest'
import { decide as decideAccount, evolve as evolveAccount, initial as initialAccount, type AccountState } from './account.ts'

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

  it('is refused with 110 for an account that was never opened', () =>
    expect(credit(5, initialAccount)).toMatchObject({ kind: 'rejected', rejection: { code: 110 } }))

  it.each([0, Number.NaN])('is refused with 2 for an amount of %s', (amount) =>
    expect(credit(amount, OPENED)).toMatchObject({ kind: 'rejected', rejection: { code: 2, faults: [{ path: 'amount' }] } }),
  )

  it('corrects by a negative amount', () =>
    expect(credit(-5, OPENED)).toEqual({
      kind: 'events',
      events: [{ type: 'FundsCorrected', data: { amount: -5, reason: 'test' } }],
    }))
})

describe('the credit limit of an account', () => {
  const limit = (creditLimit: number, state = OPENED) => decideAccount({ type: 'SetCreditLimit', creditLimit }, state)

  it('changes, and a repeat changes nothing', () => {
    expect(limit(5)).toEqual({ kind: 'events', events: [{ type: 'CreditLimitChanged', data: { credit_limit: 5 } }] })
    expect(limit(5, { ...OPENED, credit_limit: 5 })).toEqual({ kind: 'events', events: [] })
  })

  it.each([-1, Number.NaN])('is refused with 2 as %s', (amount) =>
    expect(limit(amount)).toMatchObject({ kind: 'rejected', rejection: { code: 2 } }),
  )
})

describe('a new name of an account', () => {
  const rename = (name: string, { isFree = true, state = OPENED } = {}) =>
    decideAccount({ type: 'RenameAccount', name, isFree }, state)

  it('is kept without spaces around it and with composed accents, and a repeat changes nothing', () => {
    const renamed = rename(' Cafe\u0301 Nile ')
    expect(renamed).toEqual({ kind: 'events', events: [{ type: 'AccountRenamed', data: { name: 'Caf\u00e9 Nile' } }] })
    const state = renamed.kind === 'events' ? renamed.events.reduce(evolveAccount, OPENED) : OPENED
    expect(rename('Cafe\u0301 Nile', { state, isFree: false })).toEqual({ kind: 'events', events: [] })
  })

  it.each([
    ['', 1410, {}],
    [' \u00a0', 1410, {}],
    ['x'.repeat(256), 2, {}],
    ['a\nb', 2, {}],
    ['Taken', 1411, { isFree: false }],
    ['Never', 110, { state: initialAccount }],
  ] as const)('%j is refused with %i', (name, code, given) =>
    expect(rename(name, given)).toMatchObject({ kind: 'rejected', rejection: { code } }),
  )
})

describe('notices of an account', () => {
  const note = (available: number, state: AccountState, daily = 0) =>
    decideAccount({ type: 'NoteFunds', available, daily }, state)
  const funded = { ...OPENED, balance: 1 }
  const after = (state: AccountState, command: Parameters<typeof decideAccount>[0]): AccountState => {
    const decision = decideAccount(command, state)
    if (decision.kind === 'rejected') throw new Error(JSON.stringify(decision.rejection))
    return decision.events.reduce(evolveAccount, state)
  }
  const credited = after(OPENED, { type: 'CreditFunds', amount: 7, reason: 'test' })

  it('say once that it is used up when its books took all that it had', () => {
    expect(note(0, credited)).toEqual({
      kind: 'events',
      events: [{ type: 'BalanceNoticesChanged', data: { notices: ['empty'], available: 0 } }],
    })
    const noticed = after(credited, { type: 'NoteFunds', available: 0, daily: 0 })
    for (const available of [0, -1, -5_000_000]) expect(note(available, noticed)).toEqual({ kind: 'events', events: [] })
    expect(note(1, noticed)).toMatchObject({ events: [{ data: { notices: [] } }] })
  })

  it('are raised for an account that owes what it spent on credit, though the credit is gone', () => {
    expect(note(-5, OPENED)).toMatchObject({ events: [{ data: { notices: ['empty'] } }] })
    expect(note(0, OPENED)).toEqual({ kind: 'events', events: [] })
  })

  it('say that an account is empty that spent exactly what it had', () => {
    expect(note(0, { ...OPENED, settlements: 1 })).toMatchObject({ events: [{ data: { notices: ['empty'] } }] })
  })

  it('are recorded once, and end with the funds that ended them', () => {
    const decision = note(5, funded, 2)
    expect(decision).toEqual({
      kind: 'events',
      events: [{ type: 'BalanceNoticesChanged', data: { notices: ['runway_3'], available: 5 } }],
    })
    const noticed = decision.kind === 'events' ? decision.events.reduce(evolveAccount, funded) : funded
    expect(note(4, noticed, 2)).toEqual({ kind: 'events', events: [] })
    expect(note(2_000_000_000, noticed, 2)).toMatchObject({ events: [{ data: { notices: [] } }] })
  })

  it('are none of a first refill, however small', () => expect(note(7, credited)).toEqual({ kind: 'events', events: [] }))

  it('are none of a new account that never had money', () => expect(note(0, OPENED)).toEqual({ kind: 'events', events: [] }))
})
