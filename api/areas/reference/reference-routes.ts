import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { authorize, type Caller, type Place } from '../../kit/caller.ts'
import * as estimates from '../../contract/estimates.ts'
import * as contract from '../../contract/reference.ts'
import type { EstimateCalls } from './estimate-calls.ts'
import { sendTagged } from '../../kit/cached.ts'
import { callerOf } from '../../kit/person.ts'
import { register, type Doorkeepers } from '../../kit/register.ts'
import { refused } from '../../kit/refused.ts'

type Language = 'en' | 'ru'
type Country = { readonly iso_code: string; readonly name: string; readonly timezone_offset_seconds: number }
type App = {
  readonly id: string
  readonly name: string
  readonly publisher: string
  readonly android: string | null
  readonly ios: string | null
  readonly price: string
}
type TaggedItems = { readonly etag: string; readonly items: readonly unknown[] }

/** What the product knows of the world: ports, wired by the composition root. */
export type ReferenceRouteDeps = {
  readonly countries: (language: Language) => readonly Country[]
  readonly cities: (country: string) => Promise<{ readonly etag: string; readonly json: Buffer } | null>
  readonly dictionary: (name: string, locale: string) => TaggedItems | null
  readonly appCategories: (type: 'app' | 'game', locale: string) => TaggedItems
  readonly findApp: (platform: 'ios' | 'android', bundleId: string) => App | null
  readonly searchApps: (text: string) => readonly App[]
  readonly estimates: EstimateCalls
  readonly placeOf: (campaignId: string) => Promise<Place | null>
  readonly requestResource: (caller: Caller, place: Place, asked: { name: string; campaign_id: string }) => Promise<unknown>
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en_US', ru: 'ru_RU' }

/** Places, dictionaries, apps, and the estimates that are made of them. */
export function registerReferenceRoutes(app: FastifyInstance, doors: Doorkeepers, deps: ReferenceRouteDeps): void {
  const countryTags = new Map<Language, string>()
  register(app, doors, contract.countries, async (call, reply) => {
    const language = call.query.language ?? 'en'
    const data = deps.countries(language)
    const etag = countryTags.get(language) ?? tagOf(data)
    countryTags.set(language, etag)
    return sendTagged(reply, { etag, data })
  })

  register(app, doors, contract.cities, async (call, reply) => {
    const found = await deps.cities(call.query.country)
    if (found === null) throw refused(190, [{ path: 'country', code: 190, message: 'Location not found' }])
    return sendTagged(reply, found)
  })

  register(app, doors, contract.dictionary, async (call, reply) => {
    const found = deps.dictionary(call.params.name, call.params.locale)
    if (found === null) throw refused(131, [{ path: 'name', code: 131, message: 'There is no dictionary of this name' }])
    return sendTagged(reply, { etag: found.etag, data: found.items })
  })

  register(app, doors, contract.appCategories, async (call, reply) => {
    const found = deps.appCategories(call.query.type ?? 'app', LOCALES[call.query.language ?? 'en'])
    return sendTagged(reply, { etag: found.etag, data: found.items })
  })

  register(app, doors, contract.appPromotion, async (call) => {
    const found = deps.findApp(call.body.app_platform_type, call.body.bundle_id)
    if (found === null)
      throw refused(1311, [{ path: 'bundle_id', code: 1311, message: 'App does not exist in the app store', key: 'appUnknown' }])
    return {
      app_icon: null,
      app_name: found.name,
      body: null,
      price: found.price,
      star_rating: null,
      call_to_action: 'Install',
      advertiser: found.publisher,
      min_os_version: null,
    }
  })

  register(app, doors, contract.requestResource, async (call) => {
    const caller = callerOf(call)
    const place = await deps.placeOf(call.body.campaign_id)
    authorize(caller.actor, 'campaign.write', place)
    return deps.requestResource(caller, place, call.body)
  })

  register(app, doors, contract.audienceResources, async (call) => {
    const country = call.query.country?.trim().toUpperCase() || null
    return deps.searchApps(call.query.name ?? '').map((found) => ({
      id: found.id,
      name: found.name,
      icon: null,
      ...deps.estimates.usersOf(found.id, country),
      type: 'app',
      bundle_ids: [found.android, found.ios].filter((id) => id !== null),
    }))
  })

  register(app, doors, estimates.audioSpots, async (call) => deps.estimates.spots(callerOf(call), call.query))
  register(app, doors, estimates.audienceSize, async (call) => deps.estimates.audienceSize(callerOf(call), call.body))
  register(app, doors, estimates.placementReport, async (call) => deps.estimates.places(callerOf(call), call.body))
  register(app, doors, estimates.placementsGauge, async (call) => deps.estimates.placements(callerOf(call), call.body))
}

const tagOf = (data: unknown): string => `"${createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 32)}"`
