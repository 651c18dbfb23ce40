import { z } from '#contract/zod'
import type { Campaign, CampaignInput } from '#contract/campaign-body'
import { ATTRIBUTION_TEMPLATE, generatedTags, MOST_ATTRIBUTION_ROWS } from '#domain/campaign/content/attribution'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import { readDecimal } from '@/i18n/decimal'
import { amount } from '@/features/campaigns/form/amount'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'
import { fieldByPath } from '@/features/campaigns/form/slices/wire-paths'
import { namedTags } from './tag-rows.ts'

export const MOST_SECONDARY_EVENTS = 4

const text = z.string().check(z.maxLength(5000, 'long'))

const ownBid = amount('form:errors.bid')

const schema = z
  .object({
    /** Use the advertiser's own bid instead of the platform's (decisions G-031). */
    manual: z.boolean(),
    /** Validated only while in use, or a disabled bid would block every save. */
    bid: z.string(),
    urlType: z.enum(['conversion', 'parameter']),
    optionDomain: text,
    optionCondition: z.enum(['contains', 'does_not_contain']),
    optionValue: text,
    secondaryEvents: z.array(z.object({ value: text })).check(z.maxLength(MOST_SECONDARY_EVENTS)),
    trackingUrl: text,
    attribution: z.array(z.object({ name: text, value: text })).check(z.maxLength(MOST_ATTRIBUTION_ROWS)),
    /** The template while the tags follow the landing page. */
    tags: text,
  })
  .check(
    z.superRefine(({ manual, bid }, context) => {
      if (!manual) return
      const wrong = bid.trim() === '' ? 'form:errors.bid' : ownBid.safeParse(bid).error?.issues[0]?.message
      if (wrong !== undefined) context.addIssue({ code: 'custom', path: ['bid'], message: wrong })
    }),
  )
export type SetupValues = z.infer<typeof schema>

type Wire = {
  readonly manual_cpx: boolean
  readonly user_cpx: number | null
  readonly attribution: readonly { readonly name: string; readonly value: string }[]
  readonly attribution_tags: string | null
  readonly product_url: string | null
  readonly bidding_strategy: {
    readonly website_promotion: {
      readonly url_type: string
      readonly optionDomain: string | null
      readonly optionCondition: string
      readonly optionValue: string | null
      readonly secondary_events: readonly string[]
    }
    readonly app_promotion: { readonly tracking_url: string | null }
  }
}

const filled = (typed: string) => (typed.trim() === '' ? null : typed.trim())
/** Unchanged text is sent back with all its spaces. */
const back = (typed: string, stored: string | null | undefined) => (typed === (stored ?? '') ? (stored ?? null) : filled(typed))

/** Returns custom tags, as opposed to tags generated from the landing page. */
const ownTags = (tags: string | null, url: string | null) =>
  tags === null || tags === '' || tags === generatedTags(url) ? null : tags

function fromWire(wire: Wire): SetupValues {
  const { website_promotion: site, app_promotion: app } = wire.bidding_strategy
  return {
    manual: wire.manual_cpx,
    bid: wire.user_cpx === null ? '' : String(wire.user_cpx),
    urlType: site.url_type === 'parameter' ? 'parameter' : 'conversion',
    optionDomain: site.optionDomain ?? '',
    optionCondition: site.optionCondition === 'does_not_contain' ? 'does_not_contain' : 'contains',
    optionValue: site.optionValue ?? '',
    secondaryEvents: site.secondary_events.map((value) => ({ value })),
    trackingUrl: app.tracking_url ?? '',
    attribution: wire.attribution.map(({ name, value }) => ({ name, value })),
    tags: ownTags(wire.attribution_tags, wire.product_url) ?? ATTRIBUTION_TEMPLATE,
  }
}

const SITE = 'bidding_strategy.website_promotion'
const FIELDS: Readonly<Record<string, string>> = {
  manual_cpx: 'manual',
  user_cpx: 'bid',
  attribution: 'attribution',
  attribution_tags: 'tags',
  [`${SITE}.url_type`]: 'urlType',
  [`${SITE}.optionDomain`]: 'optionDomain',
  [`${SITE}.optionCondition`]: 'optionCondition',
  [`${SITE}.optionValue`]: 'optionValue',
  [`${SITE}.secondary_events`]: 'secondaryEvents',
  'bidding_strategy.app_promotion.tracking_url': 'trackingUrl',
}

/** The bid, conversions and attribution tags of the setup tab, beside its plain fields. */
export const setupSlice: FormSlice<SetupValues> = {
  schema,
  empty: () => fromWire(DEFAULT_CONTENT),
  fromCampaign: fromWire,
  toInput: (values, campaign): Partial<CampaignInput> => ({
    manual_cpx: values.manual,
    user_cpx: values.manual ? readDecimal(values.bid) : null,
    attribution: values.attribution.filter(({ name, value }) => name.trim() !== '' || value.trim() !== ''),
    // The server generates the tags when this is null.
    attribution_tags: tagsOf(values.tags, campaign),
  }),
  fieldOf: (path) => fieldByPath(path, FIELDS),
}

const tagsOf = (tags: string, campaign: Campaign | null) => {
  const own = campaign === null ? null : ownTags(campaign.attribution_tags, campaign.product_url)
  return tags === own ? own : tags === ATTRIBUTION_TEMPLATE ? null : filled(namedTags(tags))
}

/** Returns the part of the strategy that this slice edits. */
export function strategyOf(values: SetupValues, campaign: Campaign | null) {
  const site = campaign?.bidding_strategy.website_promotion
  return {
    website: {
      url_type: values.urlType,
      optionDomain: back(values.optionDomain, site?.optionDomain),
      optionCondition: values.optionCondition,
      optionValue: back(values.optionValue, site?.optionValue),
      secondary_events: values.secondaryEvents.map(({ value }) => value.trim()).filter((value) => value !== ''),
    },
    app: { tracking_url: back(values.trackingUrl, campaign?.bidding_strategy.app_promotion.tracking_url) },
  }
}
