import { describe, expect, it } from 'vitest'
import { at, history, LAUNCHED } from '#test/support/campaign-history'
import { servingIntervals } from './serving.ts'

describe('the serving intervals of a campaign', () => {
  it('the serving intervals of a campaign begin when it runs, and are open while it does', () => {
    expect(servingIntervals(history(...LAUNCHED))).toEqual([{ from: at('09:00'), to: null }])
  })

  it('the serving intervals of a campaign go on while its day budget is reached, and stop with a pause', () => {
    const events = history(
      ...LAUNCHED,
      ['10:00', { type: 'DayBudgetReached', data: { day: '2026-11-01' } }],
      ['11:00', { type: 'CampaignSwitchedOff', data: {} }],
      ['12:00', { type: 'CampaignSwitchedOn', data: {} }],
    )
    expect(servingIntervals(events)).toEqual([
      { from: at('09:00'), to: at('11:00') },
      { from: at('12:00'), to: null },
    ])
  })

  it('the serving intervals of a campaign are not cut by a commit that passes through another status', () => {
    const off = { type: 'CampaignSwitchedOff', data: {} } as const
    const on = { type: 'CampaignSwitchedOn', data: {} } as const
    expect(servingIntervals(history(...LAUNCHED, ['10:00', off, on]))).toEqual([{ from: at('09:00'), to: null }])
    expect(servingIntervals(history(...LAUNCHED, ['10:00', off], ['11:00', on, off]))).toEqual([
      { from: at('09:00'), to: at('10:00') },
    ])
  })

  it('the serving intervals of a campaign end with the flight, although its end is recorded later', () => {
    const events = history(...LAUNCHED, ['15:00', { type: 'FlightChanged', data: { flight: 'ended', due: at('14:00') } }])
    expect(servingIntervals(events)).toEqual([{ from: at('09:00'), to: at('14:00') }])
  })

  it('a campaign has no serving intervals before its first approval', () => {
    expect(servingIntervals(history(LAUNCHED[0]))).toEqual([])
  })

  it('a campaign that stops at the instant at which it starts has no serving intervals', () => {
    expect(servingIntervals(history(...LAUNCHED, ['09:00', { type: 'CampaignSwitchedOff', data: {} }]))).toEqual([])
  })
})
