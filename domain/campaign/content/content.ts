import { initialOf, type ValuesOf } from '#domain/kit/fields'
import { ADMINISTRATION } from './fields/administration.ts'
import { BASIC_INFO } from './fields/basic-info.ts'
import { CREATIVES } from './fields/creatives.ts'
import { FREQUENCY } from './fields/frequency.ts'
import { PLACEMENT } from './fields/placement.ts'
import { TARGETING } from './fields/targeting.ts'

export { RULE_DEPTH, type Rule, type RuleGroup, type TrafficEntry } from './fields/administration.ts'
export type { AudioAd, Banner, DynamicAd, NativeAd, VideoAd } from './fields/creatives.ts'
export type { Selection } from './fields/targeting.ts'

/**
 * Every field of a campaign (campaigns.md §3) under its key on the wire, by tab and in the order of the form. A new field is one line in the
 * table of its tab: the type, the initial value, the contract's schemas, the form and the change log read it there.
 */
export const CONTENT_FIELDS = {
  ...BASIC_INFO,
  ...TARGETING,
  ...PLACEMENT,
  ...FREQUENCY,
  ...CREATIVES,
  ...ADMINISTRATION,
}

/** The content that advertisers and owners write. Every key is present: a missing value is null. Money is micros. */
export type CampaignContent = ValuesOf<typeof CONTENT_FIELDS>
export type ContentKey = keyof CampaignContent
export type CreativeKind = 'dynamic' | 'native' | 'video' | 'audio' | 'banner'

export const isAudio = (content: CampaignContent): boolean => content.bidding_strategy.goal === 'AUDIO_ADVERTISING'

/** The content of a new campaign (campaigns.md §3, "Form defaults"). */
export const DEFAULT_CONTENT: CampaignContent = initialOf(CONTENT_FIELDS)

/** Owner fields: invisible and read-only for every other role (campaigns.md §3, decisions G-241). */
export const OWNER_KEYS = Object.keys(ADMINISTRATION) as readonly (keyof typeof ADMINISTRATION)[]

/** Money fields: micros inside, numbers on the wire. */
export const MONEY_KEYS = ['budget', 'user_cpx', 'cpm', 'cpx', 'fixed_cpm'] as const satisfies readonly ContentKey[]

// Staff comments are restricted like owner fields, although they are not content.
const ownerKeys: ReadonlySet<string> = new Set([...OWNER_KEYS, 'admin_comment'])

/** True for a path of the change log that only white-label owners may read or write. */
export const isOwnerPath = (path: string): boolean => ownerKeys.has(outermost(path))

const outermost = (path: string): string => (PLAIN.test(path) ? path : (path.split(/[.[]/, 1)[0] ?? ''))
const PLAIN = /^\w*$/
