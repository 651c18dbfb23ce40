import { SITES } from '#domain/estimates/sites'
import { UNKNOWN_MARKET, type Market } from '#domain/delivery/traffic'
import type { ReferencePort } from '#commands/reference/reference-port'

/** Largest cities and best-known apps of a simulated market. */
const CITIES = 12
const APPS = 24
/** Sites of a simulated market. */
const SITES_READ = 8

type City = { readonly name: string; readonly region?: string; readonly population: number }

/** Where simulated delivery happens: cities of a country, apps and sites. */
export function createMarkets(reference: Pick<ReferencePort, 'cities' | 'apps'>) {
  const known = new Map<string, Market>()
  return async (country: string | null): Promise<Market> => {
    const before = known.get(country ?? '')
    if (before !== undefined) return before
    const found = country === null ? null : await reference.cities(country)
    const rows = found === null ? [] : (JSON.parse(found.json.toString()) as readonly City[])
    const cities = rows.toSorted((a, b) => b.population - a.population).slice(0, CITIES)
    const apps = [
      ...reference.apps
        .slice(0, APPS)
        .map(({ android, ios, name }) => ({ app_or_site: android ?? ios ?? name, publisher: name })),
      ...SITES.slice(0, SITES_READ).map(({ domain, name }) => ({ app_or_site: domain, publisher: name })),
    ]
    const market = {
      cities: cities.length === 0 ? UNKNOWN_MARKET.cities : cities.map(({ name, region = '' }) => ({ region, city: name })),
      apps: apps.length === 0 ? UNKNOWN_MARKET.apps : apps,
    }
    known.set(country ?? '', market)
    return market
  }
}
export type MarketOf = ReturnType<typeof createMarkets>
