import { changeLanguage, t } from 'i18next'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CATALOGUE } from '#domain/kit/errors'
import { SENTENCES } from '#domain/kit/faults'
import { STATUS } from '#domain/campaign/status/status-keys'
import { en } from './en.ts'
import { ru } from './ru.ts'
import { chooseLanguage } from './setup.ts'

type Texts = { readonly [key: string]: string | Texts }

function flatten(texts: Texts, prefix = ''): ReadonlyMap<string, string> {
  const all = new Map<string, string>()
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') all.set(prefix + key, value)
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) all.set(inner, text)
  }
  return all
}

const PLURAL = /_(one|few|many|other)$/
const bases = (texts: ReadonlyMap<string, string>) => new Set([...texts.keys()].map((key) => key.replace(PLURAL, '')))
const plurals = (texts: ReadonlyMap<string, string>) =>
  [...texts.keys()].filter((key) => key.endsWith('_other')).map((key) => key.replace(PLURAL, ''))
const slots = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => String(match[1])).sort()

const english = flatten(en)
const russian = flatten(ru)

describe('the texts', () => {
  it('the texts have the same keys in both languages', () => {
    expect([...bases(russian)].sort()).toEqual([...bases(english)].sort())
  })

  it('the texts have every plural form their language needs', () => {
    for (const base of plurals(english))
      for (const form of ['one', 'other']) expect(english.has(`${base}_${form}`), `${base}_${form}`).toBe(true)
    expect(plurals(russian).sort()).toEqual(plurals(english).sort())
    for (const base of plurals(russian))
      for (const form of ['one', 'few', 'many', 'other']) expect(russian.has(`${base}_${form}`), `${base}_${form}`).toBe(true)
  })

  it('the texts take the same values', () => {
    for (const [key, text] of russian) {
      const same = english.get(key) ?? english.get(key.replace(PLURAL, '_other')) ?? ''
      expect(slots(text), key).toEqual(slots(same))
    }
  })

  // covers I18N-01
  it('the texts are never empty', () => {
    for (const [key, text] of [...english, ...russian]) expect(text.trim(), key).not.toBe('')
  })

  it('the texts cover every error code of the catalogue and every status', () => {
    for (const { key } of Object.values(CATALOGUE)) expect(russian.has(`faults.codes.${key}`), key).toBe(true)
    for (const key of Object.keys(SENTENCES)) expect(russian.has(`faults.${key}`), key).toBe(true)
    for (const name of Object.values(STATUS)) expect(russian.has(`status.label.${name}`), name).toBe(true)
  })
})

describe('Russian plurals', () => {
  beforeAll(() => chooseLanguage('ru'))
  afterAll(() => changeLanguage('en'))

  it.each([
    [1, '1 кампания'],
    [2, '2 кампании'],
    [5, '5 кампаний'],
    [11, '11 кампаний'],
    [21, '21 кампания'],
  ])('Russian plurals choose the form for %i', (count, text) => {
    expect(t('campaigns:found', { count })).toBe(text)
  })
})
