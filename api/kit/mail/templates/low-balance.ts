import type { Language, MailText } from '../layout.ts'
import { helloEn, helloRu, textOf, type MailTemplate, type MailValues } from '../template.ts'

/** The available amount in words. Data: `available` in currency units, `currency`. */
function amountOf({ data }: MailValues, language: Language): string {
  const currency = textOf(data.currency)
  const amount = Number(data.available ?? 0)
  if (!/^[A-Z]{3}$/.test(currency)) return String(amount)
  return new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(amount)
}

type Words = { readonly heading: string; readonly text: string }
const EN: Readonly<Record<string, Words>> = {
  empty: { heading: 'Your balance is used up', text: 'Your campaigns are paused until you add funds.' },
  runway_1: {
    heading: 'Your balance lasts less than a day',
    text: 'At the present spend, your campaigns will stop within a day.',
  },
  runway_3: {
    heading: 'Your balance lasts less than 3 days',
    text: 'At the present spend, your campaigns will stop within three days.',
  },
  below_1000: { heading: 'Your balance is below 1,000', text: 'Add funds so that your campaigns keep running.' },
}
const RU: Readonly<Record<string, Words>> = {
  empty: { heading: 'Ваш баланс исчерпан', text: 'Кампании остановлены, пока вы не пополните баланс.' },
  runway_1: { heading: 'Баланса хватит меньше чем на день', text: 'При нынешних расходах кампании остановятся в течение дня.' },
  runway_3: {
    heading: 'Баланса хватит меньше чем на 3 дня',
    text: 'При нынешних расходах кампании остановятся в течение трёх дней.',
  },
  below_1000: { heading: 'Ваш баланс ниже 1 000', text: 'Пополните баланс, чтобы кампании продолжали работать.' },
}
const NO_WORDS: Words = { heading: '', text: '' }

const mail = (values: MailValues, language: Language): MailText => {
  const { heading, text } =
    (language === 'ru' ? RU : EN)[textOf(values.data.notice)] ?? (language === 'ru' ? RU : EN).below_1000 ?? NO_WORDS
  const isRussian = language === 'ru'
  return {
    subject: `${values.brand}: ${heading}`,
    preview: text,
    heading,
    paragraphs: [isRussian ? helloRu(values) : helloEn(values), text],
    facts: [
      [isRussian ? 'Аккаунт' : 'Account', textOf(values.data.account)],
      [isRussian ? 'Доступно' : 'Available', amountOf(values, language)],
    ],
    button: { label: isRussian ? 'Открыть оплату' : 'Open billing', url: values.link },
    notes: [isRussian ? 'Эти письма можно отключить в настройках.' : 'You can turn these mails off in the settings.'],
  }
}

/** The account's balance is low (decisions G-207). Data: `notice`, `account`, `available`, `currency`. */
export const lowBalance: MailTemplate = {
  for: 'active',
  path: '/payments/history',
  texts: { en: (values) => mail(values, 'en'), ru: (values) => mail(values, 'ru') },
}
