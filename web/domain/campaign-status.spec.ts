import { expect, it } from 'vitest'
import en from '../i18n/locales/en/status.json'
import ru from '../i18n/locales/ru/status.json'

// covers CAM-RUN-17..21
it.each([
  ['draft', /draft cannot be run\. Publish/, /Черновик нельзя запустить\. Сначала опубликуйте/],
  ['inModeration', /cannot be started or paused until it is approved/, /нельзя запустить или приостановить, пока её не одобрят/],
  ['rejected', /Edit and publish it again, or contact support/, /Исправьте и опубликуйте её снова или обратитесь в поддержку/],
  ['finished', /Extend its end date/, /Продлите дату окончания/],
  ['budgetSpent', /Add budget/, /Добавьте бюджет/],
] as const)('both languages say why a campaign cannot run: %s', (key, english, russian) => {
  expect(en.refusal[key]).toMatch(english)
  expect(ru.refusal[key]).toMatch(russian)
})
