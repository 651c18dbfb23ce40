import type { Micros } from '../../kit/money.ts'

/**
 * Everything an advertiser or an owner writes into a campaign (campaign.md §3), under the keys of the wire.
 * Every key is always present: a missing value is null, so that differences are plain comparisons. Money is micros.
 */

export type CreativeKind = 'dynamic' | 'native' | 'video' | 'audio' | 'banner'

export type Indexed = { readonly index: number; readonly value: string }
export type IndexedImage = { readonly index: number; readonly file_id: string; readonly url: string | null }
export type SizedImage = {
  readonly width: number
  readonly height: number
  readonly file_id: string | null
  readonly url: string | null
}

export type DynamicAd = {
  readonly id: string
  readonly creative_name: string | null
  readonly titles: readonly Indexed[]
  readonly descriptions: readonly Indexed[]
  readonly call_to_action: string | null
  /** With a leading #. */
  readonly call_to_action_color: string
  readonly company_name: string | null
  readonly images: readonly IndexedImage[]
  readonly logos: readonly IndexedImage[]
  readonly isManual: boolean
}

export type NativeVideo = {
  readonly url: string | null
  readonly fileId: string | null
  readonly filename: string | null
  readonly size: number | null
  /** Seconds. */
  readonly duration: number | null
}

export type NativeAd = {
  readonly id: string
  readonly creative_name: string | null
  readonly headline: string | null
  readonly body: string | null
  readonly images: readonly SizedImage[]
  readonly call_to_action: string | null
  readonly logo: SizedImage | null
  readonly star_rating: number
  /** Text, as the specification has it. */
  readonly price: string
  readonly advertiser: string | null
  readonly video: NativeVideo | null
}

export type VideoAd = {
  readonly id: string
  readonly creative_name: string | null
  readonly video: {
    readonly file_id: string | null
    readonly name: string | null
    readonly url: string | null
    readonly size: number | null
    readonly duration: number | null
    readonly width: number | null
    readonly height: number | null
  } | null
  readonly headline: string | null
  readonly long_headline: string | null
  readonly cta: string | null
  readonly companion_banners: readonly SizedImage[]
}

export type AudioAd = {
  readonly id: string
  readonly fileId: string
  readonly name: string | null
  readonly url: string | null
  /** Megabytes. */
  readonly size: number | null
  readonly extension: string | null
}

export type Banner = {
  readonly id: string
  readonly width: number
  readonly height: number
  readonly file_id: string
  readonly url: string | null
  readonly creative_name: string | null
  readonly type_key: number
  readonly size_key: number | null
}

