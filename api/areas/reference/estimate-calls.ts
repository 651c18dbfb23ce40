import type { Selection } from '#domain/campaign/content/content'
import { reached, shareOf } from '#domain/estimates/audience'
import { estimateOf, peopleOnline, type Estimate } from '#domain/estimates/estimate'
import { inventory, sizeShares, type InventoryApp, type InventoryPlace } from '#domain/estimates/inventory'
import { reachedBy } from '#domain/estimates/placement'
import { segmentShare, type SegmentSizes } from '#domain/estimates/segments'
import { audioSpots } from '#domain/estimates/spots'
import type { Actor } from '#domain/kit/access'
import { toMicros } from '#domain/kit/money'
import type { Environment } from '#domain/white-label/hosts'
import { authorize, homeOrChosen, type Caller } from '#api/http/caller'
import type { Place } from '#domain/kit/access'
import type { Accounts } from '#projections/account/account-lookup'
import type { AudienceInput, PlacementInput, PlacesInput } from '#contract/estimates'
import { refused } from '#commands/refused'

export type EstimateDeps = {
  readonly accounts: Pick<Accounts, 'opened'>
  readonly placeOf: (campaignId: string) => Promise<Place | null>
  /** Country of a campaign; null when it has none yet. */
  readonly countryOf: (campaignId: string) => Promise<string | null>
  readonly countryKnown: (country: string) => boolean
  readonly apps: readonly InventoryApp[]
  /** Members of those audiences that this user reaches. */
  readonly segmentSizes: (actor: Actor, ids: readonly string[]) => Promise<SegmentSizes>
  /** People in each city of a country, by id. */
  readonly populations: (country: string) => Promise<ReadonlyMap<string, number>>
}

