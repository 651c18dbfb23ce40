import { helloEn, helloRu, textOf, type MailTemplate, type MailValues } from '#commands/mail/template'

const reason = ({ data }: MailValues, label: string) =>
  textOf(data.comment) === '' ? [] : [[label, textOf(data.comment)] as const]

/** A moderator rejected the registration. */
export const registrationRejected: MailTemplate = {
  for: 'everyone',
  path: '/auth/signup',
  texts: {
    en: (values) => ({
      subject: `Your ${values.brand} registration`,
      preview: 'We could not approve your registration.',
      heading: 'We could not approve your registration',
      paragraphs: [helloEn(values), `Thank you for your interest in ${values.brand}. We could not approve your registration.`],
      facts: reason(values, 'Reason'),
      button: { label: 'Register again', url: values.link },
    }),
    ru: (values) => ({
      subject: `Ваша регистрация в ${values.brand}`,
      preview: 'Мы не смогли одобрить вашу регистрацию.',
      heading: 'Мы не смогли одобрить вашу регистрацию',
      paragraphs: [helloRu(values), `Спасибо за интерес к ${values.brand}. К сожалению, мы не смогли одобрить вашу регистрацию.`],
      facts: reason(values, 'Причина'),
      button: { label: 'Зарегистрироваться снова', url: values.link },
    }),
  },
}
