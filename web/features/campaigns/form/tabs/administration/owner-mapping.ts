import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import type { Campaign, CampaignInput } from '#contract/campaign-body'
import { readDecimal } from '@/i18n/decimal'
import type { AdministrationValues } from './administration-slice.ts'

type OwnerKey =
  | 'account_manager_id'
  | 'campaign_category_keys'
  | 'exchange_id'
  | 'impression_url'
  | 'deal_link'
  | 'cpx'
  | 't'
  | 'margin'
  | 'fixed_cpm'
  | 'test_devices'
  | 'telco_model'
  | 'no_telco_model'
  | 'dummy_models'
  | 'slots'
  | 'slots_include_unknown'
  | 'placard_verified'
  | 'disregard_targeting'
  | 'custom_html'
  | 'bid_multipliers'
/** Owner fields as read from the server. */
export type OwnerFieldsRead = { readonly [Key in OwnerKey]: Exclude<Campaign[Key], undefined> }

/** Values for a new campaign, or one that was read without owner fields. */
const DEFAULTS: OwnerFieldsRead = {
  ...DEFAULT_CONTENT,
  campaign_category_keys: [...DEFAULT_CONTENT.campaign_category_keys],
  exchange_id: [...DEFAULT_CONTENT.exchange_id],
  test_devices: [...DEFAULT_CONTENT.test_devices],
  slots: [...DEFAULT_CONTENT.slots],
  bid_multipliers: [...DEFAULT_CONTENT.bid_multipliers],
  // The domain stores micros, the wire has whole units.
  cpx: DEFAULT_CONTENT.cpx / 1_000_000,
}

export const ownerFieldsOf = (campaign: Campaign | null): OwnerFieldsRead => ({
  account_manager_id: campaign?.account_manager_id ?? DEFAULTS.account_manager_id,
  campaign_category_keys: campaign?.campaign_category_keys ?? DEFAULTS.campaign_category_keys,
  exchange_id: campaign?.exchange_id ?? DEFAULTS.exchange_id,
  impression_url: campaign?.impression_url ?? DEFAULTS.impression_url,
  deal_link: campaign?.deal_link ?? DEFAULTS.deal_link,
  cpx: campaign?.cpx ?? DEFAULTS.cpx,
  t: campaign?.t ?? DEFAULTS.t,
  margin: campaign?.margin ?? DEFAULTS.margin,
  fixed_cpm: campaign?.fixed_cpm ?? DEFAULTS.fixed_cpm,
  test_devices: campaign?.test_devices ?? DEFAULTS.test_devices,
  telco_model: campaign?.telco_model ?? DEFAULTS.telco_model,
  no_telco_model: campaign?.no_telco_model ?? DEFAULTS.no_telco_model,
  dummy_models: campaign?.dummy_models ?? DEFAULTS.dummy_models,
  slots: campaign?.slots ?? DEFAULTS.slots,
  slots_include_unknown: campaign?.slots_include_unknown ?? DEFAULTS.slots_include_unknown,
  placard_verified: campaign?.placard_verified ?? DEFAULTS.placard_verified,
  disregard_targeting: campaign?.disregard_targeting ?? DEFAULTS.disregard_targeting,
  custom_html: campaign?.custom_html ?? DEFAULTS.custom_html,
  bid_multipliers: campaign?.bid_multipliers ?? DEFAULTS.bid_multipliers,
})

const shown = (value: number | string | null) => (value === null ? '' : String(value))
const filled = (text: string) => (text.trim() === '' ? null : text.trim())
/** The format in which JavaScript writes stored numbers. */
const STORED = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/
/** Parses a typed or stored number: null when empty, NaN when the text is not a number. */
export const numberOf = (text: string) => (STORED.test(text.trim()) ? Number(text) : readDecimal(text))

export const fromOwnerFields = (read: OwnerFieldsRead): AdministrationValues => ({
  accountManager: shown(read.account_manager_id),
  categories: [...read.campaign_category_keys],
  exchanges: [...read.exchange_id],
  impressionUrl: shown(read.impression_url),
  dealLink: shown(read.deal_link),
  cpx: shown(read.cpx),
  t: shown(read.t),
  margin: shown(read.margin),
  fixedCpm: shown(read.fixed_cpm),
  testDevices: read.test_devices.map((value) => ({ value })),
  telcoModel: shown(read.telco_model),
  noTelcoModel: shown(read.no_telco_model),
  dummyModels: shown(read.dummy_models),
  slots: read.slots.map((slot) => slot !== 0),
  slotsIncludeUnknown: read.slots_include_unknown,
  verified: read.placard_verified,
  disregardTargeting: read.disregard_targeting,
  customHtml: shown(read.custom_html),
  multipliers: read.bid_multipliers.map(({ key, value }) => ({ key, value: String(value) })),
})

type Sent = Pick<CampaignInput, OwnerKey>

const toOwnerFields = (values: AdministrationValues): Sent => ({
  account_manager_id: filled(values.accountManager),
  campaign_category_keys: [...values.categories],
  exchange_id: [...values.exchanges],
  impression_url: filled(values.impressionUrl),
  deal_link: filled(values.dealLink),
  cpx: numberOf(values.cpx) ?? 0,
  t: numberOf(values.t),
  margin: numberOf(values.margin),
  fixed_cpm: numberOf(values.fixedCpm),
  test_devices: values.testDevices.flatMap(({ value }) => filled(value) ?? []),
  telco_model: filled(values.telcoModel),
  no_telco_model: filled(values.noTelcoModel),
  dummy_models: filled(values.dummyModels),
  slots: values.slots.map(Number),
  slots_include_unknown: values.slotsIncludeUnknown,
  placard_verified: values.verified,
  disregard_targeting: values.disregardTargeting,
  // White space is part of the served HTML, so it is not trimmed.
  custom_html: values.customHtml === '' ? null : values.customHtml,
  bid_multipliers: values.multipliers.flatMap(({ key, value }) =>
    filled(key) === null ? [] : [{ key: key.trim(), value: numberOf(value) ?? 1 }],
  ),
})

/** Returns the keys whose wire values differ from the read ones, so an unchanged form sends none. */
export function changedKeys(values: AdministrationValues, read: OwnerFieldsRead): Sent {
  const known = toOwnerFields(fromOwnerFields(read))
  const changed = Object.entries(toOwnerFields(values)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(Object.entries(known).find(([name]) => name === key)?.[1]),
  )
  return Object.fromEntries(changed)
}
