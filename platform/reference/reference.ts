import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TargetNames } from '#domain/campaign/saving/references'
import { listCountries } from './countries.ts'
import { createAppCatalogue } from './app-catalogue.ts'
import { createCities } from './cities.ts'
import { appCategories, dictionary } from './dictionaries.ts'

/**
 * The product's reference data: countries, cities, dictionaries, apps. Cities are prepared in the data folder at first use;
 * an operator's own apps are in its apps.json.
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
      // Another rule refuses unknown platforms; the app is not looked up then.
      (platform !== 'ios' && platform !== 'android') || catalogue.findApp(platform, bundleId) !== null,

    /** Paths of a targeting that name unknown cities or apps. */
    async unknownTargets({ country, city_ids, apps: wanted }: TargetNames): Promise<ReadonlySet<string>> {
      const unknownCities = city_ids.length === 0 ? [] : country === null ? city_ids : await cities.unknown(country, city_ids)
      return new Set([
        ...(unknownCities.length > 0 ? ['targeting.city_ids'] : []),
        ...(wanted.some((id) => !apps.has(id)) ? ['targeting.apps'] : []),
      ])
    },
  }
}
