import { helloEn, helloRu, instantOf, textOf, type MailTemplate } from '#commands/mail/template'

/** A credential of an exchange or bidder ends soon (fine print 86). Data: `until`, an instant, and `name`. */
export const credentialEnding: MailTemplate = {
  for: 'everyone',
  path: '/settings',
  texts: {
    en: (values) => ({
      subject: `${values.brand}: the credential ${textOf(values.data.name)} ends soon`,
      preview: 'Replace it before the exchange or bidder is refused.',
      heading: 'A credential ends soon',
      paragraphs: [
        helloEn(values),
        'The exchange or bidder that uses this credential is refused after it ends. Rotate it to get a new one. The old one works for 24 hours more.',
      ],
      facts: [
        ['Credential', textOf(values.data.name)],
        ['Valid until', instantOf(values.data.until, 'en')],
      ],
      button: { label: 'Open credentials', url: values.link },
      notes: ['You need do nothing if the credential is no longer used.'],
    }),
    ru: (values) => ({
      subject: `${values.brand}: срок учётных данных «${textOf(values.data.name)}» истекает`,
      preview: 'Замените их, пока биржа или биддер с ними работают.',
      heading: 'Срок учётных данных истекает',
      paragraphs: [
        helloRu(values),
        'После этого срока биржа или биддер с этими данными получат отказ. Замените их: прежние действуют ещё 24 часа.',
      ],
      facts: [
        ['Учётные данные', textOf(values.data.name)],
        ['Действуют до', instantOf(values.data.until, 'ru')],
      ],
      button: { label: 'Открыть учётные данные', url: values.link },
      notes: ['Если они больше не используются, делать ничего не нужно.'],
    }),
  },
}
