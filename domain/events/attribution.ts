import { partsOf } from '#domain/kit/addresses'
import { nameKey } from '#domain/kit/text'
import { creativeIdsOf } from '../campaign/content/creatives.ts'
import { servedContent } from '../campaign/review/served-content.ts'
import type { CampaignState } from '../campaign/state.ts'
import type { TrackedEvent } from './tracked-event.ts'

/**
 * Which campaign brought the visitor. A bidder replaces the tags of the campaign's `attribution_tags` in the click address, so the
 * address that an event reports identifies the campaign by `{CID}` or `{CAMPAIGN_NAME}`.
 */

/** Facts in the tags of an address about the click; texts are empty where no tag says it. */
export type Click = { readonly creativeId: string; readonly size: string; readonly visitor: string }

const DAY_MS = 86_400_000
/** A campaign brings visitors for so many days after it served. */
export const ATTRIBUTION_DAYS = 30
/** Parameters of an address that are read. */
const MOST_PARAMETERS = 50
const LONGEST_VALUE = 300

/** Facts that attribution needs about an approved campaign: a call may name many, and their states are large. */
export type TaggedCampaign = {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly template: string | null
  /** Tags by the parameter that carries them, e.g. `utm_campaign` → `CAMPAIGN_NAME`. */
  readonly tags: ReadonlyMap<string, string>
  readonly creativeIds: ReadonlySet<string>
  /** Names of the campaign's own conversions, in lower case. */
  readonly actions: readonly string[]
}

/** Null for a campaign that was never approved. */
export function taggedCampaign(state: CampaignState): TaggedCampaign | null {
  const content = servedContent(state)
  if (content === null) return null
  const of = state.head.bidding_strategy
  const actions = [of.website_promotion.custom_action_name, of.app_promotion.custom_action_name]
  return {
    id: state.id,
    name: content.name,
    country: state.head.country ?? '',
    template: state.head.attribution_tags,
    tags: tagsOf(content.attribution_tags),
    creativeIds: new Set(creativeIdsOf(content)),
    actions: actions.flatMap((action) => (action === null ? [] : [action.toLowerCase()])),
  }
}

/** An event with what its address says, which is parsed once. */
export type ParsedEvent = {
  readonly id: string | null
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

export const parsedEvent = ({ campaign_id: id, url }: Pick<TrackedEvent, 'campaign_id' | 'url'>): ParsedEvent => ({
  id,
  parameters: parametersOf(url),
})

/** Values that can be stored: an address may hold `%00`. */
function parametersOf(url: string | null): readonly (readonly [name: string, value: string])[] {
  if (url === null || !URL.canParse(url)) return []
  return [...new URL(url).searchParams]
    .slice(0, MOST_PARAMETERS)
    .filter(([, value]) => value !== '' && value.length <= LONGEST_VALUE && !value.includes('\0'))
}

/** Values of an event that may identify a campaign, by id or by name. */
export const campaignHints = ({ id, parameters }: ParsedEvent): readonly string[] =>
  id !== null ? [id] : [...new Set(parameters.map(([, value]) => value))]

/** Finds the campaigns that an event may name, in their order: one call may hold 500 events and name hundreds of campaigns. */
export function campaignsByHint<T extends { readonly campaign: TaggedCampaign }>(
  campaigns: readonly T[],
): (event: ParsedEvent) => readonly T[] {
  const places = new Map<string, number[]>()
  for (const [place, { campaign }] of campaigns.entries())
    for (const key of new Set([campaign.id, nameKey(campaign.name)])) places.set(key, [...(places.get(key) ?? []), place])
  return (event) => {
    const named = campaignHints(event).flatMap((hint) => [...(places.get(hint) ?? []), ...(places.get(nameKey(hint)) ?? [])])
    return [...new Set(named)].toSorted((a, b) => a - b).flatMap((place) => campaigns[place] ?? [])
  }
}

function tagsOf(template: string | null): ReadonlyMap<string, string> {
  const text = template ?? ''
  const query = /^https?:/i.test(text) ? (partsOf(text).query ?? '') : text.replace(/^[?&]/, '').replace(/#.*/, '')
  return new Map(
    [...new URLSearchParams(query)].flatMap(([name, value]) => (/^\{[A-Z_]+\}$/.test(value) ? [[name, value.slice(1, -1)]] : [])),
  )
}

/** Click that the address describes, if it identifies this campaign; null otherwise. */
export function clickOf(campaign: TaggedCampaign, { id, parameters }: ParsedEvent): Click | null {
  const values = new Map<string, string>()
  for (const [name, value] of parameters) {
    const tag = campaign.tags.get(name)
    if (tag !== undefined && !values.has(tag)) values.set(tag, value)
  }
  return identifies(campaign, id, values) ? click(campaign, values) : null
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

function identifies(campaign: TaggedCampaign, id: string | null, values: ReadonlyMap<string, string>): boolean {
  const named = id ?? values.get('CID')
  if (named !== undefined) return named === campaign.id
  const nameInAddress = values.get('CAMPAIGN_NAME')
  return nameInAddress !== undefined && nameKey(nameInAddress) === nameKey(campaign.name)
}

function click({ creativeIds }: TaggedCampaign, values: ReadonlyMap<string, string>): Click {
  const creativeId = values.get('CRID') ?? ''
  const size = values.get('CREATIVE_SIZE') ?? ''
  return {
    creativeId: creativeIds.has(creativeId) ? creativeId : '',
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
  { actions }: Pick<TaggedCampaign, 'actions'>,
): boolean {
  if (conversion !== null) return conversion
  const lower = name.toLowerCase()
  return CONVERSION_NAMES.includes(lower) || actions.includes(lower)
}
