import { QueryClient } from '@tanstack/react-query'
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serve, type Asked } from '@/test/server'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import type { CampaignFormValues } from '../form-schema.ts'
import { AudienceGauge } from './audience-gauge.tsx'
import { bandOf, colourOf } from './bands.ts'

const SIZE = '/v1/audience/audience-size'
const SPOTS = '/v1/rewarded/ad/spot/calculator'
const sized = (total: number) => ({
  total,
  estimate: total,
  estimate_low: total,
  estimate_high: total,
  total_impressions: 0,
  estimate_impressions: 0,
  status: 'ok',
  method_version: '1',
  as_of: '2026-01-01',
})

const SPACE = '/v1/space/space-1'
const spaceWith = (rewarded_ads_cpm_rate: number) => ({
  space_id: 'space-1',
  space_name: 'Nile Travel',
  whitelabel_id: 'dsp',
  currency: 'USD',
  created_at: '2026-01-01T00:00:00.000Z',
  suspended: false,
  rewarded_ads_cpm_rate,
  allow_make_payment: true,
  house: false,
})

let calls: readonly Asked[] = []
let rate: number | Error = 1
const counted = () => calls.filter(({ path }) => path === SPOTS)
let people: number | Error = 0
beforeEach(() => {
  vi.useFakeTimers()
  people = 60_000
  rate = 1
  calls = serve({
    [SIZE]: () => {
      if (people instanceof Error) throw people
      return sized(people)
    },
    [SPACE]: () => {
      if (rate instanceof Error) throw rate
      return spaceWith(rate)
    },
    [SPOTS]: ({ query }) => ({ spot: Number(query['daily_budget']) * 10 }),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
/** The wait, and then the answer. */
const settle = async () => {
  await pass(1000)
  await pass(100)
}
const client = () => new QueryClient()
const egypt = campaignWith({ country: 'EG', budget: 40 })

async function open(campaign = egypt, audio = false) {
  const shown = renderInForm(<AudienceGauge />, campaign, false, { client: client(), tabs: { audio } })
  await pass(50)
  return shown
}
const gauge = () => screen.getByRole('region', { name: 'Audience size' })
const meter = () => screen.getByRole('meter', { name: 'Audience size' })
const colour = () => meter().parentElement?.dataset['band']

describe('the gauge', () => {
  it.each([
    [0, 'none'],
    [1, 'red'], // covers CAM-GAUGE-01
    [10_000, 'red'], // covers CAM-GAUGE-01
    [10_001, 'yellow'], // covers CAM-GAUGE-02
    [49_999, 'yellow'], // covers CAM-GAUGE-02
    [50_000, 'green'],
    [50_001, 'green'], // covers CAM-GAUGE-03
    [100_000, 'green'], // covers CAM-GAUGE-03
    [100_001, 'yellow'], // covers CAM-GAUGE-04
    [249_999, 'yellow'], // covers CAM-GAUGE-04
    [250_000, 'red'], // covers CAM-GAUGE-05
  ])('the gauge of %i people is %s', async (count, expected) => {
    people = count
    await open()
    expect(colour()).toBe(expected)
    expect(colourOf(bandOf(count))).toBe(expected)
  })

  // covers CAM-EST-07
  it('the gauge is asked with the bid of the campaign', async () => {
    await open(campaignWith({ country: 'EG', budget: 40, cpm: 2.5 }))
    expect(calls.find(({ path }) => path === SIZE)?.body).toMatchObject({ cpm: 2.5, country: 'EG' })
  })

  // covers CAM-GAUGE-06 CAM-GAUGE-07
  it('runs from "Specific" to "Too Broad", and says in words where the estimate stands', async () => {
    await open()
    expect(gauge()).toHaveTextContent(/60K people.*Well balanced.*SpecificToo Broad/)
    expect(meter()).toHaveAttribute('aria-valuetext', '60K people, Well balanced')
  })

  it('says why there is no estimate', async () => {
    await open(campaignWith({}))
    expect(gauge()).toHaveTextContent("Choose the campaign's country to see the estimate.")
    expect(calls).toEqual([])
  })

  it('keeps quiet about the former estimate when a newer one cannot be read', async () => {
    const { form } = await open()
    people = new Error('down')
    act(() => form().setValue('targeting.gender', 2))
    await settle()
    expect(gauge()).toHaveTextContent('The estimate cannot be read right now.')
    await pass(1000)
    expect(gauge()).not.toHaveTextContent('60K')
  })

  it('keeps the previous estimate dimmed until the next one arrives, and announces that once', async () => {
    const { form } = await open()
    const said = screen.getByRole('status')
    await pass(1000)
    expect(said).toHaveTextContent('Audience size: 60K people. Well balanced')
    people = 300_000
    act(() => form().setValue('targeting.gender', 2))
    await pass(500)
    expect(gauge()).toHaveAttribute('aria-busy', 'true')
    expect(gauge()).toHaveTextContent('60K people')
    await pass(500)
    await pass(100)
    expect(gauge()).toHaveAttribute('aria-busy', 'false')
    expect(gauge()).toHaveTextContent('300K people')
    expect(said).toHaveTextContent('60K')
    await pass(1000)
    expect(said).toHaveTextContent('Audience size: 300K people. Too broad')
  })
})

const banner = { id: null, width: 300, height: 250, fileId: 'f', url: null, creativeName: 'a', decision: null }
type Change = readonly [string, (values: CampaignFormValues) => CampaignFormValues]
const CHANGES: readonly Change[] = [
  ['targeting', (form) => ({ ...form, targeting: { ...form.targeting, gender: 3 } })], // covers CAM-GAUGE-09
  ['cpx', (form) => ({ ...form, administration: { ...form.administration, cpx: '0.5' } })], // covers CAM-GAUGE-10
  ['the goal', (form) => ({ ...form, goal: 'CLICKS' })], // covers CAM-GAUGE-11
  ['the budget', (form) => ({ ...form, budget: '41' })], // covers CAM-GAUGE-12
  ['the banners', (form) => ({ ...form, banners: [banner] })], // covers CAM-GAUGE-13
  ['the country', (form) => ({ ...form, country: 'NG' })], // covers CAM-GAUGE-14
  ['placements', (form) => ({ ...form, placement: { ...form.placement, environment: 'app' } })], // covers CAM-GAUGE-15
  [
    'the schedule',
    (form) => ({ ...form, frequency: { ...form.frequency, scheduling: { ...form.frequency.scheduling, '1': ['09'] } } }),
  ], // covers CAM-GAUGE-16
  ['the exchanges', (form) => ({ ...form, administration: { ...form.administration, exchanges: ['google'] } })], // covers CAM-GAUGE-17
  ['responsive ads', (form) => ({ ...form, responsive: { ...form.responsive, enabled: true } })], // covers CAM-GAUGE-18
  ['native ads', (form) => ({ ...form, native: { ...form.native, enabled: true } })], // covers CAM-GAUGE-18
  ['video ads', (form) => ({ ...form, video: { ...form.video, enabled: true } })], // covers CAM-GAUGE-18
]

describe('a new estimate is asked for', () => {
  it.each(CHANGES)('a new estimate is asked for after a change of %s', async (_, change) => {
    const { form } = await open()
    expect(calls).toHaveLength(1)
    act(() => form().reset(change(form().getValues())))
    await settle()
    expect(calls.map(({ path }) => path)).toEqual([SIZE, SIZE])
  })

  it('no new estimate is asked for when only the name changes', async () => {
    const { form } = await open()
    act(() => form().setValue('name', 'Another'))
    await pass(2000)
    expect(calls).toHaveLength(1)
  })

  // covers CAM-GAUGE-08
  it('a new estimate is asked for once for changes that follow each other closely, a second after the last', async () => {
    const { form } = await open()
    for (const gender of [2, 3, 1, 3]) {
      act(() => form().setValue('targeting.gender', gender))
      await pass(900)
    }
    expect(calls).toHaveLength(1)
    await pass(99)
    expect(calls).toHaveLength(1)
    await pass(1)
    expect(calls).toHaveLength(2)
  })

  // covers CAM-EST-08..10 CAM-EST-12..14
  it('a new estimate is asked for with what is described by hand, and what the call wants besides', async () => {
    const { targeting } = egypt
    const byHand = { ...targeting, automaticTargeting: false, gender: 2, city_ids: ['c1'] }
    await open(campaignWith({ ...egypt, targeting: byHand }))
    expect(calls[0]?.body).toMatchObject({
      country: 'EG',
      city_ids: ['c1'],
      gender: 2,
      fromAge: 18,
      toAge: 65,
      campaign_id: null,
      location_option_key: '1',
      languages: [],
      banners: [],
      behaviors: [],
      locations: [],
      websites: [],
    })
  })

  // covers CAM-EST-04..06 CAM-EST-11
  it('a new estimate is asked for with what is described by hand: apps, interests, audiences and similarity', async () => {
    const lists = (of: string) => ({ includeAny: [`${of}-any`], include: [`${of}-all`], exclude: [`${of}-not`] })
    const described = { apps: lists('app'), interests: lists('interest'), segment_audiences: lists('audience'), similarity: 2 }
    await open(campaignWith({ ...egypt, targeting: { ...egypt.targeting, automaticTargeting: false, ...described } }))
    expect(calls[0]?.body).toMatchObject(described)
  })

  it('a new estimate is of the places alone while targeting is automatic, and without an age that is being typed', async () => {
    const { form } = await open(campaignWith({ ...egypt, targeting: { ...egypt.targeting, gender: 2 } }))
    expect(calls[0]?.body).not.toHaveProperty('gender')
    act(() => form().setValue('targeting', { ...form().getValues('targeting'), automatic: false, fromAge: '2' }))
    await settle()
    expect(calls[1]?.body).toMatchObject({ gender: 2, toAge: 65 })
    expect(calls[1]?.body).not.toHaveProperty('fromAge')
  })
})

describe('an audio campaign', () => {
  // covers CAM-GAUGE-19 CAM-GAUGE-20 CAM-GAUGE-21
  it('an audio campaign has the spots its budget buys in place of the gauge', async () => {
    await open(egypt, true)
    expect(screen.queryByRole('meter')).toBeNull()
    const spots = screen.getByRole('region', { name: 'Estimated audio ad spots' })
    expect(spots).toHaveTextContent(/400.*a day, for the daily budget/)
    expect(screen.getByText('Spots booked are not guaranteed and will run based on availability.')).toBeVisible()
    expect(counted()).toEqual([
      { path: SPOTS, query: { campaign_id: 'campaign-1', cpm_multiplier: '1', daily_budget: '40' }, body: undefined },
    ])
  })

  // covers CAM-EST-20
  it('an audio campaign is priced by the rate of its account', async () => {
    rate = 2
    await open(egypt, true)
    expect(counted().map(({ query }) => query['cpm_multiplier'])).toEqual(['2'])
  })

  // covers CAM-ERR-09
  it('says that the rate of its account could not be read', async () => {
    rate = new Error('away')
    await open(egypt, true)
    await pass(10_000)
    expect(screen.getByRole('region')).toHaveTextContent('Failed to get CPM multiplier!')
    expect(counted()).toEqual([])
  })

  it('recounts a second after the budget was typed, and not for an invalid budget', async () => {
    const { form } = await open(egypt, true)
    for (const budget of ['1', '12', '12.5']) act(() => form().setValue('budget', budget))
    await settle()
    expect(counted().map(({ query }) => query['daily_budget'])).toEqual(['40', '12.5'])
    act(() => form().setValue('budget', 'abc'))
    await settle()
    expect(counted()).toHaveLength(2)
    expect(screen.getByRole('region')).toHaveTextContent('Enter the budget to see the estimate.')
  })
})
