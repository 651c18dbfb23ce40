import { afterEach, expect, it } from 'vitest'
import type { Language } from '#domain/kit/languages'
import { chooseLanguage } from '@/i18n/setup'
import { ownFieldLabel } from './field-label.ts'
import { emptySlices } from './slices/slices.ts'

afterEach(() => chooseLanguage('en'))

/** The switch of an ad is named by its tab. */
const fieldsOf = (values: object): readonly string[] => Object.keys(values).filter((field) => field !== 'enabled')

it.each(['en', 'ru'] satisfies Language[])('every field of the form has a label in %s', async (language) => {
  await chooseLanguage(language)
  const labels = Object.entries(emptySlices('awareness')).flatMap(([slice, values]) =>
    fieldsOf(values).map((field) => [field, ownFieldLabel(`${slice}.${field}`)] as const),
  )
  expect(labels.length).toBeGreaterThan(70)
  expect(labels.filter(([, label]) => label === null || label === '').map(([field]) => field)).toEqual([])
})
