/** Allowed values of fields, as the specification lists them (campaigns.md §9): one table for rules, dictionaries and screens. */

export const EXCHANGES = ['google', 'verve', 'taboola', 'yandex', '3rdpresence'] as const
export type Exchange = (typeof EXCHANGES)[number]

/** Sizes a banner may have and the key each is stored under (campaigns.md §9, decisions G-142). */
export const BANNER_SIZES: readonly { readonly width: number; readonly height: number; readonly key: number }[] = [
  { width: 970, height: 90, key: 101 },
  { width: 320, height: 50, key: 102 },
  { width: 728, height: 90, key: 103 },
  { width: 160, height: 600, key: 104 },
  { width: 250, height: 250, key: 105 },
  { width: 300, height: 250, key: 106 },
  { width: 300, height: 100, key: 107 },
  { width: 300, height: 600, key: 108 },
  { width: 240, height: 400, key: 109 },
  { width: 320, height: 480, key: 110 },
]

/** Keys of banner sizes as choices group them (campaigns.md §9); a size outside both fills the screen. */
export const BANNER_SIZE_GROUPS = {
  vertical: [108, 104, 109, 106, 105],
  horizontal: [101, 103, 102, 107],
  full: [110],
} as const satisfies Readonly<Record<string, readonly number[]>>

export const sizeKeyOf = (width: number, height: number): number | null =>
  BANNER_SIZES.find((size) => size.width === width && size.height === height)?.key ?? null

/** Objectives and their goals, the default first (campaigns.md §3, decisions G-027 and G-028). */
export const GOALS_BY_TYPE = {
  awareness: ['ENHANCED_EXPOSURE', 'MAXIMIZED_REACH'],
  consideration: ['LANDING_PAGE_TRAFFIC', 'APP_INSTALLS', 'APP_CUSTOM_EVENT'],
  conversion: ['WEB_STANDARD_CONVERSION', 'WEBSITE_CUSTOM_EVENT', 'WEBSITE_PROMOTION'],
  other: ['AUDIO_ADVERTISING'],
} as const
export type CampaignType = keyof typeof GOALS_BY_TYPE

/** Goals whose rows show conversions (campaigns.md §9). */
export const CONVERSION_GOALS: readonly string[] = [
  'APP_INSTALLS',
  'WEB_STANDARD_CONVERSION',
  'WEBSITE_CUSTOM_EVENT',
  'APP_CUSTOM_EVENT',
]

export const REGIONS = ['lagos', 'west', 'north_west', 'north_east', 'south_south', 'south_east'] as const
export const CONNECTION_TYPES = ['2g', '3g', '4g', '5g', 'other'] as const
export const CUSTOMER_ATTRIBUTES = ['super_gold', 'gold', 'new_ultra', 'new', 'silver', 'ivory'] as const
/** Languages of an audience, not of the interface. */
export const AUDIENCE_LANGUAGES = ['english', 'hausa'] as const
export const ENVIRONMENTS = ['app', 'web'] as const

/** Placeholders in braces in attribution rows and tags (campaigns.md §9). */
export const ATTRIBUTION_TAGS = [
  'CLICK_ID',
  'CAMPAIGN_NAME',
  'CID',
  'SID',
  'CRID',
  'CREATIVE_TYPE',
  'CREATIVE_SIZE',
  'ANONYMOUS_ID',
] as const

/** Codes stored as numbers, and their names. The names are keys of the screen texts. */
export const DEVICE_TYPES = { 1: 'all', 3: 'ios', 4: 'android' } as const
export const GENDERS = { 1: 'all', 2: 'male', 3: 'female' } as const
export const SIMILARITIES = { 0: 'exact', 1: 'close', 2: 'wide', 3: 'widest' } as const
export const BUDGET_TYPES = { 1: 'total', 2: 'daily' } as const
/** Labels of `campaign_type_key` (campaigns.md §9); the form always sends 1. */
export const CAMPAIGN_FORMATS = { 1: 'banner', 2: 'full_screen', 3: 'catfish', 4: 'interactive', 5: 'in_page_video' } as const

/** Codes of such a table in ascending order. */
export const codesOf = (table: Readonly<Record<number, string>>): readonly number[] => Object.keys(table).map(Number)
