import {
  flag,
  list,
  number,
  optionalInstant,
  optionalNumber,
  optionalText,
  readOnly,
  record,
  required,
  text,
  texts,
} from '#domain/kit/fields'

export const WEBSITE_PROMOTION = record({
  url_type: text('conversion'),
  conversion_url: optionalText(),
  custom_action_name: optionalText(),
  secondary_events: texts(),
  optionDomain: optionalText(),
  optionCondition: text('contains'),
  optionValue: optionalText(),
})

export const APP_PROMOTION = record({
  app_name: optionalText(),
  bundle_id: optionalText(),
  mmp: optionalText(),
  app_platform_type: optionalText(),
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
  type: optionalText(),
  goal: optionalText(),
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
  budget_type_key: number(2),
  campaign_type_key: number(1),
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
