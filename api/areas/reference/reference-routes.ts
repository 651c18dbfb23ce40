import { LANGUAGES, wireLocaleOf, type Language } from '#domain/kit/languages'
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { environmentOf } from '#domain/white-label/hosts'
import { authorize } from '#api/http/caller'
import * as estimates from '#contract/estimates'
import * as contract from '#contract/reference'
import type { Served } from '#api/areas/services'
import { createEstimateCalls } from './estimate-calls.ts'
import type { StoreRequest } from '#platform/reference/resource-requests'
import { segmentSizes } from '../audience/served-audiences.ts'
import { sendTagged } from '#api/http/cached'
import { callerOf } from '#api/http/person'
import { register } from '#api/http/register'
import { RESOURCE_REQUESTS } from '#api/http/limits/calls'
import { refused } from '#commands/refused'
import { promotionOf } from './app-promotion.ts'

/** Places, dictionaries, apps, and the estimates based on them. */
export function registerReferenceRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'campaigns' | 'commands.campaigns' | 'db' | 'limits' | 'reference'>,
  storeRequest: StoreRequest,
): void {
  const { campaigns, guards, reference: deps } = kit
  const estimated = createEstimateCalls({
    accounts: kit.accounts,
    placeOf: campaigns.placeOf,
    countryOf: async (id) => (await kit.commands.campaigns.load(id)).head.country,
    countryKnown: (country) => kit.campaigns.port.countryOffset(country) !== null,
    segmentSizes: (actor, ids) => segmentSizes(kit, actor, ids),
    populations: deps.populations,
    apps: deps.apps,
  })

  const countryTags = new Map<Language, string>()
  register(app, guards, contract.countries, async (call, reply) => {
    const language = call.query.language ?? 'en'
    const data = deps.countries(language)
    const etag = countryTags.get(language) ?? tagOf(data)
    countryTags.set(language, etag)
    return sendTagged(reply, { etag, data })
  })

  register(app, guards, contract.cities, async (call, reply) => {
    const found = await deps.cities(call.query.country)
    if (found === null) throw refused(190, [{ path: 'country', code: 190, message: 'Location not found' }])
    return sendTagged(reply, found)
  })

  register(app, guards, contract.dictionary, async (call, reply) => {
    const found = deps.dictionary(call.params.name, call.params.locale)
    if (found === null) throw refused(131, [{ path: 'name', code: 131, message: 'There is no dictionary of this name' }])
    return sendTagged(reply, { etag: found.etag, data: found.items })
  })

  register(app, guards, contract.appCategories, async (call, reply) => {
    const found = deps.appCategories(call.query.type ?? 'app', wireLocaleOf(call.query.language ?? LANGUAGES[0].code))
    return sendTagged(reply, { etag: found.etag, data: found.items })
  })

  register(app, guards, contract.appPromotion, async (call) => {
    const { app_platform_type: platform } = call.body
    const found = deps.findApp(platform, call.body.bundle_id)
    if (found === null)
      throw refused(1311, [{ path: 'bundle_id', code: 1311, message: 'App does not exist in the app store', key: 'appUnknown' }])
    return promotionOf(found, platform)
  })

  register(app, guards, contract.requestResource, async (call) => {
    const caller = callerOf(call)
    const place = await campaigns.placeOf(call.body.campaign_id)
    authorize(caller.actor, 'campaign.write', place)
    await kit.limits.reserve([{ key: `resource requests ${place.spaceId}`, ...RESOURCE_REQUESTS }])
    return storeRequest(caller, place, call.body)
  })

  register(app, guards, contract.audienceResources, async (call) => {
    const country = call.query.country?.trim().toUpperCase() || null
    return deps.searchApps(call.query.name ?? '').map((found) => ({
      id: found.id,
      name: found.name,
      icon: null,
      ...estimated.usersOf(found.id, country),
      type: 'app',
      bundle_ids: [found.android, found.ios].filter((id) => id !== null),
    }))
  })

  register(app, guards, estimates.audioSpots, async (call) =>
    estimated.spots(callerOf(call), call.query, environmentOf(call.hostname)),
  )
  register(app, guards, estimates.audienceSize, async (call) => estimated.audienceSize(callerOf(call), call.body))
  register(app, guards, estimates.placementReport, async (call) => estimated.places(callerOf(call), call.body))
  register(app, guards, estimates.placementSizes, async (call) => estimated.sizes(callerOf(call), call.query))
  register(app, guards, estimates.placementsGauge, async (call) => estimated.placements(callerOf(call), call.body))
}

const tagOf = (data: unknown): string => `"${createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 32)}"`
