import { helloEn, helloRu, type MailTemplate } from '#commands/mail/template'

/** A registration is approved: the link leads to the page that sets the password. */
export const confirmRegistration: MailTemplate = {
  for: 'awaiting-completion',
  path: '/auth/confirm-registration',
  key: 'confirmation',
  texts: {
    en: (values) => ({
      subject: `Confirm your ${values.brand} registration`,
      preview: 'Set a password to complete your registration.',
      heading: 'Your registration is approved',
      paragraphs: [helloEn(values), `Set a password to complete your registration with ${values.brand}. Then you can sign in.`],
      button: { label: 'Complete registration', url: values.link },
      notes: ['The link works once and for 72 hours. If you did not register, ignore this mail.'],
    }),
    ru: (values) => ({
      subject: `Подтвердите регистрацию в ${values.brand}`,
      preview: 'Задайте пароль, чтобы завершить регистрацию.',
      heading: 'Ваша регистрация одобрена',
      paragraphs: [
        helloRu(values),
        `Задайте пароль, чтобы завершить регистрацию в ${values.brand}. После этого вы сможете войти.`,
      ],
      button: { label: 'Завершить регистрацию', url: values.link },
      notes: ['Ссылка действует один раз и 72 часа. Если вы не регистрировались, не обращайте внимания на это письмо.'],
    }),
  },
}
