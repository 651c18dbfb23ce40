import { z } from './zod.ts'

/** The campaign on the wire (campaign.md §3): snake_case where the specification writes it so, camelCase where it does. */

const text = z.string().max(5000)
const money = z.number()
const strings = z.array(text).max(10_000)
const flag = z.boolean()
const optional = <T extends z.ZodType>(schema: T) => schema.nullish()
/** Within what is replaced as a whole: stored content has every key. */
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null)

const selection = z.object({ includeAny: optional(strings), include: optional(strings), exclude: optional(strings) })
const indexed = z.object({ index: z.number().int(), value: text })
const indexedImage = z.object({ index: z.number().int(), file_id: text, url: orNull(text) })
const sizedImage = z.object({
  width: z.number().int(),
  height: z.number().int(),
  file_id: orNull(text),
  url: orNull(text),
})
const id = z.string().max(64)

export const dynamicAd = z.object({
  id: optional(id),
  creative_name: optional(text),
  titles: optional(z.array(indexed).max(50)),
  descriptions: optional(z.array(indexed).max(50)),
  call_to_action: optional(text),
  call_to_action_color: optional(z.string().regex(/^#?[0-9a-fA-F]{6}$/)),
  company_name: optional(text),
  images: optional(z.array(indexedImage).max(50)),
  logos: optional(z.array(indexedImage).max(50)),
  isManual: optional(flag),
})

export const nativeAd = z.object({
  id: optional(id),
  creative_name: optional(text),
  headline: optional(text),
  body: optional(text),
  images: optional(z.array(sizedImage).max(50)),
  call_to_action: optional(text),
  logo: optional(sizedImage),
  star_rating: optional(z.number()),
  price: optional(text),
  advertiser: optional(text),
  video: optional(
    z.object({
      url: orNull(text),
      fileId: orNull(text),
      filename: orNull(text),
      size: orNull(z.number()),
      duration: orNull(z.number()),
    }),
  ),
})

export const videoAd = z.object({
  id: optional(id),
  creative_name: optional(text),
  video: optional(
    z.object({
      file_id: orNull(text),
      name: orNull(text),
      url: orNull(text),
      size: orNull(z.number()),
      duration: orNull(z.number()),
      width: orNull(z.number()),
      height: orNull(z.number()),
    }),
  ),
  headline: optional(text),
  long_headline: optional(text),
  cta: optional(text),
  companion_banners: optional(z.array(sizedImage).max(50)),
})

export const audioAd = z.object({
  id: optional(id),
  fileId: text,
  name: optional(text),
  url: optional(text),
  size: optional(z.number()),
  extension: optional(text),
})

export const banner = z.object({
  id: optional(id),
  width: z.number().int(),
  height: z.number().int(),
  file_id: text,
  url: optional(text),
  creative_name: optional(text),
  type_key: optional(z.number().int()),
  size_key: optional(z.number().int()),
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
  fromAge: optional(z.number().int()),
  toAge: optional(z.number().int()),
  ageRange: optional(z.array(z.number().int())),
  interests: optional(selection),
  apps: optional(selection),
  segment_audiences: optional(selection),
  city_ids: optional(strings),
  gender: optional(z.number().int()),
  similarity: optional(z.number().int()),
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
  device_type_key: optional(z.number().int()),
  environment: optional(text),
  excluded_all_games: optional(flag),
  exclude_non_gambling_publishers: optional(flag),
  included_app_category_ids: optional(strings),
  excluded_app_category_ids: optional(strings),
  excluded_game_category_ids: optional(strings),
  languages: optional(strings),
})

const rule = z.object({ field: text, operator: text, value: z.union([text, z.number(), z.boolean()]) })
const ruleGroup = z.object({
  condition: z.enum(['and', 'or']),
  get rules(): z.ZodArray<z.ZodUnion<readonly [typeof ruleGroup, typeof rule]>> {
    return z.array(z.union([ruleGroup, rule])).max(200)
  },
})
export const trafficEntry = z.object({ id: z.number().int(), name: text, multiplier: z.number(), rules: ruleGroup })

const hours = optional(z.array(z.string().max(2)).max(24))
const cap = optional(z.number())

/** Kept encrypted; see domain/personal.ts. */
const TEST_DEVICES =
  'Advertising ids of own devices. One erased with the person who entered it reads erased:<16 hex digits>; sent back, it stays.'

/** What a save may carry. Absent keeps, null clears (decisions G-242); read-only and unknown keys are ignored. */
export const campaignInput = z.object({
  id: optional(z.union([z.string(), z.number()])),
  space_id: optional(z.string()),
  replicated_from: optional(z.string()),
  revision: optional(z.number().int().nonnegative()),
  name: optional(text),
  country: optional(z.string().max(3)),
  product_url: optional(text),
  budget: optional(money),
  budget_type_key: optional(z.number()),
  campaign_type_key: optional(z.number()),
  campaign_start_at: optional(z.union([z.string(), z.number()])),
  campaign_end_at: optional(z.union([z.string(), z.number()])),
  user_cpx: optional(money),
  manual_cpx: optional(flag),
  cpm: optional(money),
  attribution: optional(z.array(z.object({ name: text, value: text })).max(1000)),
  attribution_tags: optional(text),
  has_whitelist: optional(flag),
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
  audio_ads: optional(z.array(audioAd).max(1000)),
  visuals: optional(z.object({ banners: optional(z.array(banner).max(1000)) })),
  account_manager_id: optional(text),
  campaign_category_keys: optional(strings),
  exchange_id: optional(strings),
  impression_url: optional(text),
  deal_link: optional(text),
  cpx: optional(money),
  t: optional(z.number()),
  margin: optional(z.number()),
  fixed_cpm: optional(money),
  test_devices: optional(strings).describe(TEST_DEVICES),
  telco_model: optional(text),
  no_telco_model: optional(text),
  dummy_models: optional(text),
  slots: optional(z.array(z.number()).max(100)),
  slots_include_unknown: optional(flag),
  placard_verified: optional(flag),
  disregard_targeting: optional(flag),
  traffic_targeting: optional(z.union([z.string().max(1_000_000), z.array(trafficEntry).max(1000)])),
  custom_html: optional(z.string().max(500_000)),
  bid_multipliers: optional(z.array(z.object({ key: text, value: z.number() })).max(1000)),
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
  remedy: z.string().nullable(),
})

const served = {
  creativeServingDecision: servingDecision.nullable(),
  exchange_decisions: z.record(z.string(), servingDecision).optional(),
  content_version: z.number().nullable().optional(),
}
const image = z.object({ width: z.number(), height: z.number(), file_id: z.string().nullable(), url: z.string().nullable() })
const nullableText = z.string().nullable()
const list = z.array(z.string())
const selectionOut = z.object({ includeAny: list, include: list, exclude: list })
const indexedImageOut = z.object({ index: z.number(), file_id: z.string(), url: nullableText })

/** The content as it is read: every key is there; owner fields are absent for callers who may not see them. */
export const campaignContent = z.object({
  name: z.string(),
  country: nullableText,
  timezone_offset_seconds: z.number().nullable(),
  product_url: nullableText,
  budget: z.number().nullable(),
  budget_type_key: z.number(),
  campaign_type_key: z.number(),
  campaign_start_at: nullableText,
  campaign_end_at: nullableText,
  user_cpx: z.number().nullable(),
  manual_cpx: z.boolean(),
  cpm: z.number(),
  attribution: z.array(z.object({ name: z.string(), value: z.string() })),
  attribution_tags: nullableText,
  has_whitelist: z.boolean(),
  targeting_on: z.boolean(),
  freq_and_scheduling_on: z.boolean(),
  scheduling: z.record(z.string(), list),
  frequency_cap: z.record(z.string(), z.number().nullable()),
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
        starRating: z.number().nullable(),
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
  dynamic_ad: z
    .object({
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
    })
    .nullable(),
  native_ad: z
    .object({
      id: z.string(),
      creative_name: nullableText,
      headline: nullableText,
      body: nullableText,
      images: z.array(image),
      call_to_action: nullableText,
      logo: image.nullable(),
      star_rating: z.number(),
      price: z.string(),
      advertiser: nullableText,
      video: z
        .object({
          url: nullableText,
          fileId: nullableText,
          filename: nullableText,
          size: z.number().nullable(),
          duration: z.number().nullable(),
        })
        .nullable(),
      ...served,
    })
    .nullable(),
  video_ad: z
    .object({
      id: z.string(),
      creative_name: nullableText,
      video: z
        .object({
          file_id: nullableText,
          name: nullableText,
          url: nullableText,
          size: z.number().nullable(),
          duration: z.number().nullable(),
          width: z.number().nullable(),
          height: z.number().nullable(),
        })
        .nullable(),
      headline: nullableText,
      long_headline: nullableText,
      cta: nullableText,
      companion_banners: z.array(image),
      ...served,
    })
    .nullable(),
  audio_ads: z.array(
    z.object({
      id: z.string(),
      fileId: z.string(),
      name: nullableText,
      url: nullableText,
      size: z.number().nullable(),
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
        size_key: z.number().nullable(),
        ...served,
      }),
    ),
  }),
  account_manager_id: nullableText.optional(),
  campaign_category_keys: list.optional(),
  exchange_id: list.optional(),
  impression_url: nullableText.optional(),
  deal_link: nullableText.optional(),
  cpx: z.number().optional(),
  t: z.number().nullable().optional(),
  margin: z.number().nullable().optional(),
  fixed_cpm: z.number().nullable().optional(),
  test_devices: list.optional().describe(TEST_DEVICES),
  telco_model: nullableText.optional(),
  no_telco_model: nullableText.optional(),
  dummy_models: nullableText.optional(),
  slots: z.array(z.number()).optional(),
  slots_include_unknown: z.boolean().optional(),
  placard_verified: z.boolean().optional(),
  placard_tag_date: nullableText.optional(),
  disregard_targeting: z.boolean().optional(),
  traffic_targeting: z.string().optional(),
  custom_html: nullableText.optional(),
  bid_multipliers: z.array(z.object({ key: z.string(), value: z.number() })).optional(),
})

/** A campaign as every read gives it. */
export const campaign = campaignContent.extend({
  id: z.string(),
  space_id: z.string(),
  status_key: z.number(),
  status_reasons: z.array(statusReason),
  revision: z.number(),
  replicated_from: nullableText,
  need_moderation: z.boolean(),
  moderation_start_at: nullableText,
  moderation_rejected_at: nullableText,
  moderator_comment: nullableText,
  review: z.enum(['none', 'pending', 'approved', 'rejected']),
  approved_version: z.number().nullable(),
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
