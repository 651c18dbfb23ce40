import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { appCatalogue, createAppCatalogue } from './app-catalogue.ts'
import type { App } from './own-apps.ts'
import { appCategories } from './dictionaries.ts'
import { ANDROID_PACKAGE, APP_ID, IOS_BUNDLE, PRICE } from './own-apps.ts'

const folder = mkdtempSync(join(tmpdir(), 'placard-apps-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const written = (name: string, content: unknown): string => {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const own: App = {
  id: 'corner-shop',
  name: 'Corner Shop',
  publisher: 'Corner Ltd',
  category: 'shopping',
  android: 'ng.corner.shop',
  ios: null,
  price: '0',
}

const unique = (values: readonly (string | null)[]) => {
  const given = values.filter((value) => value !== null)
  expect(new Set(given).size).toBe(given.length)
}

describe('the application catalogue', () => {
  const catalogue = createAppCatalogue({ file: null })

  it('contains well-formed entries of known categories, each with a bundle id', () => {
    const categories = new Set(
      (['app', 'game'] as const).flatMap((type) => appCategories(type, 'en_US').items.map(({ category_id }) => category_id)),
    )
    expect(appCatalogue.length).toBeGreaterThanOrEqual(70)
    for (const { id, name, publisher, category, android, ios, price } of appCatalogue) {
      expect(id).toMatch(APP_ID)
      expect(name.trim() && publisher.trim(), id).not.toBe('')
      expect(categories, id).toContain(category)
      if (android !== null) expect(android).toMatch(ANDROID_PACKAGE)
      if (ios !== null) expect(ios).toMatch(IOS_BUNDLE)
      expect(android ?? ios, id).not.toBeNull()
      expect(price, id).toMatch(PRICE)
    }
  })

  it('contains every id and every bundle id once', () => {
    unique(appCatalogue.map(({ id }) => id))
    unique(appCatalogue.map(({ android }) => android))
    unique(appCatalogue.map(({ ios }) => ios?.toLowerCase() ?? null))
  })

  it('finds an application by its bundle id, case-sensitive only on Android', () => {
    expect(catalogue.findApp('android', 'com.whatsapp')?.id).toBe('whatsapp')
    expect(catalogue.findApp('ios', 'net.whatsapp.whatsapp')?.id).toBe('whatsapp')
    expect(catalogue.findApp('ios', 'net.whatsapp.WhatsApp')?.id).toBe('whatsapp')
    expect(catalogue.findApp('android', 'com.WhatsApp')).toBeNull()
    expect(catalogue.findApp('ios', 'com.whatsapp')).toBeNull()
    expect(catalogue.findApp('android', 'constructor')).toBeNull()
  })

  it('searches names and bundle ids, and lists prefix matches first', () => {
    expect(catalogue.searchApps('OPERA').map(({ id }) => id)).toEqual(['opera', 'opera-mini', 'opera-news'])
    expect(catalogue.searchApps('picaboo').map(({ id }) => id)).toEqual(['snapchat'])
    const chess = catalogue.searchApps('chess')
    expect(chess[0]?.id).toBe('chess-com')
    expect(catalogue.searchApps('go').map(({ id }) => id)).toEqual(expect.arrayContaining(['google', 'pokemon-go']))
    expect(catalogue.searchApps('go')[0]?.name).toMatch(/^Go/)
    expect(catalogue.searchApps('no such application')).toEqual([])
    expect(catalogue.searchApps('  ')).toEqual([])
  })

  it('returns at most fifty', () => {
    expect(catalogue.searchApps('com.')).toHaveLength(50)
  })
})

describe('the operator’s own applications', () => {
  it('join the catalogue and replace entries of the same id', () => {
    const renamed = { ...own, id: 'whatsapp', name: 'Our Messenger', android: 'com.our.messenger' }
    const { apps, findApp } = createAppCatalogue({ file: written('own.json', [own, renamed]) })
    expect(apps).toHaveLength(appCatalogue.length + 1)
    expect(findApp('android', 'ng.corner.shop')).toEqual(own)
    expect(findApp('android', 'com.our.messenger')?.name).toBe('Our Messenger')
    expect(findApp('android', 'com.whatsapp')).toBeNull()
  })

  it('take a bundle id over from another entry of the catalogue', () => {
    const { findApp } = createAppCatalogue({ file: written('bundle.json', [{ ...own, android: 'com.waze' }]) })
    expect(findApp('android', 'com.waze')?.id).toBe('corner-shop')
  })

  it.each([
    ['an unknown category', [own, { ...own, id: 'b', android: 'b.c', category: 'shop' }], '[1].category: no such store category'],
    ['a bad package', [{ ...own, android: 'shop' }], '[0].android: not an Android package'],
    ['a missing name', [{ ...own, name: undefined }], '[0].name: '],
    ['an unknown field', [{ ...own, rating: 5 }], '[0]: Unrecognized key: "rating"'],
    [
      'an icon that is no https address',
      [{ ...own, app_icon: 'http://shop.example/i.png' }],
      '[0].app_icon: neither an https address',
    ],
    ['six stars', [{ ...own, star_rating: 6 }], '[0].star_rating: '],
    ['a version in words', [{ ...own, min_os_version: { ios: 'new' } }], "[0].min_os_version.ios: a version such as '8'"],
    ['a missing bundle id', [{ ...own, android: null }], '[0].android: android or ios must be given'],
    ['a repeated id', [own, { ...own, android: 'b.c' }], '[1].id: repeats that of [0]'],
    ['a repeated package', [own, { ...own, id: 'b' }], '[1].android: repeats that of [0]'],
    ['a file that is not an array', own, 'expected array'],
    ['a file that is not JSON', '[', 'is not JSON'],
  ])('are refused for %s with the place of the fault', (name, content, message) => {
    expect(() => createAppCatalogue({ file: written(`${name}.json`, content) })).toThrow(message)
  })

  it('are refused when the file does not exist', () => {
    expect(() => createAppCatalogue({ file: join(folder, 'none.json') })).toThrow(/ENOENT/)
  })
})
