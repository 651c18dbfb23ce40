import { RULE_DEPTH } from '../../domain/campaign/content/content.ts'
import { z } from './zod.ts'

/** The campaign on the wire (campaign.md §3): snake_case where the specification writes it so, camelCase where it does. */

const text = z.string().check(z.maxLength(5000))
const money = z.number()
const strings = z.array(text).check(z.maxLength(10_000))
const flag = z.boolean()
const optional = <T extends z.ZodMiniType>(schema: T) => z.nullish(schema)

const selection = z.object({ includeAny: optional(strings), include: optional(strings), exclude: optional(strings) })
const indexed = z.object({ index: z.int(), value: text })
const indexedImage = z.object({ index: z.int(), file_id: text, url: optional(text) })
const sizedImage = z.object({
  width: z.int(),
  height: z.int(),
  file_id: optional(text),
  url: optional(text),
})
/** See `isCreativeId`: what is none counts as absent. */
const id = z
  .string()
  .check(
    z.maxLength(64),
    z.describe('Letters, digits, dashes and underscores; any other text counts as none, and a new id is given.'),
  )

/** Two names of one field are both understood (decisions G-013, G-149); what is answered is the documented one. */
const alias = optional(text)

export const dynamicAd = z.object({
  id: optional(id),
  cta: alias,
  creative_name: optional(text),
  titles: optional(z.array(indexed).check(z.maxLength(50))),
  descriptions: optional(z.array(indexed).check(z.maxLength(50))),
  call_to_action: optional(text),
  call_to_action_color: optional(z.string().check(z.regex(/^#?[0-9a-fA-F]{6}$/))),
  company_name: optional(text),
  images: optional(z.array(indexedImage).check(z.maxLength(50))),
  logos: optional(z.array(indexedImage).check(z.maxLength(50))),
  isManual: optional(flag),
})

export const nativeAd = z.object({
  id: optional(id),
  cta: alias,
  creative_name: optional(text),
  headline: optional(text),
  body: optional(text),
  images: optional(z.array(sizedImage).check(z.maxLength(50))),
  call_to_action: optional(text),
  logo: optional(sizedImage),
  star_rating: optional(z.number()),
  price: optional(text),
  advertiser: optional(text),
  video: optional(
    z.object({
      url: optional(text),
      fileId: optional(text),
      file_id: alias,
      filename: optional(text),
      size: optional(z.number()),
      duration: optional(z.number()),
    }),
  ),
})

export const videoAd = z.object({
  id: optional(id),
  call_to_action: alias,
  creative_name: optional(text),
  video: optional(
    z.object({
      file_id: optional(text),
      fileId: alias,
      name: optional(text),
      url: optional(text),
      size: optional(z.number()),
      duration: optional(z.number()),
      width: optional(z.number()),
      height: optional(z.number()),
    }),
  ),
  headline: optional(text),
  long_headline: optional(text),
  cta: optional(text),
  companion_banners: optional(z.array(sizedImage).check(z.maxLength(50))),
})

export const audioAd = z.object({
  id: optional(id),
  fileId: alias,
  file_id: alias,
  name: optional(text),
  url: optional(text),
  size: optional(z.number()),
  extension: optional(text),
})

export const banner = z.object({
  id: optional(id),
  width: z.int(),
  height: z.int(),
  file_id: text,
  url: optional(text),
  creative_name: optional(text),
  type_key: optional(z.int()),
  size_key: optional(z.int()),
})

const metadata = z.object({
  headline: optional(text),
  body: optional(text),
  price: optional(text),
  starRating: optional(z.number()),
  cta: optional(text),
  advertiser: optional(text),
})

const biddingStrategy = z.object({
  goal: optional(text),
  type: optional(text),
  is_retargeting: optional(flag),
  is_auto_enhancement: optional(flag),
  click_url: optional(text),
  website_promotion: optional(
    z.object({
      url_type: optional(text),
      conversion_url: optional(text),
      custom_action_name: optional(text),
      secondary_events: optional(strings),
      optionDomain: optional(text),
      optionCondition: optional(text),
      optionValue: optional(text),
    }),
  ),
  app_promotion: optional(
    z.object({
      app_name: optional(text),
      bundle_id: optional(text),
      mmp: optional(text),
      app_platform_type: optional(text),
      click_url: optional(text),
      tracking_url: optional(text),
      custom_action_name: optional(text),
      metadata: optional(metadata),
    }),
  ),
})

const targeting = z.object({
  fromAge: optional(z.int()),
  toAge: optional(z.int()),
  ageRange: optional(z.array(z.int())),
  interests: optional(selection),
  apps: optional(selection),
  segment_audiences: optional(selection),
  city_ids: optional(strings),
  gender: optional(z.int()),
  similarity: optional(z.int()),
  target_languages: optional(strings),
  regions: optional(strings),
  connection_types: optional(strings),
  customer_attributes: optional(strings),
  automaticTargeting: optional(flag),
})

const placement = z.object({
  min_os_version: optional(text),
  excluded_apps: optional(strings),
  included_apps: optional(strings),
  device_type_key: optional(z.int()),
  environment: optional(text),
  excluded_all_games: optional(flag),
  exclude_non_gambling_publishers: optional(flag),
  included_app_category_ids: optional(strings),
  excluded_app_category_ids: optional(strings),
  excluded_game_category_ids: optional(strings),
  languages: optional(strings),
})

const rule = z.object({ field: text, operator: text, value: z.union([text, z.number(), z.boolean()]) })
type Rule = z.infer<typeof rule>
type RuleGroup = { condition: 'and' | 'or'; rules: (Rule | RuleGroup)[] }

/**
 * As many groups within each other as may be saved and one more, which the save refuses by its path; what lies deeper is not read. A
 * schema that ends can be compiled, one that refers to itself cannot, and bidding is most of what a large save brings.
 */
function groupOf(levels: number): z.ZodMiniType<RuleGroup, unknown> {
  const within: z.ZodMiniType<RuleGroup['rules'], unknown> =
    levels === 0
      ? z.pipe(
          z.array(z.unknown()),
          z.transform(() => []),
        )
      : z.array(z.union([rule, groupOf(levels - 1)])).check(z.maxLength(200))
  return z.object({ condition: z.enum(['and', 'or']), rules: within })
}
const ruleGroup = groupOf(RULE_DEPTH)
export const trafficEntry = z.object({ id: z.int(), name: text, multiplier: z.number(), rules: ruleGroup })

const hours = optional(z.array(z.string().check(z.maxLength(2))).check(z.maxLength(24)))
const cap = optional(z.number())

/** Kept encrypted; see domain/kit/personal.ts. */
const TEST_DEVICES =
  'Advertising ids of own devices. One erased with the person who entered it reads erased:<16 hex digits>; sent back, it stays.'

/** What a save may carry. Absent keeps, null clears (decisions G-242); read-only and unknown keys are ignored. */
export const campaignInput = z.object({
  id: optional(z.union([z.string(), z.number()])),
  space_id: optional(z.string()),
  replicated_from: optional(z.string()),
  revision: optional(z.int().check(z.nonnegative())),
  name: optional(text),
  country: optional(z.string().check(z.maxLength(3))),
  product_url: optional(text),
  budget: optional(money),
  budget_type_key: optional(z.number()),
  campaign_type_key: optional(z.number()),
  campaign_start_at: optional(z.union([z.string(), z.number()])),
  campaign_end_at: optional(z.union([z.string(), z.number()])),
  user_cpx: optional(money),
  manual_cpx: optional(flag),
  cpm: optional(money),
  attribution: optional(z.array(z.object({ name: text, value: text })).check(z.maxLength(1000))),
  attribution_tags: optional(text),
  targeting_on: optional(flag),
  freq_and_scheduling_on: optional(flag),
  scheduling: optional(z.object({ '0': hours, '1': hours, '2': hours, '3': hours, '4': hours, '5': hours, '6': hours })),
  frequency_cap: optional(z.object({ '1': cap, '2': cap, '3': cap })),
  native_ad_enabled: optional(flag),
  dynamic_ad_enabled: optional(flag),
  video_ad_enabled: optional(flag),
  audio_ad_enabled: optional(flag),
  bidding_strategy: optional(biddingStrategy),
  targeting: optional(targeting),
  placement: optional(placement),
  dynamic_ad: optional(dynamicAd),
  native_ad: optional(nativeAd),
  video_ad: optional(videoAd),
  audio_ads: optional(z.array(audioAd).check(z.maxLength(1000))),
  visuals: optional(z.object({ banners: optional(z.array(banner).check(z.maxLength(1000))) })),
  account_manager_id: optional(text),
  campaign_category_keys: optional(strings),
  exchange_id: optional(strings),
  impression_url: optional(text),
  deal_link: optional(text),
  cpx: optional(money),
  t: optional(z.number()),
  margin: optional(z.number()),
  fixed_cpm: optional(money),
  test_devices: optional(strings).check(z.describe(TEST_DEVICES)),
  telco_model: optional(text),
  no_telco_model: optional(text),
  dummy_models: optional(text),
  slots: optional(z.array(z.number()).check(z.maxLength(100))),
  slots_include_unknown: optional(flag),
  placard_verified: optional(flag),
  disregard_targeting: optional(flag),
  traffic_targeting: optional(
    z.union([z.string().check(z.maxLength(1_000_000)), z.array(trafficEntry).check(z.maxLength(1000))]),
  ),
  custom_html: optional(z.string().check(z.maxLength(500_000))),
  bid_multipliers: optional(z.array(z.object({ key: text, value: z.number() })).check(z.maxLength(1000))),
})
export type CampaignInput = z.infer<typeof campaignInput>

const compliance = z.object({
  status: z.enum(['approved', 'disapproved', 'pending']),
  topics: z.array(z.object({ policyTopic: z.string() })),
})
export const servingDecision = z.object({
  dealsPolicyCompliance: compliance,
  networkPolicyCompliance: compliance,
  platformPolicyCompliance: compliance,
})

export const statusReason = z.object({
  key: z.string(),
  status_key: z.number(),
  since: z.string(),
  revision: z.number(),
  cause: z.string(),
  actor: z.string(),
  remedy: z.nullable(z.string()),
})

const served = {
  creativeServingDecision: z.nullable(servingDecision),
  exchange_decisions: z.optional(z.record(z.string(), servingDecision)),
  content_version: z.optional(z.nullable(z.number())),
}
const image = z.object({ width: z.number(), height: z.number(), file_id: z.nullable(z.string()), url: z.nullable(z.string()) })
const nullableText = z.nullable(z.string())
const list = z.array(z.string())
const selectionOut = z.object({ includeAny: list, include: list, exclude: list })
const indexedImageOut = z.object({ index: z.number(), file_id: z.string(), url: nullableText })

/** The content as it is read: every key is there; owner fields are absent for callers who may not see them. */
export const campaignContent = z.object({
  name: z.string(),
  country: nullableText,
  timezone_offset_seconds: z.nullable(z.number()),
  product_url: nullableText,
  budget: z.nullable(z.number()),
  budget_type_key: z.number(),
  campaign_type_key: z.number(),
  campaign_start_at: nullableText,
  campaign_end_at: nullableText,
  user_cpx: z.nullable(z.number()),
  manual_cpx: z.boolean(),
  cpm: z.number(),
  attribution: z.array(z.object({ name: z.string(), value: z.string() })),
  attribution_tags: nullableText,
  has_whitelist: z.boolean(),
  targeting_on: z.boolean(),
  freq_and_scheduling_on: z.boolean(),
  scheduling: z.record(z.string(), list),
  frequency_cap: z.record(z.string(), z.nullable(z.number())),
  native_ad_enabled: z.boolean(),
  dynamic_ad_enabled: z.boolean(),
  video_ad_enabled: z.boolean(),
  audio_ad_enabled: z.boolean(),
  bidding_strategy: z.object({
    goal: nullableText,
    type: nullableText,
    is_retargeting: z.boolean(),
    is_auto_enhancement: z.boolean(),
    click_url: nullableText,
    website_promotion: z.object({
      url_type: z.string(),
      conversion_url: nullableText,
      custom_action_name: nullableText,
      secondary_events: list,
      optionDomain: nullableText,
      optionCondition: z.string(),
      optionValue: nullableText,
    }),
    app_promotion: z.object({
      app_name: nullableText,
      bundle_id: nullableText,
      mmp: nullableText,
      app_platform_type: nullableText,
      click_url: nullableText,
      tracking_url: nullableText,
      custom_action_name: nullableText,
      metadata: z.object({
        headline: nullableText,
        body: nullableText,
        price: nullableText,
        starRating: z.nullable(z.number()),
        cta: nullableText,
        advertiser: nullableText,
      }),
    }),
  }),
  targeting: z.object({
    fromAge: z.number(),
    toAge: z.number(),
    ageRange: z.array(z.number()),
    interests: selectionOut,
    apps: selectionOut,
    segment_audiences: selectionOut,
    city_ids: list,
    gender: z.number(),
    similarity: z.number(),
    target_languages: list,
    regions: list,
    connection_types: list,
    customer_attributes: list,
    automaticTargeting: z.boolean(),
  }),
  placement: z.object({
    min_os_version: nullableText,
    excluded_apps: list,
    included_apps: list,
    device_type_key: z.number(),
    environment: nullableText,
    excluded_all_games: z.boolean(),
    exclude_non_gambling_publishers: z.boolean(),
    included_app_category_ids: list,
    excluded_app_category_ids: list,
    excluded_game_category_ids: list,
    languages: list,
  }),
  dynamic_ad: z.nullable(
    z.object({
      id: z.string(),
      creative_name: nullableText,
      titles: z.array(indexed),
      descriptions: z.array(indexed),
      call_to_action: nullableText,
      call_to_action_color: z.string(),
      company_name: nullableText,
      images: z.array(indexedImageOut),
      logos: z.array(indexedImageOut),
      isManual: z.boolean(),
      ...served,
    }),
  ),
  native_ad: z.nullable(
    z.object({
      id: z.string(),
      creative_name: nullableText,
      headline: nullableText,
      body: nullableText,
      images: z.array(image),
      call_to_action: nullableText,
      logo: z.nullable(image),
      star_rating: z.number(),
      price: z.string(),
      advertiser: nullableText,
      video: z.nullable(
        z.object({
          url: nullableText,
          fileId: nullableText,
          filename: nullableText,
          size: z.nullable(z.number()),
          duration: z.nullable(z.number()),
        }),
      ),
      ...served,
    }),
  ),
  video_ad: z.nullable(
    z.object({
      id: z.string(),
      creative_name: nullableText,
      video: z.nullable(
        z.object({
          file_id: nullableText,
          name: nullableText,
          url: nullableText,
          size: z.nullable(z.number()),
          duration: z.nullable(z.number()),
          width: z.nullable(z.number()),
          height: z.nullable(z.number()),
        }),
      ),
      headline: nullableText,
      long_headline: nullableText,
      cta: nullableText,
      companion_banners: z.array(image),
      ...served,
    }),
  ),
  audio_ads: z.array(
    z.object({
      id: z.string(),
      fileId: z.string(),
      name: nullableText,
      url: nullableText,
      size: z.nullable(z.number()),
      extension: nullableText,
      ...served,
    }),
  ),
  visuals: z.object({
    banners: z.array(
      z.object({
        id: z.string(),
        width: z.number(),
        height: z.number(),
        file_id: z.string(),
        url: nullableText,
        creative_name: nullableText,
        type_key: z.number(),
        size_key: z.nullable(z.number()),
        ...served,
      }),
    ),
  }),
  account_manager_id: z.optional(nullableText),
  campaign_category_keys: z.optional(list),
  exchange_id: z.optional(list),
  impression_url: z.optional(nullableText),
  deal_link: z.optional(nullableText),
  cpx: z.optional(z.number()),
  t: z.optional(z.nullable(z.number())),
  margin: z.optional(z.nullable(z.number())),
  fixed_cpm: z.optional(z.nullable(z.number())),
  test_devices: z.optional(list).check(z.describe(TEST_DEVICES)),
  telco_model: z.optional(nullableText),
  no_telco_model: z.optional(nullableText),
  dummy_models: z.optional(nullableText),
  slots: z.optional(z.array(z.number())),
  slots_include_unknown: z.optional(z.boolean()),
  placard_verified: z.optional(z.boolean()),
  placard_tag_date: z.optional(nullableText),
  disregard_targeting: z.optional(z.boolean()),
  traffic_targeting: z.optional(z.string()),
  custom_html: z.optional(nullableText),
  bid_multipliers: z.optional(z.array(z.object({ key: z.string(), value: z.number() }))),
})

/** A campaign as every read gives it. */
export const campaign = z.extend(campaignContent, {
  id: z.string(),
  space_id: z.string(),
  status_key: z.number(),
  status_reasons: z.array(statusReason),
  revision: z.number(),
  replicated_from: nullableText,
  /** Revision of the source that was copied. */
  replicated_revision: z.nullable(z.number()),
  need_moderation: z.boolean(),
  moderation_start_at: nullableText,
  moderation_rejected_at: nullableText,
  moderator_comment: nullableText,
  review: z.enum(['none', 'pending', 'approved', 'rejected']),
  approved_version: z.nullable(z.number()),
  /** What the head holds beyond the approved version; empty while nothing is approved. */
  unapproved_changes: z.array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })),
  intent: z.boolean(),
  last_run_at: nullableText,
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.null(),
  budget_spent: z.number(),
  daily_budget_spent: z.number(),
  impressions: z.number(),
  clicks: z.number(),
})
export type Campaign = z.infer<typeof campaign>
