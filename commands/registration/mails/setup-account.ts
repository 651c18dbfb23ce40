import { helloEn, helloRu, type MailTemplate } from '#commands/mail/template'

/** An account was created for the recipient, by staff: the link leads to the page that sets the password. */
export const setUpAccount: MailTemplate = {
  for: 'awaiting-completion',
  path: '/auth/confirm-registration',
  key: 'confirmation',
  texts: {
    en: (values) => ({
      subject: `Your ${values.brand} account`,
      preview: 'Set a password to start.',
      heading: `Welcome to ${values.brand}`,
      paragraphs: [helloEn(values), 'An account was created for you. Set a password to start.'],
      button: { label: 'Set a password', url: values.link },
      notes: ['The link works once and for 72 hours. If you do not expect this mail, ignore it.'],
    }),
    ru: (values) => ({
      subject: `Ваша учётная запись в ${values.brand}`,
      preview: 'Задайте пароль, чтобы начать.',
      heading: `Добро пожаловать в ${values.brand}`,
      paragraphs: [helloRu(values), 'Для вас создана учётная запись. Задайте пароль, чтобы начать.'],
      button: { label: 'Задать пароль', url: values.link },
      notes: ['Ссылка действует один раз и 72 часа. Если вы не ждали этого письма, не обращайте на него внимания.'],
    }),
  },
}
