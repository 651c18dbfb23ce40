import type { Language } from '#domain/kit/languages'
import type { MailText } from '#commands/mail/layout'
import { helloEn, helloRu, moneyOf, textOf, type MailTemplate, type MailValues } from '#commands/mail/template'

type Words = { readonly heading: string; readonly text: string }

/** For how many days the balance lasts, in words; empty when it is not known. */
function lasts({ days }: MailValues['data'], language: Language): string {
  if (days === undefined) return ''
  const whole = Number(days)
  if (language === 'en')
    return whole === 0
      ? 'less than a day'
      : new Intl.NumberFormat('en', { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(whole)
  return whole === 0
    ? 'меньше дня'
    : new Intl.NumberFormat('ru', { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(whole)
}

/** The heading and the text of a notice of a low balance. */
export function lowBalanceWords(data: MailValues['data'], language: Language): Words {
  const amount = moneyOf(data.available, data.currency, language)
  const isRussian = language === 'ru'
  switch (textOf(data.notice)) {
    case 'empty':
      return isRussian
        ? { heading: 'Ваш баланс исчерпан', text: 'Кампании остановлены, пока вы не пополните баланс.' }
        : { heading: 'Your balance is used up', text: 'Your campaigns are paused until you add funds.' }
    case 'runway_1':
      return isRussian
        ? {
            heading: `Осталось ${amount}: хватит меньше чем на день`,
            text: 'При нынешних расходах кампании остановятся в течение дня.',
          }
        : {
            heading: `${amount} is left: less than a day`,
            text: 'At the present spend, your campaigns will stop within a day.',
          }
    case 'runway_3':
      return isRussian
        ? {
            heading: `Осталось ${amount}: хватит меньше чем на 3 дня`,
            text: 'При нынешних расходах кампании остановятся в течение трёх дней.',
          }
        : {
            heading: `${amount} is left: less than 3 days`,
            text: 'At the present spend, your campaigns will stop within three days.',
          }
    default:
      return isRussian
        ? { heading: `На балансе осталось ${amount}`, text: 'Пополните баланс, чтобы кампании продолжали работать.' }
        : { heading: `${amount} is left on your balance`, text: 'Add funds so that your campaigns keep running.' }
  }
}

const mail = (values: MailValues, language: Language): MailText => {
  const { heading, text } = lowBalanceWords(values.data, language)
  const isRussian = language === 'ru'
  const days = lasts(values.data, language)
  return {
    subject: `${values.brand}: ${heading}`,
    preview: text,
    heading,
    paragraphs: [isRussian ? helloRu(values) : helloEn(values), text],
    facts: [
      [isRussian ? 'Аккаунт' : 'Account', textOf(values.data.account)],
      [isRussian ? 'Доступно' : 'Available', moneyOf(values.data.available, values.data.currency, language)],
      ...(days === '' ? [] : [[isRussian ? 'Хватит на' : 'Lasts', days] as const]),
    ],
    button: { label: isRussian ? 'Открыть оплату' : 'Open billing', url: values.link },
    notes: [isRussian ? 'Эти письма можно отключить в настройках.' : 'You can turn these mails off in the settings.'],
  }
}

/** The account's balance is low (decisions G-207). Data: `notice`, `account`, `available`, `currency`, and `days` where it spends. */
export const lowBalance: MailTemplate = {
  for: 'active',
  path: '/payments/history',
  texts: { en: (values) => mail(values, 'en'), ru: (values) => mail(values, 'ru') },
}
