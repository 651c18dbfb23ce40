import { helloEn, helloRu, textOf, type MailTemplate } from '#commands/mail/template'

/** Changed thing, by the kind of approval that it needs where a white-label wants a second person. */
const CHANGED = {
  en: {
    invoicing: 'Whom and where customers pay was changed',
    credit_limit: 'A credit limit was raised',
    confirming_roles: 'A directory or identity provider made an owner',
    sign_on_provider: 'An identity provider may do more',
    sign_on_domain: 'A mail domain was bound to an identity provider',
    directory_token: 'A token for a directory was made',
    sign_on_link: 'The sign-on link of an owner was freed',
  },
  ru: {
    invoicing: 'Изменено, кому и куда платят клиенты',
    credit_limit: 'Повышен кредитный лимит',
    confirming_roles: 'Каталог или провайдер входа назначил владельца',
    sign_on_provider: 'Провайдер входа может больше',
    sign_on_domain: 'Почтовый домен привязан к провайдеру входа',
    directory_token: 'Создан токен для каталога',
    sign_on_link: 'Снята привязка единого входа владельца',
  },
} as const
export type KeyChange = keyof (typeof CHANGED)['en']
export const isKeyChange = (kind: string): kind is KeyChange => Object.hasOwn(CHANGED.en, kind)

const changeOf = (what: unknown): KeyChange => (typeof what === 'string' && isKeyChange(what) ? what : 'invoicing')

/** Mailed to the other owners of a white-label when one of them changes what gives power over money or people. Data: `what`. */
export const keysChanged: MailTemplate = {
  for: 'active',
  path: '/audit',
  texts: {
    en: (values) => {
      const heading = CHANGED.en[changeOf(values.data['what'])]
      return {
        subject: `${values.brand}: ${heading}`,
        preview: 'Make sure that it was meant to be',
        heading,
        paragraphs: [helloEn(values), 'The security log says who did it, and the settings show what is in force now.'],
        facts: factsOf('Settings', values.data['fields']),
        button: { label: 'Open the log', url: values.link },
        notes: ['If you know nothing of it, talk to the other owners at once, and sign the person out on the page of staff.'],
      }
    },
    ru: (values) => {
      const heading = CHANGED.ru[changeOf(values.data['what'])]
      return {
        subject: `${values.brand}: ${heading}`,
        preview: 'Убедитесь, что так и задумано',
        heading,
        paragraphs: [helloRu(values), 'Кто это сделал, видно в журнале безопасности, а что действует сейчас — в настройках.'],
        facts: factsOf('Настройки', values.data['fields']),
        button: { label: 'Открыть журнал', url: values.link },
        notes: [
          'Если вы об этом не знаете, сразу спросите других владельцев и завершите сеансы этого человека на странице сотрудников.',
        ],
      }
    },
  },
}

const factsOf = (label: string, fields: string | number | undefined): readonly (readonly [string, string])[] =>
  fields === undefined || fields === '' ? [] : [[label, textOf(fields)]]
