import { helloEn, helloRu, textOf, type MailTemplate } from '#commands/mail/template'

/** Mailed to a person whose record was linked to an identity provider. */
export const signOnLinked: MailTemplate = {
  for: 'active',
  path: '/auth/login',
  texts: {
    en: (values) => ({
      subject: `${values.brand}: you can sign in with ${textOf(values.data['provider'])}`,
      preview: 'Single sign-on was linked to your access',
      heading: 'Single sign-on is linked',
      paragraphs: [
        helloEn(values),
        `Your access is now linked to ${textOf(values.data['provider'])}. A sign-in there with your account is a sign-in here as you.`,
      ],
      button: { label: 'Sign in', url: values.link },
      notes: ['If this was not you, write to the administrators of your organisation and to us.'],
    }),
    ru: (values) => ({
      subject: `${values.brand}: вход через ${textOf(values.data['provider'])}`,
      preview: 'К вашему доступу привязан единый вход',
      heading: 'Единый вход привязан',
      paragraphs: [
        helloRu(values),
        `Ваш доступ привязан к ${textOf(values.data['provider'])}. Вход под вашей учётной записью там открывает ваш доступ здесь.`,
      ],
      button: { label: 'Войти', url: values.link },
      notes: ['Если это были не вы, напишите администраторам вашей организации и нам.'],
    }),
  },
}
