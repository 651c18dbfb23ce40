import { describe, expect, it } from 'vitest'
import { codesOf, DEVICE_TYPES } from '#domain/campaign/content/options'
import { appCategories, dictionary } from './dictionaries.ts'

const NAMES = ['device_types', 'languages', 'interests', 'iab_categories']
/** Proper names that stay in Latin letters in Russian. */
const PROPER_NAMES = new Set(['Android', 'iOS', 'C/C++', 'Java', 'JavaScript', 'MP3/MIDI', 'Unix', 'Visual Basic', 'Windows'])
const IAB_CHILDREN = [7, 23, 12, 11, 15, 9, 45, 18, 31, 9, 5, 3, 12, 8, 10, 7, 44, 6, 36, 27, 3, 4, 10, 0, 7, 4]

const itemsOf = (name: string, locale: string) => dictionary(name, locale)?.items ?? []

describe('dictionaries', () => {
  // covers DICT-09
  it.each(NAMES)('dictionaries give %s unique keys, a dense order and parents before their children', (name) => {
    const items = itemsOf(name, 'en_US')
    expect(items.length).toBeGreaterThan(0)
    const seen = new Set<string>()
    for (const [index, item] of items.entries()) {
      expect(item).toMatchObject({ value: item.key, order: index + 1, deprecated: false })
      expect(seen).not.toContain(item.key)
      if (item.parent !== null) expect(seen).toContain(item.parent)
      seen.add(item.key)
    }
  })

  // covers DICT-10 DICT-11
  it.each(NAMES)('dictionaries give every item of %s a title in both languages', (name) => {
    const english = itemsOf(name, 'en_US')
    const russian = itemsOf(name, 'ru_RU')
    const untitled = (items: typeof english) => items.map(({ title: _title, ...rest }) => rest)
    expect(untitled(russian)).toEqual(untitled(english))
    for (const { title } of english) expect(title).toMatch(/^[^А-Яа-яЁё]*[A-Za-z][^А-Яа-яЁё]*$/)
    for (const { title } of russian) if (!PROPER_NAMES.has(title)) expect(title).toMatch(/[А-Яа-яЁё]/)
    for (const { title } of [...english, ...russian]) expect(title).toBe(title.trim())
  })

  it('dictionaries contain all 26 top categories of the IAB with their number of children', () => {
    const items = itemsOf('iab_categories', 'en_US')
    const tops = items.filter(({ parent }) => parent === null)
    expect(tops.map(({ key }) => key)).toEqual(IAB_CHILDREN.map((_, index) => `IAB${index + 1}`))
    expect(tops.map(({ key }) => items.filter(({ parent }) => parent === key).length)).toEqual(IAB_CHILDREN)
    expect(items).toHaveLength(392)
  })

  it.each([
    ['IAB1-1', 'IAB1', 'Books & Literature'],
    ['IAB2-23', 'IAB2', 'Wagon'],
    ['IAB7-45', 'IAB7', "Women's Health"],
    ['IAB9-30', 'IAB9', 'Video & Computer Games'],
    ['IAB17-44', 'IAB17', 'World Soccer'],
    ['IAB19-36', 'IAB19', 'Windows'],
    ['IAB20-27', 'IAB20', 'United Kingdom'],
    ['IAB25-3', 'IAB25', 'Pornography'],
    ['IAB26-4', 'IAB26', 'Copyright Infringement'],
  ])('dictionaries give %s its official name', (key, parent, title) => {
    expect(itemsOf('iab_categories', 'en_US').find((item) => item.key === key)).toMatchObject({ parent, title })
  })

  it('dictionaries contain exactly the device types that a save accepts', () => {
    const keys = itemsOf('device_types', 'en_US').map(({ key }) => Number(key))
    expect(keys.toSorted((a, b) => a - b)).toEqual(codesOf(DEVICE_TYPES))
  })

  it('dictionaries list all devices, English and Hausa first', () => {
    expect(itemsOf('device_types', 'ru_RU').map(({ key, title }) => [key, title])).toEqual([
      ['1', 'Все устройства'],
      ['4', 'Android'],
      ['3', 'iOS'],
    ])
    expect(
      itemsOf('languages', 'ru_RU')
        .slice(0, 2)
        .map(({ title }) => title),
    ).toEqual(['Английский', 'Хауса'])
  })

  it('dictionaries have the parent of an interest in its key', () => {
    for (const { key, parent } of itemsOf('interests', 'en_US'))
      if (parent !== null) expect(key.startsWith(`${parent}.`)).toBe(true)
  })

  it('dictionaries answer in English for an unknown language, and nothing for an unknown name', () => {
    expect(dictionary('languages', 'fr_FR')).toBe(dictionary('languages', 'en_US'))
    expect(dictionary('colours', 'en_US')).toBeNull()
    expect(dictionary('constructor', 'en_US')).toBeNull()
  })

  it('dictionaries have a stable etag per dictionary and language', () => {
    const etags = NAMES.flatMap((name) => ['en_US', 'ru_RU'].map((locale) => dictionary(name, locale)?.etag))
    expect(new Set(etags).size).toBe(8)
    for (const etag of etags) expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(dictionary('interests', 'ru_RU')?.etag).toBe(dictionary('interests', 'ru_RU')?.etag)
  })

  it('dictionaries contain the store categories of applications and games', () => {
    const [apps, games] = [appCategories('app', 'en_US'), appCategories('game', 'en_US')]
    expect(apps.items).toHaveLength(32)
    expect(games.items).toHaveLength(17)
    const keys = [...apps.items, ...games.items].map(({ category_id }) => category_id)
    expect(new Set(keys).size).toBe(keys.length)
    for (const { category_id } of games.items) expect(category_id).toMatch(/^game_/)
    for (const type of ['app', 'game'] as const) {
      for (const { category_name } of appCategories(type, 'ru_RU').items) expect(category_name).toMatch(/[А-Яа-яЁё]/)
    }
    expect(appCategories('game', 'ru_RU').etag).not.toBe(games.etag)
    expect(appCategories('game', 'xx')).toBe(games)
  })
})
