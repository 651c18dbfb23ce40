import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { decide, evolve, initial, isSuspended, settingsOf, type AccountCommand, type AccountEvent } from './account.ts'
import { ACCOUNT_TYPES, DEFAULT_SETTINGS, settingChanges, settingFaults, withChanges, type AccountSettings } from './settings.ts'

const opened = (house = false): AccountEvent => ({
  type: 'AccountOpened',
  data: { space_id: 's', whitelabel_id: 'w', name: 'Nile', currency: 'USD', house },
})
const given = givenFor({ decide, evolve, initial })

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
  it('settings of an account are valid after any commands, and a repeat of the last accepted one changes nothing', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30, size: 'max' }), (commands) => {
        const life = commands.reduce((before, one) => before.when(one), given(opened()))
        expect(settingFaults(settingsOf(life.state))).toEqual([])
        life.when({ type: 'ChangeSettings', settings: settingsOf(life.state) }).then([])
      }),
      { numRuns: 500 },
    )
  })

  it('settings of an account are what their recorded changes say', () => {
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

  it('settings of an account name every fault at once', () => {
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
  it('settings of an account start with a rate of 1', () =>
    expect(settingsOf(given(opened()).state).rewarded_ads_cpm_rate).toBe(1_000_000))
})

describe('the suspension of an account', () => {
  it('the suspension of an account is as the last accepted command says, recorded once each, and never of a house space', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30, size: 'max' }), fc.boolean(), (commands, house) => {
        let life = given(opened(house))
        for (const one of commands) {
          const was = isSuspended(life.state)
          const after = life.when(one)
          const asks = one.type === 'SuspendAccount' && one.reason.trim() !== '' && !house
          expect(isSuspended(after.state)).toBe(one.type === 'RestoreAccount' ? false : asks ? true : was)
          if (isSuspended(after.state) === was) expect(after.events.map(({ type }) => type)).not.toContain('AccountSuspended')
          life = after
        }
      }),
      { numRuns: 500 },
    )
  })

  it('needs a reason, and an account', () => {
    const suspend = (reason: string): AccountCommand => ({ type: 'SuspendAccount', reason })
    given(opened()).when(suspend(' ')).then(1301, 'reason:required')
    given(opened())
      .when(suspend('r'.repeat(301)))
      .then(2)
    given().when(suspend('Unpaid')).then(110)
    given(opened(true)).when(suspend('Unpaid')).then(3)
  })
})
