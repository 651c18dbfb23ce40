import { helloEn, helloRu, type MailTemplate } from '#commands/mail/template'

/** The link with which a forgotten password is replaced. Queued to an address: one without an active user gets no mail. */
export const passwordReset: MailTemplate = {
  for: 'active',
  path: '/auth/reset-password',
  key: 'reset',
  texts: {
    en: (values) => ({
      subject: `Reset your ${values.brand} password`,
      preview: 'Choose a new password.',
      heading: 'Reset your password',
      paragraphs: [helloEn(values), `A new password was requested for your ${values.brand} account.`],
      button: { label: 'Choose a new password', url: values.link },
      notes: ['The link works once and for an hour. If you did not ask for it, ignore this mail: your password stays as it is.'],
    }),
    ru: (values) => ({
      subject: `Восстановление пароля в ${values.brand}`,
      preview: 'Выберите новый пароль.',
      heading: 'Восстановление пароля',
      paragraphs: [helloRu(values), `Для вашей учётной записи в ${values.brand} запрошен новый пароль.`],
      button: { label: 'Выбрать новый пароль', url: values.link },
      notes: ['Ссылка действует один раз и один час. Если вы её не запрашивали, не обращайте внимания: ваш пароль не изменится.'],
    }),
  },
}
