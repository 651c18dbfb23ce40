import { type Language } from '#domain/kit/languages'
import { createRequire } from 'node:module'
import { getAllCountries, getTimezone } from 'countries-and-timezones'
import countries from 'i18n-iso-countries'

const require = createRequire(import.meta.url)
countries.registerLocale(require('i18n-iso-countries/langs/en.json'))
countries.registerLocale(require('i18n-iso-countries/langs/ru.json'))

/** Countries of several zones run their campaigns on the zone of the capital. */
const CAPITAL_ZONE: Readonly<Record<string, string>> = {
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  GL: 'America/Nuuk',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  US: 'America/New_York',
}

export type Country = {
  /** ISO 3166-1 alpha-2. */
  readonly iso_code: string
  readonly name: string
  /** Standard time, seconds east of UTC: campaigns freeze it, so it must not depend on the season. */
  readonly timezone_offset_seconds: number
}

const OFFSETS: ReadonlyMap<string, number> = new Map(
  Object.values(getAllCountries()).flatMap(({ id, timezones }) => {
    const zone = getTimezone(CAPITAL_ZONE[id] ?? timezones[0] ?? '')
    return zone ? [[id, zone.utcOffset * 60] as const] : []
  }),
)

/** Offset that campaigns of a country take; null for an unknown code. */
export const countryOffset = (isoCode: string): number | null => OFFSETS.get(isoCode) ?? null

const listed = new Map<string, readonly Country[]>()

/** All countries by name in one language. */
export function listCountries(language: Language): readonly Country[] {
  const known = listed.get(language)
  if (known) return known
  const collator = new Intl.Collator(language)
  const names = countries.getNames(language, { select: 'official' })
  const all = [...OFFSETS]
    .map(([iso_code, timezone_offset_seconds]) => ({ iso_code, name: names[iso_code] ?? iso_code, timezone_offset_seconds }))
    .sort((a, b) => collator.compare(a.name, b.name))
  listed.set(language, all)
  return all
}
