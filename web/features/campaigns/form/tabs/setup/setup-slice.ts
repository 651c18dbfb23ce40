import { z } from '#contract/zod'
import type { Campaign } from '#contract/campaign-body'
import { ATTRIBUTION_TEMPLATE, isGenerated, MOST_ATTRIBUTION_ROWS } from '#domain/campaign/content/attribution'
import { APP_PROMOTION, BASIC_INFO, WEBSITE_PROMOTION } from '#domain/campaign/content/fields/basic-info'
import { record } from '#domain/kit/fields'
import { readDecimal } from '@/i18n/decimal'
import { amount } from '@/features/campaigns/form/amount'
import { headOf, under } from '@/features/campaigns/form/creatives/wire-values'
import { fieldMapping, shownText } from '@/features/campaigns/form/slices/field-mapping'
import { pathsUnder } from '@/features/campaigns/form/slices/record-slice'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'
import { namedTags } from './tag-rows.ts'

export const MOST_SECONDARY_EVENTS = 4

const text = z.string().check(z.maxLength(5000, 'long'))

/** The advertiser's own bid, used instead of the platform's (decisions G-031). */
const ownBid = amount('form:errors.bid')

/** Beside the plain fields of the tab, which the form schema has. */
const plain = fieldMapping(record(BASIC_INFO), {
  names: { manual_cpx: 'manual', user_cpx: 'bid', attribution_tags: 'tags' },
  own: {
    /** Validated only while in use, or a disabled bid would block every save. */
    user_cpx: { schema: z.string(), show: shownText, send: readDecimal },
    attribution: {
      schema: z.array(z.object({ name: text, value: text })).check(z.maxLength(MOST_ATTRIBUTION_ROWS)),
      send: (rows: readonly { readonly name: string; readonly value: string }[]) =>
        rows.filter(({ name, value }) => name.trim() !== '' || value.trim() !== ''),
    },
    /** The template while the tags follow the landing page. */
    attribution_tags: { schema: text },
  },
  without: [
    'name',
    'country',
    'timezone_offset_seconds',
    'product_url',
    'budget',
    'budget_type_key',
    'campaign_type_key',
    'campaign_start_at',
    'campaign_end_at',
    'cpm',
    'bidding_strategy',
  ],
})

const site = fieldMapping(WEBSITE_PROMOTION, {
  own: {
    url_type: {
      schema: z.enum(['conversion', 'parameter']),
      show: (stored: string) => (stored === 'parameter' ? 'parameter' : 'conversion'),
    },
    optionCondition: {
      schema: z.enum(['contains', 'does_not_contain']),
      show: (stored: string) => (stored === 'does_not_contain' ? 'does_not_contain' : 'contains'),
    },
    secondary_events: {
      schema: z.array(z.object({ value: text })).check(z.maxLength(MOST_SECONDARY_EVENTS)),
      show: (stored: readonly string[]) => stored.map((value) => ({ value })),
      send: (rows: readonly { readonly value: string }[]) =>
        rows.map(({ value }) => value.trim()).filter((value) => value !== ''),
    },
  },
  without: ['conversion_url', 'custom_action_name'],
})

const app = fieldMapping(APP_PROMOTION, {
  without: ['app_name', 'bundle_id', 'mmp', 'app_platform_type', 'click_url', 'custom_action_name', 'metadata'],
})

const schema = z.object({ ...plain.shape, ...site.shape, ...app.shape }).check(
  z.superRefine(({ manual, bid }, context) => {
    if (!manual) return
    const wrong = bid.trim() === '' ? 'form:errors.bid' : ownBid.safeParse(bid).error?.issues[0]?.message
    if (wrong !== undefined) context.addIssue({ code: 'custom', path: ['bid'], message: wrong })
  }),
)
export type SetupValues = z.infer<typeof schema>

/** Switching the own bid off empties it; one that was stored while it was off stays. */
const unusedBid = (campaign: Campaign | null) => (campaign === null || campaign.manual_cpx ? null : campaign.user_cpx)

/** Returns custom tags, as opposed to tags generated from the landing page. */
const ownTags = (tags: string | null, url: string | null) =>
  tags === null || tags === '' || isGenerated(tags, url) ? null : tags

const SITE = 'bidding_strategy.website_promotion'
const APP = 'bidding_strategy.app_promotion'

/** The bid, conversions and attribution tags of the setup tab, beside its plain fields. */
export const setupSlice: FormSlice<SetupValues> = {
  schema,
  paths: new Map([...plain.names, ...pathsUnder(SITE, site), ...pathsUnder(APP, app)]),
  empty: () => ({ ...plain.show(null), ...site.show(null), ...app.show(null), tags: ATTRIBUTION_TEMPLATE }),
  fromCampaign: (campaign) => ({
    ...plain.show(campaign),
    ...site.show(campaign.bidding_strategy.website_promotion),
    ...app.show(campaign.bidding_strategy.app_promotion),
    tags: ownTags(campaign.attribution_tags, campaign.product_url) ?? ATTRIBUTION_TEMPLATE,
  }),
  toInput: (values, campaign) => ({
    ...plain.send(values, campaign),
    ...(values.manual ? {} : { user_cpx: unusedBid(campaign) }),
    // The server generates the tags when this is null.
    attribution_tags: tagsOf(values.tags, campaign),
  }),
  fieldOf: (path) => {
    const [ofSite, ofApp] = [under(path, SITE), under(path, APP)]
    const [{ names }, key] = ofSite !== null ? [site, ofSite] : ofApp !== null ? [app, ofApp] : [plain, path]
    return names.get(headOf(key)) ?? null
  },
}

const tagsOf = (tags: string, campaign: Campaign | null) => {
  const own = campaign === null ? null : ownTags(campaign.attribution_tags, campaign.product_url)
  return tags === own ? own : tags === ATTRIBUTION_TEMPLATE ? null : namedTags(tags).trim() || null
}

/** Returns the part of the strategy that this slice edits. */
export const strategyOf = (values: SetupValues, campaign: Campaign | null) => ({
  website: site.send(values, campaign?.bidding_strategy.website_promotion ?? null),
  app: app.send(values, campaign?.bidding_strategy.app_promotion ?? null),
})
