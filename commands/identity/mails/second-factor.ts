import { helloEn, helloRu, type MailTemplate } from '#commands/mail/template'

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

export const recoveryCodeUsed = secondFactor({
  en: { heading: 'A recovery code was used', text: 'One of your recovery codes was used in place of a code from your app.' },
  ru: { heading: 'Использован резервный код', text: 'Вместо кода из приложения использован один из ваших резервных кодов.' },
})

export const recoveryCodesRenewed = secondFactor({
  en: {
    heading: 'New recovery codes',
    text: 'Your recovery codes were replaced. The old ones no longer work, and your API keys ended.',
  },
  ru: {
    heading: 'Новые резервные коды',
    text: 'Ваши резервные коды заменены. Прежние больше не действуют, ключи API отключены.',
  },
})

export const wrongCodes = secondFactor({
  en: {
    heading: 'Wrong sign-in codes',
    text: 'Someone entered your password and then several wrong codes. Change your password, unless it was you.',
  },
  ru: {
    heading: 'Неверные коды при входе',
    text: 'Кто-то ввёл ваш пароль, а затем несколько неверных кодов. Если это были не вы, смените пароль.',
  },
})

export const secondFactorReset = secondFactor({
  en: {
    heading: 'Two-step sign-in was reset',
    text: 'An administrator switched two-step sign-in off for you and removed your passkeys. Set them up again after you sign in.',
  },
  ru: {
    heading: 'Двухэтапный вход сброшен',
    text: 'Администратор отключил для вас двухэтапный вход и удалил ваши ключи доступа. Настройте их снова после входа.',
  },
})

export const passkeyAdded = secondFactor({
  en: {
    heading: 'A passkey was added',
    text: 'A new passkey signs in to your account without your password. If you did not add it, set a new password, and remove the passkey in your profile: a new password does not end it.',
  },
  ru: {
    heading: 'Добавлен ключ доступа',
    text: 'С новым ключом доступа в вашу учётную запись можно войти без пароля. Если его добавили не вы, смените пароль и удалите ключ доступа в профиле: смена пароля его не отключает.',
  },
})

export const passkeyRemoved = secondFactor({
  en: { heading: 'A passkey was removed', text: 'One of your passkeys no longer signs in to your account. Your API keys ended.' },
  ru: { heading: 'Ключ доступа удалён', text: 'Один из ваших ключей доступа больше не действует. Ключи API отключены.' },
})

export const ownDataDownloaded = secondFactor({
  en: {
    heading: 'Your data was downloaded',
    text: 'A copy of what is stored about you was downloaded from your profile, after your password was entered.',
  },
  ru: {
    heading: 'Ваши данные скачаны',
    text: 'Из вашего профиля после ввода пароля скачана копия данных, которые хранятся о вас.',
  },
})
