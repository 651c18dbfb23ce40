import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { MICROS } from '../kit/money.ts'
import { decide, evolve, initial, type AccountCommand } from './account.ts'
import { cardsOf, CARDS_LIMIT, defaultCardOf } from './cards.ts'

const OPEN: AccountCommand = {
  type: 'OpenAccount',
  spaceId: 's',
  whitelabelId: 'dsp',
  name: 'Nile',
  currency: 'USD',
  house: false,
}
const add = (cardId: string): AccountCommand => ({ type: 'AddCard', cardId })
const remove = (cardId: string, byUse: readonly string[] = [], isPaying = false): AccountCommand => ({
  type: 'RemoveCard',
  cardId,
  byUse,
  isPaying,
})
const makeDefault = (cardId: string): AccountCommand => ({ type: 'ChangeDefaultCard', cardId })
const AUTO = { enabled: true, threshold: 100 * MICROS, amount: 50 * MICROS, monthly_limit: 200 * MICROS }
const auto = (over: Partial<typeof AUTO> = {}): AccountCommand => ({ type: 'ChangeAutoRefill', autoRefill: { ...AUTO, ...over } })
const STOP: AccountCommand = { type: 'StopAutoRefill', paymentId: 'p', failureCode: 'card_declined' }

const given = givenFor({ decide, evolve, initial })

describe('the cards of an account', () => {
  it.each([
    ['start with a default', [], add('a'), ['CardAdded', 'DefaultCardChanged']],
    ['keep their default when another is added', [add('a')], add('b'), ['CardAdded']],
    ['are added once', [add('a')], add('a'), []],
    ['get another default', [add('a'), add('b')], makeDefault('b'), ['DefaultCardChanged']],
    ['have one default already', [add('a')], makeDefault('a'), []],
    ['have no default that is unknown', [add('a')], makeDefault('b'), 131],
    ['are removed', [add('a'), add('b')], remove('b'), ['CardRemoved']],
    ['are removed once', [add('a'), remove('a')], remove('a'), 131],
    ['are not removed while a payment is pending', [add('a')], remove('a', [], true), 134],
    ['get a new default after its removal', [add('a'), add('b')], remove('a'), ['CardRemoved', 'DefaultCardChanged']],
    ['are needed for an automatic refill', [], auto(), 2],
    ['are not needed to switch it off', [], auto({ enabled: false }), ['AutoRefillChanged']],
    ['can be charged automatically', [add('a')], auto(), ['AutoRefillChanged']],
    ['are charged as before without a change', [add('a'), auto()], auto(), []],
    ['are not charged automatically after a failure', [add('a'), auto()], STOP, ['AutoRefillStopped']],
    ['stop being charged once', [add('a'), auto(), STOP], STOP, []],
    ['can be charged again', [add('a'), auto(), STOP], auto(), ['AutoRefillChanged']],
  ] as const)('the cards of an account: %s', (_, before, command, expected) => {
    given(OPEN, before).when(command).then(expected)
  })

  it('the cards of an account are led by the most recently used one after the removal of the default', () => {
    const three = given(OPEN, add('a'), add('b'), add('c'))
    expect(defaultCardOf(three.when(remove('a', ['a', 'b', 'c'])).state)).toBe('b')
    expect(defaultCardOf(three.when(remove('a', ['gone'])).state)).toBe('c')
    expect(defaultCardOf(given(OPEN, add('a'), remove('a')).state)).toBeNull()
  })

  it('the cards of an account are at most twenty', () => {
    const full = Array.from({ length: CARDS_LIMIT }, (_, n) => add(String(n)))
    given(OPEN, full).when(add('one more')).then(2)
  })

  it('the cards of an account have exactly one default while there are any, whatever happens', () => {
    const id = fc.constantFrom('a', 'b', 'c')
    const command = fc.oneof(
      id.map(add),
      fc.tuple(id, fc.shuffledSubarray(['a', 'b', 'c'])).map(([one, byUse]) => remove(one, byUse)),
      id.map(makeDefault),
    )
    const sizes = new Set<number>()
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30, size: 'max' }), (commands) => {
        const { state } = commands.reduce((life, one) => life.when(one), given(OPEN))
        const cards = cardsOf(state)
        sizes.add(cards.length)
        const known = defaultCardOf(state)
        expect(cards.length === 0 ? known === null : cards.includes(known ?? '')).toBe(true)
        expect(new Set(cards).size).toBe(cards.length)
      }),
    )
    expect([...sizes].sort((a, b) => a - b)).toEqual([0, 1, 2, 3])
  })

  it('the cards of an account report everything that is wrong with an automatic refill', () => {
    given(OPEN)
      .when(auto({ threshold: Number.NaN, amount: 1, monthly_limit: 0 }))
      .then(2, 'enabled:needCard', 'threshold:positiveNumber', 'amount:outOfRange', 'monthly_limit:belowAmount')
  })
})
