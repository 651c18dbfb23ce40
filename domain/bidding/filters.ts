import { unreachable } from '#domain/kit/decision'
import { parseIpRange } from '../kit/ip-range.ts'

/**
 * Filters of bidding rules, with their operators and values (campaigns.md §3, "Traffic targeting entry"; decisions G-153, G-155,
 * G-159, G-160): the form offers exactly these, and the server accepts no others.
 */
export type FilterKind = 'text' | 'choice' | 'flag' | 'integer' | 'decimal' | 'ip'
export type Operator = 'is' | 'is_not' | 'in_ip_range' | 'not_in_ip_range' | 'is_more_than' | 'is_less_than'
export type Choice = { readonly value: string | number; readonly label: string }
export type Filter = {
  readonly kind: FilterKind
  readonly operators: readonly Operator[]
  /** For choice filters: the options. Labels are names of products and standards, the same in every language. */
  readonly choices?: readonly Choice[]
}

/** Accepted on stored rules for `is`, but never offered (decisions G-153). */
export const SYNONYMS: Readonly<Record<string, Operator>> = { equal: 'is' }

const EITHER = ['is', 'is_not'] as const
const IS = ['is'] as const
const COMPARED = ['is', 'is_more_than', 'is_less_than'] as const

const words = (...values: readonly string[]): readonly Choice[] => values.map((value) => ({ value, label: value }))
const numbered = (...labels: readonly string[]): readonly Choice[] => labels.map((label, value) => ({ value, label }))
const choice = (choices: readonly Choice[]): Filter => ({ kind: 'choice', operators: EITHER, choices })
const count: Filter = { kind: 'integer', operators: COMPARED }

const DISPLAY_MANAGERS = [
  'AdColony',
  'AdMob',
  'Amazon Publisher Services',
  'AppLovin MAX',
  'BidMachine',
  'Chartboost',
  'Criteo',
  'Digital Turbine FairBid',
  'Facebook Audience Network',
  'Google Ad Manager',
  'Google IMA',
  'HyprMX',
  'InMobi',
  'ironSource',
  'Liftoff',
  'Mintegral',
  'MobileFuse',
  'MoPub',
  'Nimbus',
  'Ogury',
  'Pangle',
  'Prebid Mobile',
  'PubMatic OpenWrap',
  'Smaato',
  'StartApp',
  'Tapjoy',
  'Unity Ads',
  'Verve HyBid',
  'Vungle',
  'Yandex Mobile Ads',
] as const

export const WINDOWS = ['1d', '7d', '30d', 'total'] as const

export const FILTERS = {
  app: { kind: 'text', operators: EITHER },
  site: { kind: 'text', operators: EITHER },
  creative_format: choice(words('banner', 'native', 'video')),
  creative_size: choice(words('970x90', '728x90', '320x50', '300x250', '300x100', '250x250', '300x600', '160x600', '240x400')),
  position: choice(
    numbered('Unknown', 'Above the Fold', 'DEPRECATED', 'Below the Fold', 'Header', 'Footer', 'Sidebar', 'Full Screen'),
  ),
  interstitial: { kind: 'flag', operators: IS },
  rewarded: { kind: 'flag', operators: IS },
  environment: choice(words('Web', 'App')),
  os: choice(words('Android', 'iOS', 'Windows', 'macOS')),
  content_language: { kind: 'text', operators: IS },
  device_make: { kind: 'text', operators: IS },
  device_model: { kind: 'text', operators: IS },
  device_connection: choice(numbered('Unknown', 'Ethernet', 'WIFI', 'Cellular unknown generation', '2G', '3G', '4G')),
  device_ip: { kind: 'ip', operators: ['in_ip_range', 'not_in_ip_range'] },
  ad_exchange: choice([
    { value: 'google', label: 'Google' },
    { value: 'verve', label: 'Verve' },
    { value: 'taboola', label: 'Taboola' },
    { value: 'yandex', label: 'Yandex' },
    { value: '3rdpresence', label: '3rdpresence' },
  ]),
  display_manager: choice(words(...DISPLAY_MANAGERS)),
  ...counts('visits'),
  ...counts('impressions'),
  ...counts('clicks'),
  bid_floor: { kind: 'decimal', operators: COMPARED },
} as const satisfies Readonly<Record<string, Filter>>
export type FilterKey = keyof typeof FILTERS

function counts<Name extends string>(name: Name) {
  const keyed = WINDOWS.map((window) => [`${name}_${window}`, count] as const)
  return Object.fromEntries(keyed) as Readonly<Record<`${Name}_${(typeof WINDOWS)[number]}`, Filter>>
}

export const filterOf = (field: string): Filter | null => (Object.hasOwn(FILTERS, field) ? FILTERS[field as FilterKey] : null)

/** The operator of a stored rule; null for an unknown one. */
export function operatorOf(operator: string): Operator | null {
  if (Object.hasOwn(SYNONYMS, operator)) return SYNONYMS[operator] ?? null
  return OPERATORS.find((known) => known === operator) ?? null
}
export const OPERATORS: readonly Operator[] = ['is', 'is_not', 'in_ip_range', 'not_in_ip_range', 'is_more_than', 'is_less_than']

/** Whether a rule may hold this value. */
export function fits({ kind, choices }: Filter, value: string | number | boolean): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value.trim() !== '' && value.length <= 1000
    case 'choice':
      return choices?.some((one) => one.value === value) === true
    case 'flag':
      return typeof value === 'boolean'
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    case 'decimal':
      return typeof value === 'number' && Number.isFinite(value) && value >= 0
    case 'ip':
      return typeof value === 'string' && parseIpRange(value) !== null
    default:
      return unreachable(kind, false)
  }
}
