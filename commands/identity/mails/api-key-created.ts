import { helloEn, helloRu, instantOf, textOf, type MailTemplate } from '#commands/mail/template'

/** An API key was created. Data: `at` and `until`, instants, and `hint`, the last characters of the key; its name could carry any text. */
export const apiKeyCreated: MailTemplate = {
  for: 'everyone',
  path: '/auth/forgot-password',
  texts: {
    en: (values) => ({
      subject: `${values.brand}: an API key was created`,
      preview: 'If this was not you, reset your password now.',
      heading: 'An API key was created',
      paragraphs: [helloEn(values), `Programs can use it to act for you in ${values.brand}.`],
      facts: [
        ['Ends with', textOf(values.data.hint)],
        ['Created', instantOf(values.data.at, 'en')],
        ['Valid until', instantOf(values.data.until, 'en')],
      ],
      button: { label: 'This was not me', url: values.link },
      notes: ['A new password ends all your API keys.'],
    }),
    ru: (values) => ({
      subject: `${values.brand}: создан ключ API`,
      preview: 'Если это были не вы, смените пароль сейчас.',
      heading: 'Создан ключ API',
      paragraphs: [helloRu(values), `С ним программы могут действовать от вашего имени в ${values.brand}.`],
      facts: [
        ['Заканчивается на', textOf(values.data.hint)],
        ['Создан', instantOf(values.data.at, 'ru')],
        ['Действует до', instantOf(values.data.until, 'ru')],
      ],
      button: { label: 'Это был не я', url: values.link },
      notes: ['С новым паролем перестают действовать все ваши ключи API.'],
    }),
  },
}