export type Selection = {
  readonly includeAny: readonly string[]
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** Groups of rules within each other at most; deeper ones nobody can read. */
export const RULE_DEPTH = 10
export type RuleGroup = { readonly condition: 'and' | 'or'; readonly rules: readonly (RuleGroup | Rule)[] }
export type Rule = { readonly field: string; readonly operator: string; readonly value: string | number | boolean }
export type TrafficEntry = {
  readonly id: number
  readonly name: string
  readonly multiplier: number
  readonly rules: RuleGroup
}

export type BiddingStrategy = {
  readonly goal: string | null
  readonly type: string | null
  readonly is_retargeting: boolean
  readonly is_auto_enhancement: boolean
  readonly click_url: string | null
  readonly website_promotion: {
    readonly url_type: string
    readonly conversion_url: string | null
    readonly custom_action_name: string | null
    readonly secondary_events: readonly string[]
    readonly optionDomain: string | null
    readonly optionCondition: string
    readonly optionValue: string | null
  }
  readonly app_promotion: {
    readonly app_name: string | null
    readonly bundle_id: string | null
    readonly mmp: string | null
    readonly app_platform_type: string | null
    readonly click_url: string | null
    readonly tracking_url: string | null
    readonly custom_action_name: string | null
    readonly metadata: {
      readonly headline: string | null
      readonly body: string | null
      readonly price: string | null
      readonly starRating: number | null
      readonly cta: string | null
      readonly advertiser: string | null
    }
  }
}

export type CampaignContent = {
  readonly name: string
  readonly country: string | null
  /** Copied from the country when it is set, then frozen with it. */
  readonly timezone_offset_seconds: number | null
  readonly product_url: string | null
  readonly budget: Micros | null
  /** 2 daily, 1 total (decisions G-030). */
  readonly budget_type_key: number
  readonly campaign_type_key: number
  /** Instants, ISO 8601 UTC. Null start: from approval. Null end: open. */
  readonly campaign_start_at: string | null
  readonly campaign_end_at: string | null
  readonly user_cpx: Micros | null
  readonly manual_cpx: boolean
  readonly cpm: Micros
  readonly attribution: readonly { readonly name: string; readonly value: string }[]
  readonly attribution_tags: string | null
  readonly has_whitelist: boolean
  readonly targeting_on: boolean
  readonly freq_and_scheduling_on: boolean
  readonly scheduling: Readonly<Record<Weekday, readonly string[]>>
  readonly frequency_cap: Readonly<Record<'1' | '2' | '3', number | null>>
  readonly native_ad_enabled: boolean
  readonly dynamic_ad_enabled: boolean
  readonly video_ad_enabled: boolean
  readonly audio_ad_enabled: boolean
  readonly bidding_strategy: BiddingStrategy
  readonly targeting: {
    readonly fromAge: number
    readonly toAge: number
    readonly ageRange: readonly number[]
    readonly interests: Selection
    readonly apps: Selection
    readonly segment_audiences: Selection
    readonly city_ids: readonly string[]
    readonly gender: number
    readonly similarity: number
    readonly target_languages: readonly string[]
    readonly regions: readonly string[]
    readonly connection_types: readonly string[]
    readonly customer_attributes: readonly string[]
    readonly automaticTargeting: boolean
  }
  readonly placement: {
    readonly min_os_version: string | null
    readonly excluded_apps: readonly string[]
    readonly included_apps: readonly string[]
    readonly device_type_key: number
    /** Null means all. */
    readonly environment: string | null
    readonly excluded_all_games: boolean
    readonly exclude_non_gambling_publishers: boolean
    readonly included_app_category_ids: readonly string[]
    readonly excluded_app_category_ids: readonly string[]
    readonly excluded_game_category_ids: readonly string[]
    readonly languages: readonly string[]
  }
  readonly dynamic_ad: DynamicAd | null
  readonly native_ad: NativeAd | null
  readonly video_ad: VideoAd | null
  readonly audio_ads: readonly AudioAd[]
  readonly visuals: { readonly banners: readonly Banner[] }
  // From here on: the owner's lane (the Administration tab).
  readonly account_manager_id: string | null
  readonly campaign_category_keys: readonly string[]
  /** Empty means all exchanges. */
  readonly exchange_id: readonly string[]
  readonly impression_url: string | null
  readonly deal_link: string | null
  readonly cpx: Micros
  readonly t: number | null
  readonly margin: number | null
  readonly fixed_cpm: Micros | null
  readonly test_devices: readonly string[]
  readonly telco_model: string | null
  readonly no_telco_model: string | null
  readonly dummy_models: string | null
  readonly slots: readonly number[]
  readonly slots_include_unknown: boolean
  readonly placard_verified: boolean
  readonly placard_tag_date: string | null
  readonly disregard_targeting: boolean
  readonly traffic_targeting: readonly TrafficEntry[]
  readonly custom_html: string | null
  readonly bid_multipliers: readonly { readonly key: string; readonly value: number }[]
}

export type Weekday = '0' | '1' | '2' | '3' | '4' | '5' | '6'
export type ContentKey = keyof CampaignContent

export const isAudio = (content: CampaignContent): boolean => content.bidding_strategy.goal === 'AUDIO_ADVERTISING'

const everything: Selection = { includeAny: [], include: [], exclude: [] }

/** What a new campaign holds before anyone has typed (campaign.md §3, form defaults). */
export const DEFAULT_CONTENT: CampaignContent = {
  name: 'New Campaign',
  country: null,
  timezone_offset_seconds: null,
  product_url: null,
  budget: null,
  budget_type_key: 2,
  campaign_type_key: 1,
  campaign_start_at: null,
  campaign_end_at: null,
  user_cpx: null,
  manual_cpx: false,
  cpm: 350_000,
  attribution: [],
  attribution_tags: null,
  has_whitelist: false,
  targeting_on: false,
  freq_and_scheduling_on: false,
  scheduling: { '0': [], '1': [], '2': [], '3': [], '4': [], '5': [], '6': [] },
  frequency_cap: { '1': 7, '2': null, '3': null },
  native_ad_enabled: false,
  dynamic_ad_enabled: false,
  video_ad_enabled: false,
  audio_ad_enabled: false,
  bidding_strategy: {
    goal: null,
    type: null,
    is_retargeting: false,
    is_auto_enhancement: true,
    click_url: null,
    website_promotion: {
      url_type: 'conversion',
      conversion_url: null,
      custom_action_name: null,
      secondary_events: [],
      optionDomain: null,
      optionCondition: 'contains',
      optionValue: null,
    },
    app_promotion: {
      app_name: null,
      bundle_id: null,
      mmp: null,
      app_platform_type: null,
      click_url: null,
      tracking_url: null,
      custom_action_name: null,
      metadata: { headline: null, body: null, price: null, starRating: null, cta: null, advertiser: null },
    },
  },
  targeting: {
    fromAge: 18,
    toAge: 65,
    ageRange: [18, 65],
    interests: everything,
    apps: everything,
    segment_audiences: everything,
    city_ids: [],
    gender: 1,
    similarity: 1,
    target_languages: [],
    regions: [],
    connection_types: [],
    customer_attributes: [],
    automaticTargeting: true,
  },
  placement: {
    min_os_version: null,
    excluded_apps: [],
    included_apps: [],
    device_type_key: 1,
    environment: null,
    excluded_all_games: false,
    exclude_non_gambling_publishers: false,
    included_app_category_ids: [],
    excluded_app_category_ids: [],
    excluded_game_category_ids: [],
    languages: [],
  },
  dynamic_ad: null,
  native_ad: null,
  video_ad: null,
  audio_ads: [],
  visuals: { banners: [] },
  account_manager_id: null,
  campaign_category_keys: [],
  exchange_id: [],
  impression_url: null,
  deal_link: null,
  cpx: 350_000,
  t: null,
  margin: null,
  fixed_cpm: null,
  test_devices: [],
  telco_model: null,
  no_telco_model: null,
  dummy_models: null,
  slots: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  slots_include_unknown: true,
  placard_verified: false,
  placard_tag_date: null,
  disregard_targeting: false,
  traffic_targeting: [],
  custom_html: null,
  bid_multipliers: [],
}

/** The owner's lane: invisible and untouchable for everyone else (campaign.md §3, decisions G-241). */
export const OWNER_KEYS = [
  'account_manager_id',
  'campaign_category_keys',
  'exchange_id',
  'impression_url',
  'deal_link',
  'cpx',
  't',
  'margin',
  'fixed_cpm',
  'test_devices',
  'telco_model',
  'no_telco_model',
  'dummy_models',
  'slots',
  'slots_include_unknown',
  'placard_verified',
  'placard_tag_date',
  'disregard_targeting',
  'traffic_targeting',
  'custom_html',
  'bid_multipliers',
] as const satisfies readonly ContentKey[]

/** Money fields: micros inside, numbers on the wire. */
export const MONEY_KEYS = ['budget', 'user_cpx', 'cpm', 'cpx', 'fixed_cpm'] as const satisfies readonly ContentKey[]

// What staff write to each other is theirs like the fields around it, though it is no content.
const ownerKeys: ReadonlySet<string> = new Set([...OWNER_KEYS, 'admin_comment'])

/** True for a path of the change log that only white-label owners may read or write. */
export const isOwnerPath = (path: string): boolean => ownerKeys.has(outermost(path))

const outermost = (path: string): string => (PLAIN.test(path) ? path : (path.split(/[.[]/, 1)[0] ?? ''))
const PLAIN = /^\w*$/
