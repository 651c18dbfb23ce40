import { CATALOGUE } from '#domain/kit/errors'
import type { Language } from '#domain/kit/languages'
import { ACT_KINDS } from '#domain/schedule/scheduled-change'
import {
  isAboutStaff,
  NOTIFICATION_KINDS,
  pathOf,
  type NotificationData,
  type NotificationKind,
} from '#domain/notifications/notification'
import type { MailText } from '#commands/mail/layout'
import { helloEn, helloRu, moneyOf, textOf, type MailTemplate, type MailValues } from '#commands/mail/template'
import { lowBalanceWords } from '#commands/account/mails/low-balance'
import { failureText } from '#commands/payment/mails/payments'

type Words = {
  readonly heading: string
  readonly text: string
  readonly facts?: MailText['facts']
  readonly button: string
}

const EXCHANGES: Readonly<Record<string, string>> = {
  google: 'Google AdX',
  verve: 'Verve Group',
  taboola: 'Taboola',
  yandex: 'Yandex Ad Exchange',
  '3rdpresence': '3rd Presence',
}

function dayOf(value: string | number | undefined, language: Language): string {
  const day = new Date(value ?? Number.NaN)
  return Number.isNaN(day.getTime()) ? '' : new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day)
}

const factOf = (label: string, value: string | number | undefined): NonNullable<MailText['facts']> =>
  textOf(value) === '' ? [] : [[label, textOf(value)]]

/** Names of commands that wait for a second person. */
const WAITING = {
  en: { factor: 'A lost second factor', staff: 'A role of staff', money: 'Money' },
  ru: { factor: 'Сброс второго фактора', staff: 'Роль сотрудника', money: 'Операция с деньгами' },
} as const
function waitingIn(data: NotificationData) {
  if (data['approval'] === 'second_factor') return 'factor'
  return isAboutStaff(data) ? 'staff' : 'money'
}

/** Names of scheduled acts. */
const SCHEDULED = {
  en: { save: 'Change of the settings', run: 'Run', pause: 'Pause', archive: 'Archive' },
  ru: { save: 'Изменение настроек', run: 'Запуск', pause: 'Пауза', archive: 'Перенос в архив' },
} as const
const actOf = (act: string | number | undefined) => ACT_KINDS.find((kind) => kind === act) ?? 'save'

const REFUSED = {
  en: {
    late: 'It could not be carried out within 24 hours',
    rights: 'You may no longer change this campaign',
    status: 'The status of the campaign does not allow it',
  },
  ru: {
    late: 'Не удалось выполнить в течение 24 часов',
    rights: 'У вас больше нет права менять эту кампанию',
    status: 'Статус кампании этого не позволяет',
  },
} as const

/** Why it was refused: the usual reasons in words, others as the sentence of the catalogue, which is English, or as its number. */
function reasonOf({ code, fault }: NotificationData, language: Language): string {
  const words = REFUSED[language]
  if (fault === 'scheduleTooLate') return words.late
  if (code === 3) return words.rights
  if (code === 134 || code === 137) return words.status
  const number = textOf(code)
  return language === 'en' ? (Object.entries(CATALOGUE).find(([known]) => known === number)?.[1].message ?? number) : number
}

