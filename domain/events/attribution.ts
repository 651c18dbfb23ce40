import type { CampaignContent } from '../campaign/content/content.ts'
import { creativeIdsOf } from '../campaign/content/creatives.ts'
import { servedContent } from '../campaign/review/served-content.ts'
import type { CampaignState } from '../campaign/state.ts'
import type { TrackedEvent } from './tracked-event.ts'

/**
 * Which campaign brought the visitor. A bidder replaces the tags of the campaign's `attribution_tags` in the click address, so the
 * address that an event reports identifies the campaign by `{CID}` or `{CAMPAIGN_NAME}`.
 */

/** What the tags in an address say about the click; texts are empty where no tag says it. */
export type Click = { readonly creativeId: string; readonly size: string; readonly visitor: string }

const DAY_MS = 86_400_000
/** A campaign brings visitors for so many days after it served. */
export const ATTRIBUTION_DAYS = 30
/** Parameters of an address that are read. */
const MOST_PARAMETERS = 50
const LONGEST_VALUE = 300

const sameName = (a: string, b: string): boolean =>
  a.normalize('NFC').trim().toLowerCase() === b.normalize('NFC').trim().toLowerCase()

function parametersOf(url: string | null): readonly (readonly [name: string, value: string])[] {
  if (url === null || !URL.canParse(url)) return []
  return [...new URL(url).searchParams]
    .slice(0, MOST_PARAMETERS)
    .filter(([, value]) => value !== '' && value.length <= LONGEST_VALUE)
}

/** Values of an event that may identify a campaign, by id or by name. */
export function campaignHints({ campaign_id: id, url }: Pick<TrackedEvent, 'campaign_id' | 'url'>): readonly string[] {
  return id !== null ? [id] : [...new Set(parametersOf(url).map(([, value]) => value))]
}

/** Tags by the parameter that carries them, e.g. `utm_campaign` → `CAMPAIGN_NAME`. */
function tagsOf(template: string | null): ReadonlyMap<string, string> {
  const query = (template ?? '').replace(/^https?:[^?]*/i, '').replace(/^[?&]/, '')
  return new Map(
    [...new URLSearchParams(query)].flatMap(([name, value]) => (/^\{[A-Z_]+\}$/.test(value) ? [[name, value.slice(1, -1)]] : [])),
  )
}

/** What the address says about the click, if it identifies this campaign; null otherwise, and for a campaign that never served. */
export function clickOf(state: CampaignState, { campaign_id: id, url }: Pick<TrackedEvent, 'campaign_id' | 'url'>): Click | null {
  const content = servedContent(state)
  if (content === null) return null
  const tags = tagsOf(content.attribution_tags)
  const values = new Map<string, string>()
  for (const [name, value] of parametersOf(url)) {
    const tag = tags.get(name)
    if (tag !== undefined && !values.has(tag)) values.set(tag, value)
  }
  return identifies(state, content.name, id, values) ? click(content, values) : null
}

/**
 * The address with the parameters alone that tell where the visitor came from: `utm_…`, and those of this template. Others may hold
 * anything, such as a session of the visitor.
 */
export function withKnownTags(url: string | null, template: string | null): string | null {
  if (url === null || !URL.canParse(url)) return url
  const parsed = new URL(url)
  const tags = tagsOf(template)
  for (const name of new Set(parsed.searchParams.keys()))
    if (!/^utm_\w+$/i.test(name) && !tags.has(name)) parsed.searchParams.delete(name)
  return parsed.href
}

function identifies(state: CampaignState, name: string, id: string | null, values: ReadonlyMap<string, string>): boolean {
  const named = id ?? values.get('CID')
  if (named !== undefined) return named === state.id
  const nameInAddress = values.get('CAMPAIGN_NAME')
  return nameInAddress !== undefined && sameName(nameInAddress, name)
}

function click(content: CampaignContent, values: ReadonlyMap<string, string>): Click {
  const creativeId = values.get('CRID') ?? ''
  const size = values.get('CREATIVE_SIZE') ?? ''
  return {
    creativeId: creativeIdsOf(content).includes(creativeId) ? creativeId : '',
    size: /^\d{1,4}x\d{1,4}$/.test(size) ? size : '',
    visitor: values.get('ANONYMOUS_ID') ?? '',
  }
}

/** True when the campaign served at some moment of the 30 days before the event. */
export function broughtVisitors(served: readonly { readonly from: string; readonly to: string | null }[], time: string): boolean {
  const earliest = new Date(Date.parse(time) - ATTRIBUTION_DAYS * DAY_MS).toISOString()
  return served.some(({ from, to }) => from <= time && (to === null || to >= earliest))
}

/** Names that are conversions for every campaign. */
export const CONVERSION_NAMES: readonly string[] = ['conversion', 'purchase', 'lead', 'install']

/**
 * True for a conversion: as the sender says, else by its name, which is one of `CONVERSION_NAMES` or the campaign's own custom
 * action. A conversion is a count and never costs anything.
 */
export function isConversion(
  { conversion, name }: Pick<TrackedEvent, 'conversion' | 'name'>,
  { bidding_strategy: of }: CampaignContent,
): boolean {
  if (conversion !== null) return conversion
  const lower = name.toLowerCase()
  const actions = [of.website_promotion.custom_action_name, of.app_promotion.custom_action_name]
  return CONVERSION_NAMES.includes(lower) || actions.some((action) => action !== null && action.toLowerCase() === lower)
}
