import type { Language } from '#domain/kit/languages'
import { CARD_BRANDS, cardBrandOf } from '#domain/payment/brands'
import { FAILURE_TEXTS, failureCodeOf, type FailureCode } from '#domain/payment/failures'
import type { MailText } from '#commands/mail/layout'
import { helloEn, helloRu, instantOf, moneyOf, textOf, type MailTemplate, type MailValues } from '#commands/mail/template'

/** Data: `amount` in currency units, `currency`. */
const amountOf = ({ data }: MailValues, language: Language): string => moneyOf(data.amount, data.currency, language)

/** `Visa •••• 4242`. Data: `brand`, `last4`. */
function cardOf({ data }: MailValues): string {
  const label = CARD_BRANDS[cardBrandOf(textOf(data.brand))]
  return `${label === 'unrecognized' ? '' : `${label} `}•••• ${textOf(data.last4)}`
}

const FAILURES_RU: Readonly<Record<FailureCode, string>> = {
  card_declined: 'Банк отклонил карту. Используйте другую карту или спросите банк о причине',
  insufficient_funds: 'На карте не хватает средств. Используйте другую карту или меньшую сумму',
  expired_card: 'Срок действия карты истёк. Используйте другую карту',
  card_unknown: 'Платёжная система больше не знает эту карту. Удалите её и добавьте снова',
  incorrect_cvc: 'Неверный код безопасности карты. Добавьте карту ещё раз',
  processing_error: 'Банк не смог провести платёж. Попробуйте через несколько минут',
  authentication_failed: 'Банк не смог подтвердить, что это вы. Попробуйте ещё раз или используйте другую карту',
  authentication_required: 'Банк просит подтверждение. Пополните счёт вручную, чтобы подтвердить платёж',
  currency_not_supported: 'Карта не принимает эту валюту. Используйте другую карту',
  canceled: 'Платёж не был завершён вовремя, деньги не списаны. Попробуйте ещё раз',
}

/** Why a payment failed, without a full stop. */
export const failureText = (failure: string | number | undefined, language: Language): string => {
  const code = failureCodeOf(textOf(failure))
  return language === 'ru' ? FAILURES_RU[code] : FAILURE_TEXTS[code]
}

const both = (mail: (values: MailValues, language: Language) => MailText): Pick<MailTemplate, 'for' | 'path' | 'texts'> => ({
  for: 'active',
  path: '/payments/history',
  texts: { en: (values) => mail(values, 'en'), ru: (values) => mail(values, 'ru') },
})

/** Money arrived from a card. Data: `account`, `amount`, `currency`, `brand`, `last4`, `number`, `at`. */
export const paymentReceipt: MailTemplate = both((values, language) => {
  const amount = amountOf(values, language)
  const { account, number, at } = values.data
  if (language === 'ru')
    return {
      subject: `Чек ${textOf(number)}: ${amount}`,
      preview: `${textOf(account)} пополнен на ${amount}.`,
      heading: 'Платёж получен',
      paragraphs: [helloRu(values), `Счёт пополнен на ${amount}. Спасибо!`],
      facts: [
        ['Чек', textOf(number)],
        ['Аккаунт', textOf(account)],
        ['Сумма', amount],
        ['Карта', cardOf(values)],
        ['Время', instantOf(at, language)],
      ],
      button: { label: 'Открыть оплату', url: values.link },
    }
  return {
    subject: `Receipt ${textOf(number)}: ${amount}`,
    preview: `${amount} was added to ${textOf(account)}.`,
    heading: 'Payment received',
    paragraphs: [helloEn(values), `${amount} was added to the balance of your account. Thank you.`],
    facts: [
      ['Receipt', textOf(number)],
      ['Account', textOf(account)],
      ['Amount', amount],
      ['Card', cardOf(values)],
      ['Time', instantOf(at, language)],
    ],
    button: { label: 'Open billing', url: values.link },
  }
})

/** An automatic refill failed, and none follows. Data: as the receipt's, and `failure`. */
export const autoRefillStopped: MailTemplate = both((values, language) => {
  const amount = amountOf(values, language)
  const reason = failureText(values.data.failure, language)
  if (language === 'ru')
    return {
      subject: `${values.brand}: автоматическое пополнение остановлено`,
      preview: `Не удалось списать ${amount}.`,
      heading: 'Автоматическое пополнение остановлено',
      paragraphs: [
        helloRu(values),
        `Не удалось списать ${amount} с карты. ${reason}.`,
        'Новых списаний не будет, пока вы не включите его снова.',
      ],
      facts: [
        ['Аккаунт', textOf(values.data.account)],
        ['Карта', cardOf(values)],
      ],
      button: { label: 'Открыть оплату', url: values.link },
    }
  return {
    subject: `${values.brand}: automatic refill stopped`,
    preview: `${amount} could not be charged.`,
    heading: 'Automatic refill stopped',
    paragraphs: [
      helloEn(values),
      `${amount} could not be charged to your card. ${reason}.`,
      'No further charge is made until you switch it on again.',
    ],
    facts: [
      ['Account', textOf(values.data.account)],
      ['Card', cardOf(values)],
    ],
    button: { label: 'Open billing', url: values.link },
  }
})

/** A card expires within a month. Data: `account`, `brand`, `last4`, `expires` as `12/2026`. */
export const cardExpires: MailTemplate = both((values, language) => {
  const card = cardOf(values)
  const { account, expires } = values.data
  if (language === 'ru')
    return {
      subject: `${values.brand}: срок карты ${card} скоро истечёт`,
      preview: `Карта действует до ${textOf(expires)}.`,
      heading: 'Срок карты скоро истечёт',
      paragraphs: [helloRu(values), 'Добавьте другую карту, чтобы счёт можно было пополнять и дальше.'],
      facts: [
        ['Аккаунт', textOf(account)],
        ['Карта', card],
        ['Действует до', textOf(expires)],
      ],
      button: { label: 'Открыть карты', url: values.link },
    }
  return {
    subject: `${values.brand}: your card ${card} expires soon`,
    preview: `The card is valid until ${textOf(expires)}.`,
    heading: 'Your card expires soon',
    paragraphs: [helloEn(values), 'Add another card so that the account can still be refilled.'],
    facts: [
      ['Account', textOf(account)],
      ['Card', card],
      ['Valid until', textOf(expires)],
    ],
    button: { label: 'Open cards', url: values.link },
  }
})
