import { createHash } from 'node:crypto'
import { APP_CATEGORIES, GAME_CATEGORIES } from './data-app-categories.ts'
import { DEVICE_TYPES } from './data-device-types.ts'
import { IAB_FROM_ARTS } from './data-iab-from-arts.ts'
import { IAB_FROM_SOCIETY } from './data-iab-from-society.ts'
import { INTERESTS } from './data-interests.ts'
import { LANGUAGES } from './data-languages.ts'
import type { Titled, TitledBranch, Titles } from './titles.ts'

export type DictionaryItem = {
  readonly key: string
  readonly value: string
  readonly title: string
  /** Place in the list, from 1. */
  readonly order: number
  readonly deprecated: boolean
  readonly parent: string | null
}

export type Dictionary = { readonly etag: string; readonly items: readonly DictionaryItem[] }

export type AppCategory = { readonly category_id: string; readonly category_name: string }

export type AppCategories = { readonly etag: string; readonly items: readonly AppCategory[] }

type Locale = 'en_US' | 'ru_RU'
type Entry = { readonly titled: Titled; readonly parent: string | null }

const flat = (list: readonly Titled[]): readonly Entry[] => list.map((titled) => ({ titled, parent: null }))

const tree = (branches: readonly TitledBranch[]): readonly Entry[] =>
  branches.flatMap(([key, en, ru, children]) => [
    { titled: [key, en, ru] as const, parent: null },
    ...children.map((titled) => ({ titled, parent: key })),
  ])

/** The taxonomy numbers its categories by their place: IAB2-3 is the third one under the second top. */
const iabTree = (tops: readonly (readonly [...Titles, readonly Titles[]])[]): readonly TitledBranch[] =>
  tops.map(([en, ru, children], top) => {
    const key = `IAB${top + 1}`
    return [key, en, ru, children.map(([en, ru], place) => [`${key}-${place + 1}`, en, ru] as const)]
  })

const ENTRIES: ReadonlyMap<string, () => readonly Entry[]> = new Map([
  ['device_types', () => flat(DEVICE_TYPES)],
  ['languages', () => flat(LANGUAGES)],
  ['interests', () => tree(INTERESTS)],
  ['iab_categories', () => tree(iabTree([...IAB_FROM_ARTS, ...IAB_FROM_SOCIETY]))],
])

const known = (locale: string): Locale => (locale === 'ru_RU' ? 'ru_RU' : 'en_US')

const titleIn = (locale: Locale, [, en, ru]: Titled): string => (locale === 'ru_RU' ? ru : en)

function withEtag<T>(name: string, locale: Locale, items: readonly T[]) {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, locale, items]))
    .digest('hex')
  return { etag: `"${hash.slice(0, 32)}"`, items }
}

const dictionaries = new Map<string, Dictionary>()

/** A dictionary in one language, English when there is no such language; null for an unknown name. */
export function dictionary(name: string, locale: string): Dictionary | null {
  const entries = ENTRIES.get(name)
  if (!entries) return null
  const language = known(locale)
  const cached = dictionaries.get(`${name} ${language}`)
  if (cached) return cached
  const items = entries().map(({ titled, parent }, index) => ({
    key: titled[0],
    value: titled[0],
    title: titleIn(language, titled),
    order: index + 1,
    deprecated: false,
    parent,
  }))
  const made = withEtag(name, language, items)
  dictionaries.set(`${name} ${language}`, made)
  return made
}

const categories = new Map<string, AppCategories>()

/** Store categories of applications or of games in one language. */
export function appCategories(type: 'app' | 'game', locale: string): AppCategories {
  const language = known(locale)
  const cached = categories.get(`${type} ${language}`)
  if (cached) return cached
  const list = type === 'app' ? APP_CATEGORIES : GAME_CATEGORIES
  const items = list.map((titled) => ({ category_id: titled[0], category_name: titleIn(language, titled) }))
  const made = withEtag(`${type}_categories`, language, items)
  categories.set(`${type} ${language}`, made)
  return made
}