const EN: Readonly<Record<NotificationKind, (data: NotificationData) => Words>> = {
  'campaign-approved': ({ name }) => ({
    heading: `Campaign “${textOf(name)}” was approved`,
    text: 'The moderators approved the campaign. It is served as soon as an ad exchange accepts it.',
    button: 'Open the campaign',
  }),
  'campaign-rejected': ({ name, comment }) => ({
    heading: `Campaign “${textOf(name)}” was rejected`,
    text: 'Change what the moderators ask for, and publish the campaign again.',
    facts: factOf('Reason', comment),
    button: 'Open the campaign',
  }),
  'campaign-ended': ({ name, reason }) => ({
    heading: `Campaign “${textOf(name)}” ended`,
    text: reason === 'budget' ? 'Its total budget is spent.' : 'Its end date was reached.',
    button: 'Open the campaign',
  }),
  'campaign-stopped': ({ account }) => ({
    heading: 'Your campaigns stopped: no funds are left',
    text: 'They go on once you add funds.',
    facts: factOf('Account', account),
    button: 'Open billing',
  }),
  'creative-disapproved': ({ name, exchange, creative, topics }) => ({
    heading: `${EXCHANGES[textOf(exchange)] ?? textOf(exchange)} disapproved a creative of “${textOf(name)}”`,
    text: 'Change the creative, and publish the campaign again.',
    facts: [...factOf('Creative', creative), ...factOf('Reason', topics)],
    button: 'Open the creative',
  }),
  'balance-low': (data) => ({ ...lowBalanceWords(data, 'en'), button: 'Open billing' }),
  'payment-failed': ({ amount, currency, failure }) => ({
    heading: `A payment of ${moneyOf(amount, currency, 'en')} failed`,
    text: `${failureText(failure, 'en')}.`,
    button: 'Open billing',
  }),
  'invoice-issued': ({ number, amount, currency, due }) => ({
    heading: `Invoice ${textOf(number)} was issued`,
    text: `${moneyOf(amount, currency, 'en')} is due on ${dayOf(due, 'en')}.`,
    button: 'Open the invoice',
  }),
  'invoice-overdue': ({ number, amount, currency, due }) => ({
    heading: `Invoice ${textOf(number)} is overdue`,
    text: `${moneyOf(amount, currency, 'en')} was due on ${dayOf(due, 'en')}.`,
    button: 'Open the invoice',
  }),
  'audience-ready': ({ name, count }) => ({
    heading: `Audience “${textOf(name)}” is ready`,
    text: `Members: ${new Intl.NumberFormat('en').format(Number(count ?? 0))}.`,
    button: 'Open the audience',
  }),
  'audience-failed': ({ name }) => ({
    heading: `Audience “${textOf(name)}” could not be processed`,
    text: 'Open it to see why, and upload its file again.',
    button: 'Open the audience',
  }),
  'chat-message': () => ({
    heading: 'The support team answered you',
    text: 'Open the chat to read the answer.',
    button: 'Open notifications',
  }),
  'chat-question': ({ account }) => ({
    heading: `A user of “${textOf(account)}” wrote in the chat`,
    text: 'Open the inbox to read and answer.',
    button: 'Open the inbox',
  }),
  'approval-asked': (data) => ({
    heading: `${WAITING.en[waitingIn(data)]} waits for your confirmation`,
    text: 'It needs a second person: another owner asked for it.',
    facts: factOf('Comment', data['comment']),
    button: isAboutStaff(data) ? 'Open staff' : 'Open payments',
  }),
  'schedule-done': ({ name, act }) => ({
    heading: `A scheduled change of “${textOf(name)}” was carried out`,
    text: `${SCHEDULED.en[actOf(act)]}.`,
    button: 'Open the campaign',
  }),
  'schedule-refused': ({ name, act, ...why }) => ({
    heading: `A scheduled change of “${textOf(name)}” was not carried out`,
    text: `${SCHEDULED.en[actOf(act)]}. The campaign stays as it was. Make the change by hand, or schedule it again.`,
    facts: factOf('Reason', reasonOf(why, 'en')),
    button: 'Open the campaign',
  }),
}

const RU: Readonly<Record<NotificationKind, (data: NotificationData) => Words>> = {
  'campaign-approved': ({ name }) => ({
    heading: `Кампания «${textOf(name)}» одобрена`,
    text: 'Модераторы одобрили кампанию. Показы начнутся, как только её примет рекламная биржа.',
    button: 'Открыть кампанию',
  }),
  'campaign-rejected': ({ name, comment }) => ({
    heading: `Кампания «${textOf(name)}» отклонена`,
    text: 'Исправьте то, о чём просят модераторы, и опубликуйте кампанию снова.',
    facts: factOf('Причина', comment),
    button: 'Открыть кампанию',
  }),
  'campaign-ended': ({ name, reason }) => ({
    heading: `Кампания «${textOf(name)}» завершена`,
    text: reason === 'budget' ? 'Её общий бюджет израсходован.' : 'Наступила дата её окончания.',
    button: 'Открыть кампанию',
  }),
  'campaign-stopped': ({ account }) => ({
    heading: 'Кампании остановлены: средства закончились',
    text: 'Показы продолжатся, когда вы пополните баланс.',
    facts: factOf('Аккаунт', account),
    button: 'Открыть оплату',
  }),
  'creative-disapproved': ({ name, exchange, creative, topics }) => ({
    heading: `${EXCHANGES[textOf(exchange)] ?? textOf(exchange)}: креатив кампании «${textOf(name)}» отклонён`,
    text: 'Исправьте креатив и опубликуйте кампанию снова.',
    facts: [...factOf('Креатив', creative), ...factOf('Причина', topics)],
    button: 'Открыть креатив',
  }),
  'balance-low': (data) => ({ ...lowBalanceWords(data, 'ru'), button: 'Открыть оплату' }),
  'payment-failed': ({ amount, currency, failure }) => ({
    heading: `Платёж на ${moneyOf(amount, currency, 'ru')} не прошёл`,
    text: `${failureText(failure, 'ru')}.`,
    button: 'Открыть оплату',
  }),
  'invoice-issued': ({ number, amount, currency, due }) => ({
    heading: `Выставлен счёт ${textOf(number)}`,
    text: `${moneyOf(amount, currency, 'ru')}, оплатить до ${dayOf(due, 'ru')}.`,
    button: 'Открыть счёт',
  }),
  'invoice-overdue': ({ number, amount, currency, due }) => ({
    heading: `Счёт ${textOf(number)} просрочен`,
    text: `${moneyOf(amount, currency, 'ru')}, срок оплаты: ${dayOf(due, 'ru')}.`,
    button: 'Открыть счёт',
  }),
  'audience-ready': ({ name, count }) => ({
    heading: `Аудитория «${textOf(name)}» готова`,
    text: `Участников: ${new Intl.NumberFormat('ru').format(Number(count ?? 0))}.`,
    button: 'Открыть аудиторию',
  }),
  'audience-failed': ({ name }) => ({
    heading: `Аудиторию «${textOf(name)}» не удалось обработать`,
    text: 'Откройте её, чтобы узнать причину, и загрузите файл снова.',
    button: 'Открыть аудиторию',
  }),
  'chat-message': () => ({
    heading: 'Поддержка ответила вам',
    text: 'Откройте чат, чтобы прочитать ответ.',
    button: 'Открыть уведомления',
  }),
  'chat-question': ({ account }) => ({
    heading: `Пользователь аккаунта «${textOf(account)}» написал в чат`,
    text: 'Откройте сообщения, чтобы прочитать и ответить.',
    button: 'Открыть сообщения',
  }),
  'approval-asked': (data) => ({
    heading: `${WAITING.ru[waitingIn(data)]} ждёт вашего подтверждения`,
    text: 'Изменение запросил другой владелец, и нужен второй человек.',
    facts: factOf('Комментарий', data['comment']),
    button: isAboutStaff(data) ? 'Открыть сотрудников' : 'Открыть платежи',
  }),
  'schedule-done': ({ name, act }) => ({
    heading: `Запланированное изменение кампании «${textOf(name)}» выполнено`,
    text: `${SCHEDULED.ru[actOf(act)]}.`,
    button: 'Открыть кампанию',
  }),
  'schedule-refused': ({ name, act, ...why }) => ({
    heading: `Запланированное изменение кампании «${textOf(name)}» не выполнено`,
    text: `${SCHEDULED.ru[actOf(act)]}. Кампания осталась без изменений. Внесите изменение вручную или запланируйте его снова.`,
    facts: factOf('Причина', reasonOf(why, 'ru')),
    button: 'Открыть кампанию',
  }),
}

