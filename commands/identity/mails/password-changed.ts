import { type Language } from '#domain/kit/languages'
import { helloEn, helloRu, instantOf, type MailTemplate, type MailValues } from '#commands/mail/template'

const at = ({ data }: MailValues, label: string, language: Language) => {
  const instant = instantOf(data.at, language)
  return instant === '' ? [] : [[label, instant] as const]
}

/** The password was changed or reset. Data: `at`, an instant. */
export const passwordChanged: MailTemplate = {
  for: 'everyone',
  path: '/auth/forgot-password',
  texts: {
    en: (values) => ({
      subject: `Your ${values.brand} password was changed`,
      preview: 'If this was not you, reset it now.',
      heading: 'Your password was changed',
      paragraphs: [helloEn(values), `The password of your ${values.brand} account was changed. Other sessions were ended.`],
      facts: at(values, 'Time', 'en'),
      button: { label: 'This was not me', url: values.link },
    }),
    ru: (values) => ({
      subject: `Ваш пароль в ${values.brand} изменён`,
      preview: 'Если это были не вы, восстановите его сейчас.',
      heading: 'Ваш пароль изменён',
      paragraphs: [helloRu(values), `Пароль вашей учётной записи в ${values.brand} изменён. Другие сеансы завершены.`],
      facts: at(values, 'Время', 'ru'),
      button: { label: 'Это был не я', url: values.link },
    }),
  },
}
