import { getCountry, getTimezone } from 'countries-and-timezones'

type Place = { readonly lat: number; readonly lon: number }
type ZonedPlace = Place & { readonly timezone: string }

const canonical = (zone: string): string => getTimezone(zone)?.aliasOf ?? zone

/** Squared distance with shrunken meridians: enough to tell which of two places is nearer. */
function distance(a: Place, b: Place): number {
  const east = Math.abs(a.lon - b.lon)
  const x = Math.min(east, 360 - east) * Math.cos((a.lat * Math.PI) / 180)
  const y = a.lat - b.lat
  return x * x + y * y
}

/**
 * Zones of one country's cities.
 * The boundaries of the lookup are coarse: near a border it answers the neighbour's zone, which would run a campaign at the
 * neighbour's hours. Such a city takes the zone of the nearest city of its own country.
 */
export function keepZonesInside<T extends ZonedPlace>(country: string, cities: readonly T[]): readonly T[] {
  const zones: readonly string[] | undefined = getCountry(country)?.timezones
  const first = zones?.[0]
  // Kosovo has no entry of its own: there is nothing to compare with.
  if (!zones || first === undefined) return cities
  const own = new Set([...zones, ...zones.map(canonical)])
  const isOwn = (zone: string) => own.has(zone) || own.has(canonical(zone))
  const inside = cities.filter(({ timezone }) => isOwn(timezone))
  const nearestZone = (city: T): string => {
    let zone: string = first
    let least = Infinity
    for (const other of inside) {
      const far = distance(city, other)
      if (far < least) {
        least = far
        zone = other.timezone
      }
    }
    return zone
  }
  return cities.map((city) => (isOwn(city.timezone) ? city : { ...city, timezone: nearestZone(city) }))
}
