import {
  custom,
  described,
  flag,
  list,
  number,
  oneOf,
  optionalNumber,
  optionalText,
  readOnly,
  record,
  required,
  text,
  texts,
} from '#domain/kit/fields'
import { EXCHANGES } from '../options.ts'

/** Most levels of nested rule groups. */
export const RULE_DEPTH = 10
export type RuleGroup = { readonly condition: 'and' | 'or'; readonly rules: readonly (RuleGroup | Rule)[] }
export type Rule = { readonly field: string; readonly operator: string; readonly value: string | number | boolean }
export type TrafficEntry = {
  readonly id: number
  readonly name: string
  readonly multiplier: number
  readonly rules: RuleGroup
}

/** Kept encrypted; see domain/kit/personal.ts. */
const TEST_DEVICES =
  'Advertising ids of own devices. One erased with the person who entered it reads erased:<16 hex digits>; sent back, it stays.'

/**
 * The tabs "Administration" and "Advanced bidding": owner fields, invisible and read-only for every other role (campaigns.md §3,
 * decisions G-241). Money is micros in the domain and units on the wire.
 */
export const ADMINISTRATION = {
  account_manager_id: optionalText(),
  campaign_category_keys: texts(),
  /** Empty means all exchanges. */
  exchange_id: oneOf(texts(), EXCHANGES),
  impression_url: optionalText(),
  deal_link: optionalText(),
  /** Micros. */
  cpx: number(350_000),
  t: optionalNumber(),
  /** Percent. */
  margin: optionalNumber(),
  /** Micros. */
  fixed_cpm: optionalNumber(),
  test_devices: described(texts(), TEST_DEVICES),
  telco_model: optionalText(),
  no_telco_model: optionalText(),
  dummy_models: optionalText(),
  slots: oneOf(list(number(1), { max: 100, initial: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] }), [0, 1]),
  slots_include_unknown: flag(true),
  placard_verified: flag(false),
  /** Set when verification is first enabled, then kept. */
  placard_tag_date: readOnly(optionalText()),
  disregard_targeting: flag(false),
  /** On the wire: JSON text, or the list itself (decisions G-157). */
  traffic_targeting: custom<readonly TrafficEntry[], unknown>([]),
  custom_html: optionalText({ max: 500_000 }),
  bid_multipliers: list(record({ key: required(text('')), value: required(number(1)) }), { max: 1000 }),
}
