import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import countries from 'i18n-iso-countries'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCities, type CountryCities } from './cities.ts'
import type { City } from './city-rows.ts'

const rowsOf = (found: CountryCities | null): readonly City[] => JSON.parse(found?.json.toString('utf8') ?? 'null')

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'placard-cities-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('cities', () => {
  it('cities are prepared in one folder when two processes start at once, without temporary files', async () => {
    const [one, other] = await Promise.all([createCities({ folder }).of('NG'), createCities({ folder }).of('NG')])
    expect(one?.etag).toBe(other?.etag)
    const left = await readdir(folder)
    expect(left).toHaveLength(1)
    expect(left[0]).toMatch(/^cities-/)
  })

  it('cities contain Lagos and hundreds of other cities of Nigeria, the largest first', async () => {
    const rows = rowsOf(await createCities({ folder }).of('ng'))
    expect(rows.length).toBeGreaterThan(300)
    expect(rows[0]).toMatchObject({ id: '2332459', name: 'Lagos', timezone: 'Africa/Lagos', timezone_offset_seconds: 3600 })
    expect(Object.keys(rows[0] ?? {})).toEqual(['id', 'name', 'timezone', 'timezone_offset_seconds', 'population', 'lat', 'lon'])
    const populations = rows.map(({ population }) => population)
    expect(populations).toEqual(populations.toSorted((a, b) => b - a))
  })

  it.each([
    ['AM', 'Yerevan', 4 * 3600],
    ['TN', 'Tunis', 3600],
    ['US', 'New York City', -5 * 3600],
    ['GB', 'London', 0],
    ['IE', 'Dublin', 0],
    ['MA', 'Casablanca', 3600],
  ])('cities of %s have %s with their offset on standard time', async (country, name, offset) => {
    const rows = rowsOf(await createCities({ folder }).of(country))
    expect(rows.find((row) => row.name === name)).toMatchObject({ timezone_offset_seconds: offset })
  })

  it('keeps every Armenian and Tunisian city on the time of its own country', async () => {
    const cities = createCities({ folder })
    expect(new Set(rowsOf(await cities.of('AM')).map(({ timezone }) => timezone))).toEqual(new Set(['Asia/Yerevan']))
    expect(new Set(rowsOf(await cities.of('TN')).map(({ timezone }) => timezone))).toEqual(new Set(['Africa/Tunis']))
  })

  it('cities have existing offsets in every country', async () => {
    const cities = createCities({ folder })
    const seen = new Set<string>()
    const strange: City[] = []
    for (const code of Object.keys(countries.getAlpha2Codes())) {
      const found = await cities.of(code)
      expect(found, code).not.toBeNull()
      for (const row of rowsOf(found)) {
        seen.add(row.id)
        const offset = row.timezone_offset_seconds
        if (offset % 900 !== 0 || Math.abs(offset) > 14 * 3600) strange.push(row)
      }
    }
    expect(strange).toEqual([])
    expect(seen.size).toBe(135_233)
  })

  it('cities are an empty list for a country without cities, and null for an unknown country', async () => {
    const cities = createCities({ folder })
    expect(rowsOf(await cities.of('BV'))).toEqual([])
    for (const code of ['ZZ', '', 'NGA', '566', '../NG', 'N', 'нг', 'ß']) expect(await cities.of(code), code).toBeNull()
  })

  it('cities have one etag per country', async () => {
    const cities = createCities({ folder })
    const [first, again, other] = await Promise.all([cities.of('TN'), cities.of('tn'), cities.of('AM')])
    expect(first?.etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(again?.etag).toBe(first?.etag)
    expect(other?.etag).not.toBe(first?.etag)
  })

  it('cities report exactly the ids that a country does not have', async () => {
    const cities = createCities({ folder })
    expect(await cities.unknown('NG', ['2332459', '2643743', 'x'])).toEqual(['2643743', 'x'])
    expect(await cities.unknown('NG', ['2332459'])).toEqual([])
    expect(await cities.unknown('ZZ', ['2332459'])).toEqual(['2332459'])
  })

  it('cities are prepared after a failure, and files of a killed process are removed', async () => {
    const place = await mkdtemp(join(tmpdir(), 'placard-cities-'))
    try {
      const blocked = join(place, 'blocked')
      await writeFile(blocked, '')
      const cities = createCities({ folder: blocked })
      await expect(cities.of('NG')).rejects.toThrow()
      await rm(blocked)
      const [published] = await readdir(folder)
      const abandoned = join(blocked, `.${published}.abandoned`)
      await mkdir(abandoned, { recursive: true })
      await utimes(abandoned, new Date(0), new Date(0))
      expect(rowsOf(await cities.of('NG')).length).toBeGreaterThan(300)
      expect(await readdir(blocked)).toEqual([published])
    } finally {
      await rm(place, { recursive: true, force: true })
    }
  })
})
