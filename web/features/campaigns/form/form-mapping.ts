import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import { GOALS_BY_TYPE, sizeKeyOf, type CampaignType } from '#domain/campaign/content/options'
import { localDay } from '#domain/campaign/content/dates'
import type { Campaign, CampaignInput } from '#contract/campaign-body'
import { readDecimal } from '@/i18n/decimal'
import type { BannerValue, CampaignFormValues } from './form-schema.ts'
import { strategyOf as setupOf } from './tabs/setup/setup-slice.ts'
import { withoutDecisions } from './slices/record-slice.ts'
import { emptySlices, slicesFrom, slicesInput } from './slices/slices.ts'

/** Maps between wire and form. Pure, and lossless for keys that the form does not show (a save keeps absent keys). */

const dayOf = (instant: string | null, offset: number | null) => (instant === null ? '' : localDay(instant, offset ?? 0))
const filled = (text: string) => (text.trim() === '' ? null : text.trim())

export function emptyForm(type: CampaignType): CampaignFormValues {
  return {
    name: DEFAULT_CONTENT.name,
    country: '',
    startDate: '',
    endDate: '',
    budget: '',
    productUrl: '',
    goal: GOALS_BY_TYPE[type][0],
    goalFields: { conversionUrl: '', customActionName: '', appName: '', appPlatform: '', bundleId: '', mmp: '' },
    banners: [],
    ...emptySlices(type),
  }
}

/** Initial values for a copy: everything except the start date, a past end date and the exchange decisions (campaigns.md §3). */
export function copyForm(source: Campaign, name: string, now: Date): CampaignFormValues {
  const ends = source.campaign_end_at !== null && Date.parse(source.campaign_end_at) > now.getTime()
  const form = toForm({ ...source, name, campaign_start_at: null, campaign_end_at: ends ? source.campaign_end_at : null })
  return { ...form, banners: form.banners.map((banner) => ({ ...banner, id: null, decision: null })) }
}

type WireBanner = Campaign['visuals']['banners'][number]

export function toForm(campaign: Campaign): CampaignFormValues {
  const { website_promotion: website, app_promotion: app, goal } = campaign.bidding_strategy
  return {
    name: campaign.name,
    country: campaign.country ?? '',
    startDate: dayOf(campaign.campaign_start_at, campaign.timezone_offset_seconds),
    endDate: dayOf(campaign.campaign_end_at, campaign.timezone_offset_seconds),
    budget: campaign.budget === null ? '' : String(campaign.budget),
    productUrl: campaign.product_url ?? '',
    goal: goal ?? '',
    goalFields: {
      conversionUrl: website.conversion_url ?? '',
      customActionName: (goal === 'APP_CUSTOM_EVENT' ? app.custom_action_name : website.custom_action_name) ?? '',
      appName: app.app_name ?? '',
      appPlatform: app.app_platform_type ?? '',
      bundleId: app.bundle_id ?? '',
      mmp: app.mmp ?? '',
    },
    banners: campaign.visuals.banners.map(toBanner),
    ...slicesFrom(campaign),
  }
}

const toBanner = (banner: WireBanner): BannerValue => ({
  id: banner.id,
  width: banner.width,
  height: banner.height,
  fileId: banner.file_id,
  url: banner.url,
  creativeName: banner.creative_name ?? '',
})

/** `base` is the campaign being edited, or the objective of a new one. */
export function toPayload(values: CampaignFormValues, base: Campaign | CampaignType): CampaignInput {
  const campaign = typeof base === 'string' ? null : base
  const productUrl = filled(values.productUrl)
  return {
    ...(campaign === null ? {} : { id: campaign.id, revision: campaign.revision }),
    name: values.name.trim(),
    // The country is sent only when it is new: it can be set once.
    ...(campaign === null || campaign.country === null ? { country: filled(values.country) } : {}),
    product_url: productUrl,
    budget: readDecimal(values.budget),
    ...(campaign === null ? { budget_type_key: 2, campaign_type_key: 1 } : {}),
    campaign_start_at: dateOf(values.startDate, campaign, 'campaign_start_at'),
    campaign_end_at: dateOf(values.endDate, campaign, 'campaign_end_at'),
    bidding_strategy: strategyOf(values, campaign, typeof base === 'string' ? base : base.bidding_strategy.type, productUrl),
    visuals: { ...campaign?.visuals, banners: values.banners.map((banner) => fromBanner(banner, campaign)) },
    ...slicesInput(values, campaign),
  }
}

/** An unchanged day is sent back as its stored instant, or the save would move it within the day. */
function dateOf(day: string, campaign: Campaign | null, key: 'campaign_start_at' | 'campaign_end_at'): string | null {
  const known = campaign?.[key] ?? null
  return known !== null && day === dayOf(known, campaign?.timezone_offset_seconds ?? null) ? known : filled(day)
}

/** The screen shows one address. A separate click address, set elsewhere, is kept. */
export function clickUrlOf(campaign: Campaign | null, productUrl: string | null): string | null {
  const known = campaign?.bidding_strategy.click_url ?? null
  return known === null || known === campaign?.product_url ? productUrl : known
}

function strategyOf(values: CampaignFormValues, campaign: Campaign | null, type: string | null, productUrl: string | null) {
  const known = campaign?.bidding_strategy ?? DEFAULT_CONTENT.bidding_strategy
  const { website_promotion: website, app_promotion: app } = known
  const fields = values.goalFields
  const action = filled(fields.customActionName)
  const setup = setupOf(values.setup, campaign)
  return {
    ...known,
    type,
    goal: filled(values.goal),
    click_url: clickUrlOf(campaign, productUrl),
    website_promotion: {
      ...website,
      ...setup.website,
      conversion_url: filled(fields.conversionUrl),
      custom_action_name: values.goal === 'WEBSITE_CUSTOM_EVENT' ? action : website.custom_action_name,
    },
    app_promotion: {
      ...app,
      ...setup.app,
      app_name: filled(fields.appName),
      app_platform_type: filled(fields.appPlatform),
      bundle_id: filled(fields.bundleId),
      mmp: filled(fields.mmp),
      custom_action_name: values.goal === 'APP_CUSTOM_EVENT' ? action : app.custom_action_name,
    },
  }
}

/** Parts of a stored banner that the form does not show are sent back. */
const fromBanner = (banner: BannerValue, campaign: Campaign | null) => ({
  ...withoutDecisions(campaign?.visuals.banners.find(({ id }) => id === banner.id) ?? null),
  ...(banner.id === null ? {} : { id: banner.id }),
  width: banner.width,
  height: banner.height,
  file_id: banner.fileId,
  url: banner.url,
  creative_name: banner.creativeName,
  type_key: 1,
  size_key: sizeKeyOf(banner.width, banner.height),
})
