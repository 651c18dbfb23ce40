import type { Language } from '#domain/kit/languages'
import type { MailText } from '#commands/mail/layout'
import { helloEn, helloRu, textOf, type MailTemplate, type MailValues } from '#commands/mail/template'

function dayOf(value: string | number | undefined, language: Language): string {
  const day = new Date(`${textOf(value)}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) return textOf(value)
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day)
}

const mail = (values: MailValues, language: Language): MailText => {
  const { data, brand, link } = values
  const name = textOf(data.name)
  const isRussian = language === 'ru'
  const period = `${dayOf(data.from, language)} – ${dayOf(data.to, language)}`
  const isAttached = data.attached === 'yes'
  return {
    subject: isRussian ? `${brand}: отчёт «${name}»` : `${brand}: report “${name}”`,
    preview: period,
    heading: isRussian ? `Отчёт «${name}»` : `Report “${name}”`,
    paragraphs: [
      isRussian ? helloRu(values) : helloEn(values),
      isAttached
        ? isRussian
          ? 'Отчёт приложен к этому письму.'
          : 'The report is attached to this mail.'
        : isRussian
          ? 'Отчёт слишком большой для письма: откройте его по ссылке.'
          : 'The report is too large for a mail: open it with the link.',
      isRussian ? 'Расписание можно изменить в сохранённых отчётах.' : 'You can change its schedule among your saved reports.',
    ],
    facts: [[isRussian ? 'Период' : 'Period', period]],
    button: {
      label: isRussian ? 'Открыть отчёт' : 'Open the report',
      url: `${link}?saved=${encodeURIComponent(textOf(data.report))}`,
    },
  }
}

/** A saved report with its file. Data: `report`, `name`, `from`, `to`, `attached`. */
export const savedReport: MailTemplate = {
  for: 'active',
  path: '/reports',
  attachment: 'report',
  texts: { en: (values) => mail(values, 'en'), ru: (values) => mail(values, 'ru') },
}
