import { FILTERS, OPERATORS } from '#domain/bidding/filters'
import { CONTENT_FIELDS, RULE_DEPTH } from '#domain/campaign/content/content'
import { ADMINISTRATION } from '#domain/campaign/content/fields/administration'
import { AUDIO_AD, BANNER, CREATIVES, DYNAMIC_AD, NATIVE_AD, VIDEO_AD } from '#domain/campaign/content/fields/creatives'
import { inputsOf, optionalOutputsOf, outputsOf } from './fields.ts'
import { among, documentedAs, fieldValue, named } from './http.ts'
import { statusKey } from './sets.ts'
import { z } from './zod.ts'

/** The campaign on the wire (campaigns.md §3): schemas from the tables of its fields, and the parts outside those tables. */

const text = z.string().check(z.maxLength(5000))

const rule = z.object({
  field: among(text, Object.keys(FILTERS)),
  operator: among(text, OPERATORS).check(z.describe('As the field allows')),
  value: z.union([text, z.number(), z.boolean()]),
})
type Rule = z.infer<typeof rule>
type RuleGroup = { condition: 'and' | 'or'; rules: (Rule | RuleGroup)[] }

/**
 * The allowed nesting of groups plus one level, which the save refuses by path; deeper levels are not read. A finite schema can
 * be compiled, a recursive one cannot, and bidding is most of a large save.
 */
function groupOf(levels: number): z.ZodMiniType<RuleGroup, unknown> {
  const within: z.ZodMiniType<RuleGroup['rules'], unknown> =
    levels === 0
      ? z.pipe(
          z.array(z.unknown()),
          z.transform(() => []),
        )
      : z.array(z.union([rule, groupOf(levels - 1)])).check(z.maxLength(200))
  const group = z.object({ condition: z.enum(['and', 'or']), rules: within })
  return levels === RULE_DEPTH ? named('RuleGroup', group) : documentedAs('RuleGroup', group)
}
export const ruleGroup = groupOf(RULE_DEPTH)
export const trafficEntry = named('BiddingEntry', z.object({ id: z.int(), name: text, multiplier: z.number(), rules: ruleGroup }))
/** Entries of advanced bidding as they are sent: JSON text, or the list itself (decisions G-157). */
export const sentTraffic = z.nullish(
  z.union([z.string().check(z.maxLength(1_000_000)), z.array(trafficEntry).check(z.maxLength(1000))]),
)

const { timezone_offset_seconds: _zone, has_whitelist: _listed, placard_tag_date: _stamped, ...sentFields } = CONTENT_FIELDS

/** Fields that a save may carry. Absent keeps, null clears (decisions G-242); read-only and unknown keys are ignored. */
export const campaignInput = named(
  'CampaignInput',
  z.object({
    id: z.nullish(z.union([z.string(), z.number()])),
    space_id: z.nullish(z.string()),
    replicated_from: z.nullish(z.string()),
    revision: z.nullish(z.int().check(z.nonnegative())),
    ...inputsOf(sentFields),
    traffic_targeting: sentTraffic,
  }),
)
export type CampaignInput = z.infer<typeof campaignInput>

const compliance = z.object({
  status: z.enum(['approved', 'disapproved', 'pending']),
  topics: z.array(z.object({ policyTopic: z.string() })),
})
export const servingDecision = named(
  'ServingDecision',
  z.object({
    dealsPolicyCompliance: compliance,
    networkPolicyCompliance: compliance,
    platformPolicyCompliance: compliance,
  }),
)

export const statusReason = named(
  'StatusReason',
  z.object({
    key: z.string(),
    status_key: statusKey,
    since: z.string(),
    revision: z.number(),
    cause: z.string(),
    actor: z.string(),
    remedy: z.nullable(z.string()),
  }),
)

const served = {
  creativeServingDecision: z.nullable(servingDecision),
  exchange_decisions: z.optional(z.record(z.string(), servingDecision)),
  content_version: z.optional(z.nullable(z.number())),
}
const nullableText = z.nullable(z.string())
const { native_ad_enabled, dynamic_ad_enabled, video_ad_enabled, audio_ad_enabled } = outputsOf(CREATIVES)
const { dynamic_ad: _d, native_ad: _n, video_ad: _v, audio_ads: _a, visuals: _b, ...plainFields } = CONTENT_FIELDS

/** The content as returned: every key is present; owner fields are absent for callers who may not see them. */
export const campaignContent = named(
  'CampaignContent',
  z.object({
    ...outputsOf(plainFields),
    scheduling: z.record(z.string(), z.array(z.string())),
    frequency_cap: z.record(z.string(), z.nullable(z.number())),
    native_ad_enabled,
    dynamic_ad_enabled,
    video_ad_enabled,
    audio_ad_enabled,
    dynamic_ad: z.nullable(named('DynamicAd', z.object({ ...outputsOf(DYNAMIC_AD), ...served }))),
    native_ad: z.nullable(named('NativeAd', z.object({ ...outputsOf(NATIVE_AD), ...served }))),
    video_ad: z.nullable(named('VideoAd', z.object({ ...outputsOf(VIDEO_AD), ...served }))),
    audio_ads: z.array(named('AudioAd', z.object({ ...outputsOf(AUDIO_AD), ...served }))),
    visuals: z.object({ banners: z.array(named('Banner', z.object({ ...outputsOf(BANNER), ...served }))) }),
    ...optionalOutputsOf(ADMINISTRATION),
    traffic_targeting: z.optional(z.string()),
  }),
)

/** The content as a commit leaves it: without the decisions of exchanges, which belong to the creatives of every version. */
export const campaignState = named(
  'CampaignState',
  z.extend(campaignContent, {
    dynamic_ad: z.nullable(z.object(outputsOf(DYNAMIC_AD))),
    native_ad: z.nullable(z.object(outputsOf(NATIVE_AD))),
    video_ad: z.nullable(z.object(outputsOf(VIDEO_AD))),
    audio_ads: z.array(z.object(outputsOf(AUDIO_AD))),
    visuals: z.object({ banners: z.array(z.object(outputsOf(BANNER))) }),
  }),
)

/** A campaign as every read returns it. */
export const campaign = named(
  'Campaign',
  z.extend(campaignContent, {
    id: z.string(),
    space_id: z.string(),
    status_key: statusKey,
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
    /** Changes of the head beyond the approved version; empty before the first approval. */
    unapproved_changes: z.array(z.object({ path: z.string(), from: fieldValue, to: fieldValue })),
    intent: z.boolean(),
    last_run_at: nullableText,
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.null(),
    budget_spent: z.number(),
    daily_budget_spent: z.number(),
    /** Null while the store of delivered facts is away. */
    impressions: z.nullable(z.number()),
    clicks: z.nullable(z.number()),
  }),
)
export type Campaign = z.infer<typeof campaign>
