import { z } from '#contract/zod'
import { amount } from '@/features/campaigns/form/amount'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'
import { changedKeys, fromOwnerFields, numberOf, ownerFieldsOf } from './owner-mapping.ts'

export const TEST_DEVICES_MAX = 10
const text = z.string().check(z.maxLength(5000, 'faults:maxLength?max=5000'))
const isNumber = (typed: string) => !Number.isNaN(numberOf(typed))
const isPositive = (typed: string) => (numberOf(typed) ?? 0) >= 0
const price = amount('faults:positiveNumber')
const isHttps = (address: string) => address === '' || (URL.canParse(address) && new URL(address).protocol === 'https:')
const isMargin = (typed: string) => /^\d*$/.test(typed.trim())

const schema = z
  .object({
    accountManager: text,
    categories: z.array(z.string()),
    exchanges: z.array(z.string()),
    impressionUrl: z
      .string()
      .check(z.trim(), z.maxLength(5000, 'faults:maxLength?max=5000'), z.refine(isHttps, 'faults:httpsUrl')),
    dealLink: text,
    cpx: price,
    t: z.string().check(z.refine(isPositive, 'faults:positiveNumber')),
    margin: z.string().check(z.refine(isMargin, 'administration:marginWhole')),
    fixedCpm: price,
    testDevices: z
      .array(z.object({ value: text }))
      .check(z.maxLength(TEST_DEVICES_MAX, `faults:tooMany?max=${TEST_DEVICES_MAX}`)),
    telcoModel: text,
    noTelcoModel: text,
    dummyModels: text,
    slots: z.array(z.boolean()),
    slotsIncludeUnknown: z.boolean(),
    verified: z.boolean(),
    disregardTargeting: z.boolean(),
    customHtml: z.string().check(z.maxLength(500_000, 'faults:maxLength?max=500000')),
    multipliers: z.array(z.object({ key: text, value: z.string().check(z.refine(isNumber, 'faults:numeric')) })),
  })
  .check(
    z.superRefine(({ margin, fixedCpm }, context) => {
      if (margin.trim() === '' || fixedCpm.trim() === '') return
      context.addIssue({ code: 'custom', path: ['margin'], message: 'faults:fixedCpmBeforeMargin' })
      context.addIssue({ code: 'custom', path: ['fixedCpm'], message: 'faults:marginBeforeFixedCpm' })
    }),
  )
export type AdministrationValues = z.infer<typeof schema>

/** Maps wire keys to form fields. */
export const FIELD_OF_KEY = {
  account_manager_id: 'accountManager',
  campaign_category_keys: 'categories',
  exchange_id: 'exchanges',
  impression_url: 'impressionUrl',
  deal_link: 'dealLink',
  cpx: 'cpx',
  t: 't',
  margin: 'margin',
  fixed_cpm: 'fixedCpm',
  test_devices: 'testDevices',
  telco_model: 'telcoModel',
  no_telco_model: 'noTelcoModel',
  dummy_models: 'dummyModels',
  slots: 'slots',
  slots_include_unknown: 'slotsIncludeUnknown',
  placard_verified: 'verified',
  disregard_targeting: 'disregardTargeting',
  custom_html: 'customHtml',
  bid_multipliers: 'multipliers',
} as const satisfies Readonly<Record<string, keyof AdministrationValues>>

export const administrationSlice: FormSlice<AdministrationValues> = {
  schema,
  empty: () => fromOwnerFields(ownerFieldsOf(null)),
  fromCampaign: (campaign) => fromOwnerFields(ownerFieldsOf(campaign)),
  /** Sends changed fields only, and none of a campaign that was read without owner fields. */
  toInput: (values, campaign) =>
    campaign !== null && !('slots' in campaign) ? {} : changedKeys(values, ownerFieldsOf(campaign)),
  fieldOf: (path, { testDevices, multipliers }) => {
    const [, key = '', place] = /^(\w+)(?:\[(\d+)\])?/.exec(path) ?? []
    if (!isKey(key)) return null
    const field = FIELD_OF_KEY[key]
    const index = Number(place)
    if (field === 'testDevices' && index < testDevices.length) return `testDevices.${index}.value`
    if (field === 'multipliers' && index < multipliers.length)
      return `multipliers.${index}.${path.endsWith('.key') ? 'key' : 'value'}`
    return field
  },
}
const isKey = (key: string): key is keyof typeof FIELD_OF_KEY => Object.hasOwn(FIELD_OF_KEY, key)
