import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TargetNames } from '../../domain/campaign/saving/references.ts'
import { listCountries } from '../countries.ts'
import { createAppCatalogue } from './app-catalogue.ts'
import { createCities } from './cities.ts'
import { appCategories, dictionary } from './dictionaries.ts'

/**
 * What the product knows of the world: countries, cities, dictionaries, apps. Cities are prepared in the data folder when they are first asked
 * for; an operator's own apps stand in its apps.json.
 */
export function createReference(dataDir: string) {
  const cities = createCities({ folder: join(dataDir, 'reference') })
  const own = join(dataDir, 'apps.json')
  const catalogue = createAppCatalogue({ file: existsSync(own) ? own : null })
  const apps = new Set(catalogue.apps.map(({ id }) => id))

  return {
    countries: listCountries,
    cities: cities.of,
    populations: async (country: string): Promise<ReadonlyMap<string, number>> =>
      (await cities.of(country))?.populations ?? new Map<string, number>(),
    dictionary,
    appCategories,
    apps: catalogue.apps,
    findApp: catalogue.findApp,
    searchApps: catalogue.searchApps,

    appKnown: (platform: string, bundleId: string): boolean =>
      // Another platform is refused by its own rule; then the app is not asked about.
      (platform !== 'ios' && platform !== 'android') || catalogue.findApp(platform, bundleId) !== null,

    /** Paths of a targeting that name what nobody knows. There are no custom audiences yet, so that each of them is unknown. */
    async unknownTargets({ country, city_ids, apps: wanted, segment_audiences }: TargetNames): Promise<ReadonlySet<string>> {
      const unknownCities = city_ids.length === 0 ? [] : country === null ? city_ids : await cities.unknown(country, city_ids)
      return new Set([
        ...(unknownCities.length > 0 ? ['targeting.city_ids'] : []),
        ...(wanted.some((id) => !apps.has(id)) ? ['targeting.apps'] : []),
        ...(segment_audiences.length > 0 ? ['targeting.segment_audiences'] : []),
      ])
    },
  }
}
