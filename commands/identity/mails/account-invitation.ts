import { helloEn, helloRu, textOf, type MailTemplate } from '#commands/mail/template'

/** An invitation into a further account to a person who has one (fine print 93). Data: `account`, its name. Its link is no secret. */
export const accountInvitation: MailTemplate = {
  for: 'active',
  path: '/invitations',
  texts: {
    en: (values) => ({
      subject: `You are invited to ${textOf(values.data.account)}`,
      preview: 'Accept with the account that you have.',
      heading: `Join ${textOf(values.data.account)}`,
      paragraphs: [
        helloEn(values),
        `You are invited to work for ${textOf(values.data.account)} in ${values.brand}. Sign in as usual to accept.`,
      ],
      button: { label: 'See the invitation', url: values.link },
      notes: ['The invitation ends after 72 hours. If you do not expect this mail, ignore it.'],
    }),
    ru: (values) => ({
      subject: `Вас пригласили в ${textOf(values.data.account)}`,
      preview: 'Примите приглашение под своим именем.',
      heading: `Работа в ${textOf(values.data.account)}`,
      paragraphs: [
        helloRu(values),
        `Вас пригласили работать в ${values.brand} от имени ${textOf(values.data.account)}. Войдите как обычно, чтобы принять приглашение.`,
      ],
      button: { label: 'Открыть приглашение', url: values.link },
      notes: ['Приглашение действует 72 часа. Если вы не ждали этого письма, не обращайте на него внимания.'],
    }),
  },
}
