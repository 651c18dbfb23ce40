import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decide as decideAccount,
  evolve as evolveAccount,
  initial as initialAccount,
  isSuspended,
  settingsOf,
  type AccountCommand,
  type AccountState,
} from './account.ts'
import { ACCOUNT_TYPES, DEFAULT_SETTINGS, settingChanges, settingFaults, withChanges, type AccountSettings } from './settings.ts'

const OPENED: AccountState = evolveAccount(initialAccount, {
  type: 'AccountOpened',
  data: { space_id: 's', whitelabel_id: 'w', name: 'Nile', currency: 'USD', house: false },
})
const after = (state: AccountState, command: AccountCommand): AccountState => {
  const decision = decideAccount(command, state)
  return decision.kind === 'events' ? decision.events.reduce(evolveAccount, state) : state
}
const eventsOf = (state: AccountState, command: AccountCommand) => {
  const decision = decideAccount(command, state)
  return decision.kind === 'events' ? decision.events.map(({ type }) => type) : decision.rejection
}

/** Without -0, which is the same setting as 0. */
const double = fc.double().map((n) => (n === 0 ? 0 : n))
const text = fc.oneof(fc.constant(null), fc.string({ maxLength: 310 }))
const settings: fc.Arbitrary<Partial<AccountSettings>> = fc.record(
  {
    account_type: fc.constantFrom(null, ...ACCOUNT_TYPES),
    source: text,
    niche: text,
    position: text,
    invoice_due_day: fc.oneof(fc.constant(null), fc.integer({ min: -3, max: 40 }), double),
    rewarded_ads_cpm_rate: fc.oneof(fc.integer({ min: -5, max: 2_000_000_000 }), fc.constant(Number.NaN)),
    max_margin: fc.oneof(fc.constant(null), fc.integer({ min: -5, max: 130 }), double),
    base_bid: fc.oneof(fc.constant(null), fc.integer({ min: -5, max: 2_000_000 })),
    manager_id: text,
    allow_make_payment: fc.boolean(),
  },
  { requiredKeys: [] },
)
const command: fc.Arbitrary<AccountCommand> = fc.oneof(
  settings.map((changed) => ({ type: 'ChangeSettings' as const, settings: changed })),
  fc.constantFrom<AccountCommand>(
    { type: 'SuspendAccount', reason: 'Unpaid' },
    { type: 'SuspendAccount', reason: '  ' },
    { type: 'RestoreAccount', reason: 'Paid' },
    { type: 'CreditFunds', amount: 5, reason: 'transfer' },
    { type: 'ChangeLegalEntity', fields: ['tin_number'], tax: {} },
  ),
)

describe('settings of an account', () => {
  it('are valid after any commands, and a repeat of the last accepted one changes nothing', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30, size: 'max' }), (commands) => {
        const state = commands.reduce(after, OPENED)
        expect(settingFaults(settingsOf(state))).toEqual([])
        const repeat: AccountCommand = { type: 'ChangeSettings', settings: settingsOf(state) }
        expect(eventsOf(state, repeat)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('are what their recorded changes say', () => {
    fc.assert(
      fc.property(settings, settings, (one, other) => {
        const [from, to] = [
          { ...DEFAULT_SETTINGS, ...one },
          { ...DEFAULT_SETTINGS, ...other },
        ]
        expect(withChanges(from, settingChanges(from, to))).toEqual(to)
      }),
    )
  })

  it('name every fault at once', () => {
    const wrong = { invoice_due_day: 0, max_margin: 0.5, base_bid: -1, rewarded_ads_cpm_rate: 0, niche: 'n'.repeat(301) }
    expect(settingFaults({ ...DEFAULT_SETTINGS, ...wrong }).map(({ path }) => path)).toEqual([
      'niche',
      'invoice_due_day',
      'rewarded_ads_cpm_rate',
      'max_margin',
      'base_bid',
    ])
  })

  // covers ADM-32
  it('start with a rate of 1', () => expect(settingsOf(OPENED).rewarded_ads_cpm_rate).toBe(1_000_000))
})

describe('the suspension of an account', () => {
  it('is as the last accepted command says, recorded once each, and never of a house space', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30, size: 'max' }), fc.boolean(), (commands, house) => {
        let state: AccountState = { ...OPENED, house }
        for (const one of commands) {
          const was = isSuspended(state)
          const next = after(state, one)
          const asks = one.type === 'SuspendAccount' && one.reason.trim() !== '' && !house
          expect(isSuspended(next)).toBe(one.type === 'RestoreAccount' ? false : asks ? true : was)
          if (isSuspended(next) === was) expect(eventsOf(state, one)).not.toContain('AccountSuspended')
          state = next
        }
      }),
      { numRuns: 500 },
    )
  })

  it('needs a reason, and an account', () => {
    expect(eventsOf(OPENED, { type: 'SuspendAccount', reason: ' ' })).toMatchObject({ code: 1301, faults: [{ path: 'reason' }] })
    expect(eventsOf(OPENED, { type: 'SuspendAccount', reason: 'r'.repeat(301) })).toMatchObject({ code: 2 })
    expect(eventsOf(initialAccount, { type: 'SuspendAccount', reason: 'Unpaid' })).toMatchObject({ code: 110 })
    expect(eventsOf({ ...OPENED, house: true }, { type: 'SuspendAccount', reason: 'Unpaid' })).toMatchObject({ code: 3 })
  })
})
