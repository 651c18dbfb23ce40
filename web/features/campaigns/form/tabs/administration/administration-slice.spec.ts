import { describe, expect, it } from 'vitest'
import { administrationSlice, FIELD_OF_KEY } from './administration-slice.ts'
import { campaignWith } from '@/test/campaign-form'

const campaign = campaignWith({
  account_manager_id: ' manager ',
  campaign_category_keys: ['IAB1', 'IAB2-3'],
  exchange_id: ['yandex', 'google'],
  impression_url: 'https://x.example/i',
  cpx: 0.123456,
  margin: 12,
  test_devices: ['device-1', 'erased:0123456789abcdef'],
  slots: [1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0],
  custom_html: '  <b>x</b>\n',
  bid_multipliers: [{ key: 'k', value: 1e-7 }],
})
const values = administrationSlice.fromCampaign(campaign)
const faults = (patch: Partial<typeof values>) =>
  administrationSlice.schema.safeParse({ ...values, ...patch }).error?.issues.map(({ path, message }) => [path[0], message]) ?? []

describe('the slice of the owner fields', () => {
  it('sends nothing while nothing was touched, nor where it was read without', () => {
    expect(administrationSlice.toInput(values, campaign)).toEqual({})
    expect(administrationSlice.toInput(administrationSlice.empty('awareness'), null)).toEqual({})
    const { slots: _, ...without } = campaign
    expect(administrationSlice.toInput({ ...values, margin: '3' }, without)).toEqual({})
  })

  it('sends just what was touched', () => {
    const input = administrationSlice.toInput({ ...values, margin: '', fixedCpm: '1.5', telcoModel: ' m ' }, campaign)
    expect(input).toEqual({ margin: null, fixed_cpm: 1.5, telco_model: 'm' })
    const fresh = administrationSlice.toInput({ ...administrationSlice.empty('awareness'), t: '2', verified: true }, null)
    expect(fresh).toEqual({ t: 2, placard_verified: true })
    expect(administrationSlice.toInput({ ...values, testDevices: [{ value: ' a ' }, { value: '' }] }, campaign)).toEqual({
      test_devices: ['a'],
    })
  })

  it('finds the field of every owner key', () => {
    for (const [key, field] of Object.entries(FIELD_OF_KEY)) expect(administrationSlice.fieldOf(key, values)).toBe(field)
    expect(administrationSlice.fieldOf('test_devices[1]', values)).toBe('testDevices.1.value')
    expect(administrationSlice.fieldOf('bid_multipliers[0].key', values)).toBe('multipliers.0.key')
    expect(administrationSlice.fieldOf('traffic_targeting', values)).toBeNull()
    expect(administrationSlice.fieldOf('marginal', values)).toBeNull()
  })

  it('refuses what the server would', () => {
    expect(faults({})).toEqual([])
    expect(faults({ impressionUrl: 'http://x.example' })).toEqual([['impressionUrl', 'faults:httpsUrl']])
    expect(faults({ margin: '1.5' })).toEqual([['margin', 'administration:marginWhole']])
    expect(faults({ t: '-1' })).toEqual([['t', 'faults:positiveNumber']])
    expect(faults({ fixedCpm: '2' })).toEqual([
      ['margin', 'faults:fixedCpmBeforeMargin'],
      ['fixedCpm', 'faults:marginBeforeFixedCpm'],
    ])
    expect(faults({ testDevices: Array.from({ length: 11 }, () => ({ value: 'x' })) })).toHaveLength(1)
  })
})
