import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everybody, emptySet } from '../estimates/panel.ts'
import { MICROS } from '../kit/money.ts'
import { auction, drawsOf, offerFrom, type BiddingCampaign, type Offer } from './auction.ts'

const PLACES = [{ country: 'NG', region: 'Lagos', city: 'Ikeja' }]
const APPS = [{ app_or_site: 'app.example', publisher: 'App' }]
const EXCHANGES = ['google', 'verve']

const campaign = (fields: Partial<BiddingCampaign> = {}): BiddingCampaign => ({
  id: 'a',
  country: 'NG',
  price: 2 * MICROS,
  inSchedule: true,
  left: 100 * MICROS,
  creatives: { google: [{ id: 'c', size: '300x250' }], verve: [{ id: 'd', size: '' }] },
  people: everybody(),
  rules: [],
  caps: [null, null, null],
  ...fields,
})
const never = () => [0, 0, 0] as const

function offers(seed: string, count: number): readonly Offer[] {
  const draw = drawsOf(seed)
  return Array.from({ length: count }, () => offerFrom(draw, { exchanges: EXCHANGES, places: PLACES, apps: APPS })).filter(
    (offer) => offer !== null,
  )
}
const winsOf = (one: BiddingCampaign, seen = never as Parameters<typeof auction>[2]) =>
  offers('seed', 500).filter((offer) => auction(offer, [one], seen, drawsOf('creatives')) !== null).length

describe('an auction', () => {
  it('an auction is the same for the same seed, and another for another', () => {
    expect(offers('one', 50)).toEqual(offers('one', 50))
    expect(offers('one', 50)).not.toEqual(offers('two', 50))
  })

  it('an auction is won by a campaign that may bid', () => expect(winsOf(campaign())).toBe(500))

  it.each([
    ['is outside its schedule', { inSchedule: false }],
    ['has spent its budget', { left: 0 }],
    ['targets another country', { country: 'US' }],
    ['has no creative that an exchange approved', { creatives: {} }],
    ['reaches nobody', { people: emptySet() }],
    ['bids less than every floor', { price: 10 }],
    ['has a rule that does not bid', { rules: [{ id: 1, name: 'none', multiplier: 0, rules: { condition: 'and', rules: [] } }] }],
  ] satisfies readonly (readonly [string, Partial<BiddingCampaign>])[])(
    'an auction is not won by a campaign that %s',
    (_, fields) => expect(winsOf(campaign(fields))).toBe(0),
  )

  it('buys from the exchanges that approved a creative alone', () => {
    const one = campaign({ creatives: { verve: [{ id: 'd', size: '' }] } })
    const won = offers('seed', 500).flatMap((offer) =>
      auction(offer, [one], never, drawsOf('x')) === null ? [] : [offer.exchange],
    )
    expect(new Set(won)).toEqual(new Set(['verve']))
  })

  it('follows the rules of bidding: the first that matches multiplies the bid', () => {
    const group = (field: string, value: string) => ({ condition: 'and' as const, rules: [{ field, operator: 'is', value }] })
    const one = campaign({ rules: [{ id: 1, name: 'no iOS', multiplier: 0, rules: group('os', 'iOS') }] })
    const systems = offers('seed', 500).map((offer) => [offer.os, auction(offer, [one], never, drawsOf('x')) !== null] as const)
    expect(systems.every(([os, won]) => won === (os !== 'iOS'))).toBe(true)
    expect(new Set(systems.map(([os]) => os))).toContain('iOS')
  })

  it.each([
    [0, 'day'],
    [1, 'week'],
    [2, 'month'],
  ])('shows nobody more than its cap of a %s allows', (n) => {
    const caps = [null, null, null].map((none, at) => (at === n ? 3 : none)) as unknown as BiddingCampaign['caps']
    const times = (count: number) => () =>
      [0, 1, 2].map((at) => (at === n ? count : 0)) as unknown as readonly [number, number, number]
    expect([winsOf(campaign({ caps }), times(2)), winsOf(campaign({ caps }), times(3))]).toEqual([500, 0])
  })

  it('never costs more than the bid, less than the floor, or more than is left', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.record({ price: fc.nat(3 * MICROS), left: fc.nat(2000) }), { minLength: 1, maxLength: 5, size: 'max' }),
        (seed, fields) => {
          const campaigns = fields.map((one, n) => campaign({ ...one, id: String(n) }))
          for (const offer of offers(seed, 5)) {
            const won = auction(offer, campaigns, never, drawsOf(seed))
            if (won === null) continue
            expect(won.price).toBeLessThanOrEqual(Math.floor(won.campaign.price / 1000))
            expect(won.price).toBeGreaterThanOrEqual(Math.floor(offer.floor / 1000))
            expect(won.price).toBeLessThanOrEqual(won.campaign.left)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
