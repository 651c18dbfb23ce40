import { helloEn, helloRu, textOf, type MailTemplate } from '#commands/mail/template'

/** An invitation to the people of an account or to the staff of a white-label. Data: `account`, its name. */
export const invitation: MailTemplate = {
  for: 'awaiting-completion',
  path: '/auth/confirm-registration',
  key: 'confirmation',
  texts: {
    en: (values) => ({
      subject: `You are invited to ${textOf(values.data.account)}`,
      preview: 'Set a password to start.',
      heading: `Join ${textOf(values.data.account)}`,
      paragraphs: [helloEn(values), `You are invited to work for ${textOf(values.data.account)} in ${values.brand}.`],
      button: { label: 'Set a password', url: values.link },
      notes: ['The link works once and for 72 hours. If you do not expect this mail, ignore it.'],
    }),
    ru: (values) => ({
      subject: `Вас пригласили в ${textOf(values.data.account)}`,
      preview: 'Задайте пароль, чтобы начать.',
      heading: `Работа в ${textOf(values.data.account)}`,
      paragraphs: [helloRu(values), `Вас пригласили работать в ${values.brand} от имени ${textOf(values.data.account)}.`],
      button: { label: 'Задать пароль', url: values.link },
      notes: ['Ссылка действует один раз и 72 часа. Если вы не ждали этого письма, не обращайте на него внимания.'],
    }),
  },
}
