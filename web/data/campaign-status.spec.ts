import { expect, it } from 'vitest'
import { STATUS } from '#domain/campaign/status/status-keys'
import en from '@/i18n/locales/en/status.json'
import ru from '@/i18n/locales/ru/status.json'

it.each([
  [
    'draft',
    'Draft campaign cannot be published from the list. Open the campaign and press Publish.',
    'Черновик нельзя опубликовать из списка. Откройте кампанию и нажмите «Опубликовать».',
  ], // covers CAM-RUN-17
  [
    'inModeration',
    'The campaign is in moderation. It cannot be started or paused until it is approved.',
    'Кампания на модерации. Её нельзя запустить или приостановить, пока её не одобрят.',
  ], // covers CAM-RUN-18
  [
    'rejected',
    'The campaign is rejected. Edit the campaign or contact support.',
    'Кампания отклонена. Исправьте её или обратитесь в поддержку.',
  ], // covers CAM-RUN-19
  [
    'finished',
    'The campaign is finished. Extend its end date to run it again.',
    'Кампания завершена. Продлите дату окончания, чтобы запустить её снова.',
  ], // covers CAM-RUN-20
  [
    'budgetSpent',
    'The campaign budget is spent. Add budget to run it again.',
    'Бюджет кампании израсходован. Добавьте бюджет, чтобы запустить её снова.',
  ], // covers CAM-RUN-21
] as const)('explains in both languages why a campaign cannot run: %s', (key, english, russian) => {
  expect(en.refusal[key]).toBe(english)
  expect(ru.refusal[key]).toBe(russian)
})

// covers CAM-STATUS-16
it('names 42 budget spent and 43 overdue in both languages', () => {
  expect([42, 43].map((key) => en.label[STATUS[key as 42 | 43]])).toEqual(['Finished, budget spent', 'Finished, overdue'])
  expect([42, 43].map((key) => ru.label[STATUS[key as 42 | 43]])).toEqual([
    'Завершена, бюджет израсходован',
    'Завершена, срок истёк',
  ])
})
