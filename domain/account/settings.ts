import { fault } from '../kit/faults.ts'
import type { Fault } from '../kit/errors.ts'
import { FULL_RATE, isTaxRate, TAX_MODES, type TaxMode } from '../invoice/tax.ts'
import { MICROS, MONEY_LIMIT, type Micros } from '../kit/money.ts'

/** Terms between staff and an account: who the advertiser is, and the terms of its campaigns and invoices. */

export const ACCOUNT_TYPES = ['freelancer', 'agency', 'brand'] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

/** Where an advertiser came from; any other text is one that staff typed (`{product}_ads` of platform.md §3). */
export const ACCOUNT_SOURCES = [
  'linkedin_ad',
  'linkedin_personal_network',
  'cold_email',
  'google_ads',
  '{product}_ads',
  'referred',
  'other',
] as const

/** Longest free text of a setting. */
export const SETTING_TEXT = 300
/** Highest rate of an audio spot's price. */
const RATE_LIMIT = 1000 * MICROS
/** Invoices are due on a day that every month has. */
export const DUE_DAYS = { first: 1, last: 28 } as const

export type AccountSettings = {
  readonly account_type: AccountType | null
  readonly source: string | null
  readonly niche: string | null
  readonly position: string | null
  /** Day of the month; null for the white-label's own terms. */
  readonly invoice_due_day: number | null
  /** Multiplies the price of an audio spot. */
  readonly rewarded_ads_cpm_rate: Micros
  /** Highest margin of a campaign, percent; null for the product's. */
  readonly max_margin: number | null
  /** A bid must exceed it; null for the product's. */
  readonly base_bid: Micros | null
  /** Id of the user of the white-label who looks after the account. */
  readonly manager_id: string | null
  readonly allow_make_payment: boolean
  /** Null for the white-label's own. */
  readonly tax_mode: TaxMode | null
  /** Basis points; null for the white-label's own. */
  readonly tax_rate: number | null
}
export type SettingName = keyof AccountSettings

/** Percent that a campaign may add to its bids at most, where an account has no limit of its own (decisions G-054). */
export const MAX_MARGIN = 50
/** Key of the state of the terms of service: everyone agrees to them when they register. */
export const TERMS_AGREED = 1

/** Settings of a new account. */
export const DEFAULT_SETTINGS: AccountSettings = {
  account_type: null,
  source: null,
  niche: null,
  position: null,
  invoice_due_day: null,
  rewarded_ads_cpm_rate: MICROS,
  max_margin: null,
  base_bid: null,
  manager_id: null,
  allow_make_payment: true,
  tax_mode: null,
  tax_rate: null,
}
export const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as readonly SettingName[]

/** One setting that changed, with both values. */
export type SettingChange = {
  readonly [Name in SettingName]: {
    readonly setting: Name
    readonly from: AccountSettings[Name]
    readonly to: AccountSettings[Name]
  }
}[SettingName]

/** The changes from one set of settings to another, in the order of the names. */
export const settingChanges = (from: AccountSettings, to: AccountSettings): readonly SettingChange[] =>
  SETTING_NAMES.filter((name) => from[name] !== to[name]).map(
    (name) => ({ setting: name, from: from[name], to: to[name] }) as SettingChange,
  )

/** The settings after these changes; a setting that this build does not know is left out. */
export const withChanges = (settings: AccountSettings, changes: readonly SettingChange[]): AccountSettings =>
  changes.reduce((next, { setting, to }) => (setting in DEFAULT_SETTINGS ? { ...next, [setting]: to } : next), settings)

/** Text without spaces around it; blank text is no text. */
const tidy = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text.trim())

/** The settings as they are stored. */
export const tidied = (settings: AccountSettings): AccountSettings => ({
  ...settings,
  source: tidy(settings.source),
  niche: tidy(settings.niche),
  position: tidy(settings.position),
  manager_id: tidy(settings.manager_id),
})

/** Everything that is wrong with these settings, by their names on the wire. */
export function settingFaults(settings: AccountSettings): readonly Fault[] {
  const texts = (['source', 'niche', 'position', 'manager_id'] as const).filter(
    (name) => (settings[name]?.length ?? 0) > SETTING_TEXT,
  )
  const { account_type: type, invoice_due_day: day, rewarded_ads_cpm_rate: rate, max_margin: margin, base_bid: bid } = settings
  const { tax_mode: mode, tax_rate: tax } = settings
  return [
    ...(type === null || ACCOUNT_TYPES.includes(type) ? [] : [fault('account_type', 2, 'notAllowed')]),
    ...texts.map((name) => fault(name, 2, 'maxLength', { max: SETTING_TEXT })),
    ...(day === null || isWithin(day, DUE_DAYS.first, DUE_DAYS.last)
      ? []
      : [fault('invoice_due_day', 2, 'outOfRange', { min: DUE_DAYS.first, max: DUE_DAYS.last })]),
    ...(rate > 0 ? [] : [fault('rewarded_ads_cpm_rate', 2, 'positiveNumber')]),
    ...(rate > RATE_LIMIT ? [fault('rewarded_ads_cpm_rate', 2, 'atMost', { max: RATE_LIMIT / MICROS })] : []),
    ...(margin === null || isWithin(margin, 0, 100) ? [] : [fault('max_margin', 2, 'outOfRange', { min: 0, max: 100 })]),
    ...(mode === null || TAX_MODES.includes(mode) ? [] : [fault('tax_mode', 2, 'notAllowed')]),
    ...(isOwnRate(mode, tax) ? [] : [fault('tax_rate', 2, 'outOfRange', { min: 1, max: FULL_RATE })]),
    ...(bid === null || (bid >= 0 && bid <= MONEY_LIMIT * MICROS) ? [] : [fault('base_bid', 2, 'positiveNumber')]),
  ]
}

/** A rate without a tax of the account's own would mean nothing; one with it may be the white-label's. */
const isOwnRate = (mode: TaxMode | null, rate: number | null): boolean =>
  rate === null || (mode !== null && mode !== 'none' && isTaxRate(mode, rate))

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most
