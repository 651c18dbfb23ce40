import { helloEn, helloRu, type MailTemplate } from '../template.ts'

type Texts = {
  readonly en: { readonly heading: string; readonly text: string }
  readonly ru: { readonly heading: string; readonly text: string }
}

const secondFactor = ({ en, ru }: Texts): MailTemplate => ({
  for: 'everyone',
  path: '/auth/forgot-password',
  texts: {
    en: (values) => ({
      subject: `${values.brand}: ${en.heading.toLowerCase()}`,
      preview: en.heading,
      heading: en.heading,
      paragraphs: [helloEn(values), en.text],
      button: { label: 'This was not me', url: values.link },
      notes: ['If this was you, there is nothing to do.'],
    }),
    ru: (values) => ({
      subject: `${values.brand}: ${ru.heading.toLowerCase()}`,
      preview: ru.heading,
      heading: ru.heading,
      paragraphs: [helloRu(values), ru.text],
      button: { label: 'Это был не я', url: values.link },
      notes: ['Если это были вы, ничего делать не нужно.'],
    }),
  },
})

export const secondFactorOn = secondFactor({
  en: { heading: 'Two-step sign-in is on', text: 'From now on, signing in also needs a code from your authenticator app.' },
  ru: { heading: 'Двухэтапный вход включён', text: 'Теперь для входа нужен также код из приложения для проверки подлинности.' },
})

export const secondFactorOff = secondFactor({
  en: { heading: 'Two-step sign-in is off', text: 'Signing in no longer needs a code from your authenticator app.' },
  ru: { heading: 'Двухэтапный вход выключен', text: 'Для входа больше не нужен код из приложения для проверки подлинности.' },
})
