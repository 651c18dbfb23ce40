import type { Language } from '#domain/kit/languages'
import type { CampaignPort } from '../campaign/campaign-port.ts'
import type { InventoryApp } from '#domain/estimates/inventory'

type Country = { readonly iso_code: string; readonly name: string; readonly timezone_offset_seconds: number }
/** `app_icon` and what follows: as the store's page has it, as far as the operator's file says. */
export type App = InventoryApp & {
  readonly name: string
  readonly publisher: string
  readonly android: string | null
  readonly ios: string | null
  readonly price: string
  readonly app_icon?: string | undefined
  readonly body?: string | undefined
  readonly star_rating?: number | undefined
  readonly call_to_action?: string | undefined
  readonly min_os_version?: { readonly android?: string | undefined; readonly ios?: string | undefined } | undefined
}
type TaggedItems = { readonly etag: string; readonly items: readonly unknown[] }

/** Port to the reference data: countries, cities, dictionaries and apps. */
export type ReferencePort = {
  readonly countries: (language: Language) => readonly Country[]
  readonly cities: (country: string) => Promise<{ readonly etag: string; readonly json: Buffer } | null>
  /** People in each city of a country, by the city's id. */
  readonly populations: (country: string) => Promise<ReadonlyMap<string, number>>
  readonly dictionary: (name: string, locale: string) => TaggedItems | null
  readonly appCategories: (type: 'app' | 'game', locale: string) => TaggedItems
  readonly apps: readonly InventoryApp[]
  readonly findApp: (platform: 'ios' | 'android', bundleId: string) => App | null
  readonly searchApps: (text: string) => readonly App[]
  readonly unknownTargets: (...asked: Parameters<CampaignPort['unknownTargets']>) => Promise<ReadonlySet<string>>
  readonly appKnown: CampaignPort['appKnown']
}
