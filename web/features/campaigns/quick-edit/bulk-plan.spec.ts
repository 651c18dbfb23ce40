import { assert, boolean, constantFrom, integer, option, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readInstant } from '#domain/campaign/content/dates'
import { fromMicros, MOST_MICROS, toMicros } from '#domain/kit/money'
import { minorUnit } from '#domain/payment/amounts'
import { changedAmount, MOST_DAYS, MOST_PERCENT, planOf, type BulkRow, type MoneyChange } from './bulk-plan.ts'

const row = (patch: Partial<BulkRow> = {}): BulkRow => ({
  id: 'campaign-1',
  currency: 'USD',
  zone: 0,
  budget: 20,
  campaign_start_at: null,
  campaign_end_at: null,
  bid: { manual_cpx: true, user_cpx: 0.35 },
  ...patch,
})

const micros = integer({ min: 1, max: MOST_MICROS })
const currency = constantFrom('USD', 'NGN', 'JPY', 'KWD')
const hundredths = integer({ min: -9_999, max: MOST_PERCENT * 100 })

describe('the plan of a bulk edit', () => {
  it.each<[MoneyChange, number]>([
    [{ how: 'set', micros: 35_000_000 }, 35],
    [{ how: 'add', micros: 1_500_000 }, 21.5],
    [{ how: 'add', micros: -19_990_000 }, 0.01],
    [{ how: 'scale', hundredths: 1000 }, 22],
    [{ how: 'scale', hundredths: -3333 }, 13.33],
    [{ how: 'scale', hundredths: 3 }, 20.01],
  ])('changes a budget of 20.00: %j to %d', (change, next) => {
    expect(planOf(row(), { field: 'budget', change })).toEqual({
      kind: 'changed',
      now: 20,
      next,
      was: { budget: 20 },
      fields: { budget: next },
    })
  })

  it.each<[Partial<BulkRow>, MoneyChange, string]>([
    [{ budget: null }, { how: 'scale', hundredths: 1000 }, 'noBudget'],
    [{ budget: null }, { how: 'add', micros: 1 }, 'noBudget'],
    [{}, { how: 'add', micros: -20_000_000 }, 'tooLow'],
    [{}, { how: 'set', micros: 0 }, 'tooLow'],
    [{ budget: 9_000_000_000 }, { how: 'add', micros: 1 }, 'tooHigh'],
    [{ budget: 9_000_000_000 }, { how: 'scale', hundredths: 1 }, 'tooHigh'],
  ])('names why a row cannot take it: %j, %j', (patch, change, reason) => {
    expect(planOf(row(patch), { field: 'budget', change })).toMatchObject({ kind: 'refused', reason })
  })

  it('sets a budget where there is none, and leaves an equal one alone', () => {
    const change = { how: 'set', micros: 20_000_000 } as const
    expect(planOf(row({ budget: null }), { field: 'budget', change })).toMatchObject({ kind: 'changed', next: 20 })
    expect(planOf(row(), { field: 'budget', change })).toEqual({ kind: 'same', now: 20 })
  })

  it('never leaves the limits of money, and always sends an amount that the server reads exactly', () => {
    assert(
      property(option(micros, { nil: null }), currency, integer(), hundredths, boolean(), (now, code, amount, percent, adds) => {
        const change: MoneyChange = adds ? { how: 'add', micros: amount } : { how: 'scale', hundredths: percent }
        const then = changedAmount(now, change, minorUnit(code))
        if (typeof then === 'string') return
        expect(Number.isSafeInteger(then) && then > 0 && then <= MOST_MICROS).toBe(true)
        expect(toMicros(fromMicros(then))).toBe(then)
      }),
    )
  })

  it('scales to the nearest unit of the currency, never further away than half of one', () => {
    assert(
      property(micros, currency, hundredths, (now, code, percent) => {
        const unit = minorUnit(code)
        const then = changedAmount(now, { how: 'scale', hundredths: percent }, unit)
        if (typeof then === 'string') return
        expect(then % unit).toBe(0)
        // In units of a ten-thousandth of a micro, exactly.
        const distance = BigInt(then) * 10_000n - BigInt(now) * BigInt(10_000 + percent)
        expect((distance < 0n ? -distance : distance) * 2n <= BigInt(unit) * 10_000n).toBe(true)
      }),
    )
  })

  it('rounds exact halves of a scaled amount up', () => {
    const half = { field: 'budget', change: { how: 'scale', hundredths: -5000 } } as const
    expect(planOf(row({ budget: 20.01 }), half)).toMatchObject({ next: 10.01 })
  })

  it('keeps the precision of a budget that is finer than its currency', () => {
    const tenth = { field: 'budget', change: { how: 'scale', hundredths: 1000 } } as const
    expect(planOf(row({ budget: 20.123456 }), tenth)).toMatchObject({ next: 22.135802 })
  })

  it('raises never lower and lowers never raise', () => {
    assert(
      property(micros, integer({ min: 1, max: 9_999 }), (now, percent) => {
        const raised = changedAmount(now, { how: 'scale', hundredths: percent }, 1)
        const lowered = changedAmount(now, { how: 'scale', hundredths: -percent }, 1)
        if (typeof raised === 'number') expect(raised).toBeGreaterThanOrEqual(now)
        if (typeof lowered === 'number') expect(lowered).toBeLessThanOrEqual(now)
      }),
    )
  })

  it('changes own bids only, but sets a bid for every campaign', () => {
    const platform = row({ bid: { manual_cpx: false, user_cpx: 5 } })
    expect(planOf(platform, { field: 'bid', change: { how: 'scale', hundredths: 100 } })).toMatchObject({ reason: 'noBid' })
    expect(planOf(platform, { field: 'bid', change: { how: 'set', micros: 400_000 } })).toMatchObject({
      now: null,
      was: { manual_cpx: false, user_cpx: 5 },
      fields: { manual_cpx: true, user_cpx: 0.4 },
    })
    expect(planOf(row(), { field: 'bid', change: { how: 'scale', hundredths: 1000 } })).toMatchObject({ next: 0.385 })
    expect(planOf(row({ bid: null }), { field: 'bid', change: { how: 'set', micros: 1 } })).toEqual({ kind: 'waiting' })
  })

  it('moves a date by days of the campaign, across zones and months', () => {
    assert(
      property(
        record({
          year: integer({ min: 2001, max: 2180 }),
          month: integer({ min: 0, max: 11 }),
          day: integer({ min: 1, max: 28 }),
        }),
        integer({ min: -12 * 3600, max: 14 * 3600 }),
        integer({ min: -300, max: MOST_DAYS }),
        ({ year, month, day }, zone, days) => {
          const text = (shift: number) => new Date(Date.UTC(year, month, day + shift)).toISOString().slice(0, 10)
          const end = readInstant(text(0), 'end', zone) ?? ''
          const plan = planOf(row({ zone, campaign_end_at: end }), { field: 'end', change: { how: 'move', days } })
          if (days === 0) expect(plan.kind).toBe('same')
          else expect(plan).toMatchObject({ now: text(0), next: text(days), was: { campaign_end_at: end } })
        },
      ),
    )
  })

  it('takes the first and the last day of the calendar', () => {
    for (const day of ['2000-01-01', '2199-12-31'])
      expect(planOf(row(), { field: 'end', change: { how: 'set', day } })).toMatchObject({ kind: 'changed', next: day })
  })

  it('refuses days outside the calendar, and to move a date that is not set', () => {
    const end = '2199-12-30T00:00:00.000Z'
    const move = { field: 'end', change: { how: 'move', days: 5 } } as const
    expect(planOf(row({ campaign_end_at: end }), move)).toMatchObject({ kind: 'refused', reason: 'dateOut' })
    expect(planOf(row(), move)).toMatchObject({ kind: 'refused', reason: 'noDate' })
    expect(planOf(row({ campaign_end_at: end }), { field: 'end', change: { how: 'remove' } })).toMatchObject({
      next: null,
      was: { campaign_end_at: end },
      fields: { campaign_end_at: null },
    })
  })
})
