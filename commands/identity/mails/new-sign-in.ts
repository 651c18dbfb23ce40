import { type Language } from '#domain/kit/languages'
import { helloEn, helloRu, instantOf, textOf, type MailTemplate, type MailValues } from '#commands/mail/template'

const facts = ({ data }: MailValues, language: Language, labels: { readonly at: string; readonly device: string }) =>
  [[labels.device, textOf(data.device)] as const, [labels.at, instantOf(data.at, language)] as const].filter(
    ([, value]) => value !== '',
  )

/** A sign-in from a device or network that was not used before. Data: `device`, `at`. */
export const newSignIn: MailTemplate = {
  for: 'everyone',
  path: '/auth/forgot-password',
  texts: {
    en: (values) => ({
      subject: `New sign-in to ${values.brand}`,
      preview: 'A sign-in from a device that you have not used before.',
      heading: 'New sign-in',
      paragraphs: [
        helloEn(values),
        `Someone signed in to your ${values.brand} account from a device or network that was not used before.`,
      ],
      facts: facts(values, 'en', { device: 'Device', at: 'Time' }),
      button: { label: 'This was not me', url: values.link },
      notes: ['If this was you, there is nothing to do.'],
    }),
    ru: (values) => ({
      subject: `Новый вход в ${values.brand}`,
      preview: 'Вход с устройства, которым вы раньше не пользовались.',
      heading: 'Новый вход',
      paragraphs: [helloRu(values), `В вашу учётную запись ${values.brand} вошли с нового устройства или из новой сети.`],
      facts: facts(values, 'ru', { device: 'Устройство', at: 'Время' }),
      button: { label: 'Это был не я', url: values.link },
      notes: ['Если это были вы, ничего делать не нужно.'],
    }),
  },
}
