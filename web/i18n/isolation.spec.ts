import i18next from 'i18next'
import { afterEach, expect, it } from 'vitest'
import { chooseLanguage } from './setup.ts'

afterEach(() => chooseLanguage('en'))

it.each(['en', 'ru'] as const)('sentences in %s isolate a name that is written from right to left', async (language) => {
  await chooseLanguage(language)
  const sentence = (name: string) => i18next.t('common:dataTable.moved', { name, place: 2, count: 3 })
  expect(sentence('متجر')).toContain('\u2068متجر\u2069')
  expect(sentence('Nile & <b>')).toContain('Nile & <b>')
})
