import { z } from '#contract/zod'
import { ADMINISTRATION } from '#domain/campaign/content/fields/administration'
import { record } from '#domain/kit/fields'
import { isAtLeast, isDigits, isHttpsUrl } from '#domain/kit/validators'
import { amount } from '@/features/campaigns/form/amount'
import { isSame } from '@/features/campaigns/form/creatives/wire-values'
import { fieldMapping, numberOf, typedNumber } from '@/features/campaigns/form/slices/field-mapping'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'

export const TEST_DEVICES_MAX = 10
const text = z.string().check(z.maxLength(5000, 'faults:maxLength?max=5000'))
const isNumber = (typed: string) => !Number.isNaN(numberOf(typed))
const isPositive = (typed: string) => isAtLeast(numberOf(typed) ?? 0, 0)
const price = typedNumber(amount('faults:positiveNumber'))
const isHttps = (address: string) => address === '' || isHttpsUrl(address)
const isMargin = (typed: string) => typed.trim() === '' || isDigits(typed.trim())

const mapping = fieldMapping(record(ADMINISTRATION), {
  names: {
    account_manager_id: 'accountManager',
    campaign_category_keys: 'categories',
    exchange_id: 'exchanges',
    placard_verified: 'verified',
    bid_multipliers: 'multipliers',
  },
  own: {
    impression_url: {
      schema: z.string().check(z.trim(), z.maxLength(5000, 'faults:maxLength?max=5000'), z.refine(isHttps, 'faults:httpsUrl')),
    },
    cpx: { ...price, send: (typed: string) => numberOf(typed) ?? 0 },
    t: typedNumber(z.string().check(z.refine(isPositive, 'faults:positiveNumber'))),
    margin: typedNumber(z.string().check(z.refine(isMargin, 'administration:marginWhole'))),
    fixed_cpm: price,
    test_devices: {
      schema: z.array(z.object({ value: text })).check(z.maxLength(TEST_DEVICES_MAX, `faults:tooMany?max=${TEST_DEVICES_MAX}`)),
      show: (stored: readonly string[]) => stored.map((value) => ({ value })),
      send: (rows: readonly { readonly value: string }[]) => rows.flatMap(({ value }) => value.trim() || []),
    },
    slots: {
      schema: z.array(z.boolean()),
      show: (stored: readonly number[]) => stored.map((slot) => slot !== 0),
      send: (shown: readonly boolean[]) => shown.map(Number),
    },
    custom_html: {
      schema: z.string().check(z.maxLength(500_000, 'faults:maxLength?max=500000')),
      // White space is part of the served HTML, so it is not trimmed.
      send: (typed: string) => (typed === '' ? null : typed),
    },
    bid_multipliers: {
      schema: z.array(z.object({ key: text, value: z.string().check(z.refine(isNumber, 'faults:numeric')) })),
      show: (stored: readonly { key: string; value: number }[]) =>
        stored.map(({ key, value }) => ({ key, value: String(value) })),
      send: (rows: readonly { readonly key: string; readonly value: string }[]) =>
        rows.flatMap(({ key, value }) => (key.trim() === '' ? [] : [{ key: key.trim(), value: numberOf(value) ?? 1 }])),
    },
  },
  // The entries of advanced bidding have their own tab.
  without: ['placard_tag_date', 'traffic_targeting'],
})

const schema = z.object(mapping.shape).check(
  z.superRefine(({ margin, fixedCpm }, context) => {
    if (margin.trim() === '' || fixedCpm.trim() === '') return
    context.addIssue({ code: 'custom', path: ['margin'], message: 'faults:fixedCpmBeforeMargin' })
    context.addIssue({ code: 'custom', path: ['fixedCpm'], message: 'faults:marginBeforeFixedCpm' })
  }),
)
type AdministrationValues = z.infer<typeof schema>

/** Maps wire keys to form fields. */
export const FIELD_OF_KEY: Readonly<Record<string, string>> = Object.fromEntries(mapping.names)

export const administrationSlice: FormSlice<AdministrationValues> = {
  schema,
  paths: mapping.names,
  empty: () => mapping.show(null),
  fromCampaign: mapping.show,
  /** Sends changed fields only, and none of a campaign that was read without owner fields. */
  toInput: (values, campaign) => {
    if (campaign !== null && !('slots' in campaign)) return {}
    const known: Readonly<Record<string, unknown>> = mapping.send(mapping.show(campaign), campaign)
    return Object.fromEntries(Object.entries(mapping.send(values, campaign)).filter(([key, value]) => !isSame(value, known[key])))
  },
  fieldOf: (path, { testDevices, multipliers }) => {
    const [, key = '', place] = /^(\w+)(?:\[(\d+)\])?/.exec(path) ?? []
    const field = mapping.names.get(key) ?? null
    const index = Number(place)
    if (field === 'testDevices' && index < testDevices.length) return `testDevices.${index}.value`
    if (field === 'multipliers' && index < multipliers.length)
      return `multipliers.${index}.${path.endsWith('.key') ? 'key' : 'value'}`
    return field
  },
}