/** Estimates for incomplete forms: missing values take their defaults. */
export function createEstimateCalls(deps: EstimateDeps) {
  const currencyOf = async ({ actor }: Caller): Promise<string> =>
    (await deps.accounts.opened(homeOrChosen(actor)))?.currency ?? 'USD'

  async function countryFor(caller: Caller, input: { readonly country?: string | null | undefined }, campaignId: string | null) {
    const country = input.country?.trim().toUpperCase() || null
    if (country !== null && !deps.countryKnown(country))
      throw refused(190, [{ path: 'country', code: 190, message: 'Location not found' }])
    if (campaignId === null) return country
    authorize(caller.actor, 'campaign.read', await deps.placeOf(campaignId))
    return country ?? deps.countryOf(campaignId)
  }

  /** The part of a country's urban population that lives in the cities; all of it without a city. */
  async function partIn(country: string | null, cityIds: readonly string[]): Promise<number> {
    if (country === null || cityIds.length === 0) return 1
    const populations = await deps.populations(country)
    const all = [...populations.values()].reduce((sum, people) => sum + people, 0)
    const chosen = [...new Set(cityIds)].reduce((sum, id) => sum + (populations.get(id) ?? 0), 0)
    return all === 0 ? 0 : chosen / all
  }

  /** The part of the people online who are in the chosen audiences. Without any, all of them. */
  async function partOfSegments({ actor }: Caller, input: AudienceInput, country: string | null): Promise<number> {
    const chosen = selectionOf(input.segment_audiences)
    const ids = [...chosen.includeAny, ...chosen.include, ...chosen.exclude]
    if (ids.length === 0) return 1
    const sizes = await deps.segmentSizes(actor, ids)
    return segmentShare(chosen, sizes, { similarity: input.similarity ?? 1, online: peopleOnline(country) })
  }

  return {
    async audienceSize(caller: Caller, input: AudienceInput): Promise<Estimate> {
      const country = await countryFor(caller, input, input.campaign_id ? String(input.campaign_id) : null)
      const people = reached({
        apps: selectionOf(input.apps),
        interests: selectionOf(input.interests),
        gender: input.gender ?? 1,
        fromAge: input.fromAge ?? 18,
        toAge: input.toAge ?? 65,
        similarity: input.similarity ?? 1,
        regions: input.regions ?? [],
        target_languages: input.target_languages ?? [],
        connection_types: input.connection_types ?? [],
        customer_attributes: input.customer_attributes ?? [],
      })
      const reachable = (await partIn(country, input.city_ids ?? [])) * (await partOfSegments(caller, input, country))
      return estimateOf(people, { country, reachable, cpm: input.cpm ?? 0.35, currency: await currencyOf(caller) })
    },

    async placements(caller: Caller, input: PlacementInput): Promise<Estimate> {
      const country = await countryFor(caller, input, null)
      const people = reachedBy({
        device_type_key: input.device_type_key ?? 1,
        environment: input.environment === 'all' ? null : input.environment === 'site' ? 'web' : input.environment || null,
        min_os_version: input.min_os_version ?? null,
        included_apps: input.included_apps ?? [],
        excluded_apps: input.excluded_apps ?? [],
        excluded_all_games: input.excluded_all_games ?? false,
        exclude_non_gambling_publishers: input.exclude_non_gambling_publishers ?? false,
        included_app_category_ids: input.included_app_category_ids ?? [],
        excluded_app_category_ids: input.excluded_app_category_ids ?? [],
        excluded_game_category_ids: input.excluded_game_category_ids ?? [],
        languages: input.languages ?? [],
      })
      return estimateOf(people, { country, reachable: 1, cpm: 0.35, currency: 'USD' })
    },

    /** The inventory, filtered, sorted and paged. */
    async places(caller: Caller, input: PlacesInput) {
      const country = await countryFor(caller, input, null)
      const name = input.name?.trim().toLowerCase() ?? ''
      const environments = [input.environment, input.filters?.environment].map((value) => ['environment', value] as const)
      const filters = [...Object.entries({ ...input.filters, environment: null }), ...environments].filter(
        ([, value]) => value !== null && value !== undefined && value !== 'all' && value !== '',
      )
      const asked = (place: InventoryPlace) =>
        place.name.toLowerCase().includes(name) &&
        filters.every(([key, value]) =>
          // Placements name the environment of sites `web`.
          key === 'environment'
            ? place.site_or_app === (value === 'app' ? 'app' : 'site')
            : String(place[key as keyof InventoryPlace]) === String(value),
        )
      const direction = input.order === 'low_to_high' ? 1 : -1
      const all = inventory(deps.apps, country)
        .filter(asked)
        .toSorted((a, b) => direction * (a.impression_count - b.impression_count) || (a.name < b.name ? -1 : 1))
      const size = Math.min(150, Math.max(1, input.page_size ?? 150))
      const page = Math.max(0, input.page ?? 0)
      return { current_page: page, page_size: size, total_size: all.length, data: all.slice(page * size, (page + 1) * size) }
    },

    /** How much of the banner inventory each size gets. */
    async sizes(caller: Caller, asked: { readonly country?: string | undefined }) {
      return { sizes: [...sizeShares(inventory(deps.apps, await countryFor(caller, asked, null)))] }
    },

    /** Number of people in a country who use an app, within a fifth. */
    usersOf(appId: string, country: string | null): { readonly users_min: number; readonly users_max: number } {
      const users = peopleOnline(country) * shareOf('app', appId)
      return { users_min: Math.round(users * 0.8), users_max: Math.round(users * 1.2) }
    },

    /** Audio spots for a day's budget (decisions G-164). */
    async spots({ actor }: Caller, asked: SpotsAsked, environment: Environment) {
      // Both forms of a call without a campaign: no name, and an empty value.
      const campaign = asked.campaign_id?.trim() || null
      const place = campaign === null ? null : await deps.placeOf(campaign)
      if (campaign !== null) authorize(actor, 'campaign.read', place)
      const account = await deps.accounts.opened(place?.spaceId ?? homeOrChosen(actor))
      const [multiplier, budget] = [toMicros(asked.cpm_multiplier), toMicros(asked.daily_budget)]
      const spot =
        multiplier === null || budget === null
          ? null
          : audioSpots(account?.currency ?? 'USD', multiplier, budget, environment === 'test')
      if (spot === null) throw refused(2, spotFaults(multiplier, budget))
      return { spot }
    },
  }
}

type SpotsAsked = { readonly campaign_id?: string | undefined; readonly cpm_multiplier: number; readonly daily_budget: number }

const selectionOf = (sent: AudienceInput['apps']): Selection => ({
  includeAny: sent?.includeAny ?? [],
  include: sent?.include ?? [],
  exclude: sent?.exclude ?? [],
})

const spotFaults = (multiplier: number | null, budget: number | null) => [
  ...(multiplier === null || multiplier <= 0
    ? [{ path: 'cpm_multiplier', code: 2 as const, message: 'Failed to get CPM multiplier!' }]
    : []),
  ...(budget === null || budget < 0
    ? [{ path: 'daily_budget', code: 2 as const, message: 'Only positive numbers allowed.' }]
    : []),
]
