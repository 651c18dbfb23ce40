import type { Language } from '#domain/kit/languages'
import type { MailText } from '#commands/mail/layout'
import { helloEn, helloRu, moneyOf, textOf, type MailTemplate, type MailValues } from '#commands/mail/template'

function dayOf(value: string | number | undefined, language: Language): string {
  const day = new Date(`${textOf(value)}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) return textOf(value)
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day)
}

const mail = (values: MailValues, language: Language): MailText => {
  const { data, brand, link } = values
  const number = textOf(data.number)
  const isRussian = language === 'ru'
  const due = dayOf(data.due, language)
  const amount = moneyOf(data.total, data.currency, language)
  return {
    subject: isRussian ? `${brand}: счёт ${number}` : `${brand}: invoice ${number}`,
    preview: isRussian ? `${amount}, оплатить до ${due}` : `${amount}, due ${due}`,
    heading: isRussian ? `Счёт ${number}` : `Invoice ${number}`,
    paragraphs: [
      isRussian ? helloRu(values) : helloEn(values),
      isRussian ? 'Счёт приложен к этому письму в формате PDF.' : 'The invoice is attached to this mail as a PDF.',
    ],
    facts: [
      [isRussian ? 'Аккаунт' : 'Account', textOf(data.account)],
      [isRussian ? 'Период' : 'Period', `${dayOf(data.from, language)} – ${dayOf(data.to, language)}`],
      [isRussian ? 'Сумма' : 'Amount', amount],
      [isRussian ? 'Оплатить до' : 'Due', due],
    ],
    button: { label: isRussian ? 'Открыть счета' : 'Open invoices', url: link },
  }
}

/** An invoice with its PDF. Data: `invoice`, `number`, `account`, `total` in currency units, `currency`, `from`, `to`, `due`, `language`. */
export const invoiceIssued: MailTemplate = {
  for: 'everyone',
  path: '/payments/history?tab=invoices',
  outsiders: true,
  attachment: 'invoice',
  texts: { en: (values) => mail(values, 'en'), ru: (values) => mail(values, 'ru') },
}
