import {
  flag,
  list,
  number,
  oneOf,
  optionalInstant,
  optionalNumber,
  optionalText,
  readOnly,
  record,
  required,
  text,
  texts,
} from '#domain/kit/fields'
import { BUDGET_TYPES, CAMPAIGN_FORMATS, codesOf, GOALS_BY_TYPE } from '../options.ts'

export const WEBSITE_PROMOTION = record({
  url_type: oneOf(text('conversion'), ['conversion', 'parameter']),
  conversion_url: optionalText(),
  custom_action_name: optionalText(),
  secondary_events: texts(),
  optionDomain: optionalText(),
  optionCondition: oneOf(text('contains'), ['contains', 'does_not_contain']),
  optionValue: optionalText(),
})

export const APP_PROMOTION = record({
  app_name: optionalText(),
  bundle_id: optionalText(),
  mmp: oneOf(optionalText(), ['adjust', 'appsflyer']),
  app_platform_type: oneOf(optionalText(), ['ios', 'android']),
  click_url: optionalText(),
  tracking_url: optionalText(),
  custom_action_name: optionalText(),
  metadata: record({
    headline: optionalText(),
    body: optionalText(),
    price: optionalText(),
    starRating: optionalNumber(),
    cta: optionalText(),
    advertiser: optionalText(),
  }),
})

const biddingStrategy = record({
  type: oneOf(optionalText(), Object.keys(GOALS_BY_TYPE)),
  /** As the type allows. */
  goal: oneOf(optionalText(), Object.values(GOALS_BY_TYPE).flat()),
  click_url: optionalText(),
  is_retargeting: flag(false),
  is_auto_enhancement: flag(true),
  website_promotion: WEBSITE_PROMOTION,
  app_promotion: APP_PROMOTION,
})

/** The tab "Basic info" (campaigns.md §3). Money is micros in the domain and units on the wire. */
export const BASIC_INFO = {
  name: text('New Campaign'),
  country: optionalText({ max: 3 }),
  /** Copied from the country when it is set, then frozen with it. */
  timezone_offset_seconds: readOnly(optionalNumber()),
  /** Null: from approval. */
  campaign_start_at: optionalInstant(),
  /** Null: open. */
  campaign_end_at: optionalInstant(),
  /** Micros. */
  budget: optionalNumber(),
  /** 2 daily, 1 total (decisions G-030). */
  budget_type_key: oneOf(number(2), codesOf(BUDGET_TYPES)),
  campaign_type_key: oneOf(number(1), codesOf(CAMPAIGN_FORMATS)),
  manual_cpx: flag(false),
  /** Micros. */
  user_cpx: optionalNumber(),
  /** Micros. */
  cpm: number(350_000),
  product_url: optionalText(),
  bidding_strategy: biddingStrategy,
  attribution: list(record({ name: required(text('')), value: required(text('')) }), { max: 1000 }),
  attribution_tags: optionalText(),
}