const kindOf = (value: unknown): NotificationKind => NOTIFICATION_KINDS.find((kind) => kind === value) ?? 'chat-message'
const wordsOf = (kind: NotificationKind, data: NotificationData, language: Language): Words =>
  (language === 'ru' ? RU : EN)[kind](data)

const NOTES: Readonly<Record<Language, string>> = {
  en: 'You choose in the settings which mails you get.',
  ru: 'Какие письма получать, можно выбрать в настройках.',
}

const one = (values: MailValues, language: Language): MailText => {
  const { heading, text, facts = [], button } = wordsOf(kindOf(values.data['kind']), values.data, language)
  return {
    subject: `${values.brand}: ${heading}`,
    preview: text,
    heading,
    paragraphs: [language === 'ru' ? helloRu(values) : helloEn(values), text],
    facts,
    button: { label: button, url: values.link },
    notes: [NOTES[language]],
  }
}

/** A notification at once. Data: its `kind`, and what the kind shows. */
export const notification: MailTemplate = {
  for: 'active',
  path: (data) => pathOf(kindOf(data['kind']), data),
  texts: { en: (values) => one(values, 'en'), ru: (values) => one(values, 'ru') },
}

type Item = { readonly kind: unknown; readonly data: NotificationData }

/** The notifications listed in the data; none when they cannot be read. */
function itemsOf({ items }: MailValues['data']): readonly Item[] {
  try {
    const parsed: unknown = JSON.parse(textOf(items))
    return Array.isArray(parsed) ? (parsed as readonly Item[]) : []
  } catch {
    return []
  }
}

const digest = (values: MailValues, language: Language): MailText => {
  const items = itemsOf(values.data)
  const count = Number(values.data['count'] ?? items.length)
  const isRussian = language === 'ru'
  const lines = items.map(({ kind: stored, data }) => {
    const kind = kindOf(stored)
    const { heading, text } = wordsOf(kind, data, language)
    return { text: `${heading}. ${text}`, url: new URL(pathOf(kind, data), values.link).href }
  })
  const more = count - items.length
  const heading = isRussian ? `Уведомления за день: ${count}` : `Notifications of the day: ${count}`
  return {
    subject: `${values.brand}: ${heading}`,
    preview: lines[0]?.text ?? '',
    heading,
    paragraphs: [
      isRussian ? helloRu(values) : helloEn(values),
      ...lines,
      ...(more > 0 ? [isRussian ? `И ещё: ${more}.` : `And ${more} more.`] : []),
    ],
    button: { label: isRussian ? 'Открыть уведомления' : 'Open notifications', url: values.link },
    notes: [NOTES[language]],
  }
}

/** The notifications of a day. Data: `count`, and the newest of them as JSON in `items`. */
export const notificationDigest: MailTemplate = {
  for: 'active',
  path: '/notifications',
  texts: { en: (values) => digest(values, 'en'), ru: (values) => digest(values, 'ru') },
}
