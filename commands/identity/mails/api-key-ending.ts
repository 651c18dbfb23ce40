import { helloEn, helloRu, instantOf, textOf, type MailTemplate } from '#commands/mail/template'

/** An API key ends soon (fine print 86). Data: `until`, an instant, and `hint`, the last characters of the key. */
export const apiKeyEnding: MailTemplate = {
  for: 'everyone',
  path: '/profile?tab=apiKeys',
  texts: {
    en: (values) => ({
      subject: `${values.brand}: an API key ends soon`,
      preview: 'Replace it before programs that use it are refused.',
      heading: 'An API key ends soon',
      paragraphs: [
        helloEn(values),
        'Programs that use this key are refused after it ends. Rotate the key to get a new one with the same name and scopes. The old key works for 24 hours more.',
      ],
      facts: [
        ['Ends with', textOf(values.data.hint)],
        ['Valid until', instantOf(values.data.until, 'en')],
      ],
      button: { label: 'Open API keys', url: values.link },
      notes: ['You need do nothing if the key is no longer used.'],
    }),
    ru: (values) => ({
      subject: `${values.brand}: срок ключа API истекает`,
      preview: 'Замените ключ, пока программы с ним работают.',
      heading: 'Срок ключа API истекает',
      paragraphs: [
        helloRu(values),
        'После этого срока программы с этим ключом получат отказ. Замените ключ: у нового будут то же название и те же области. Прежний ключ действует ещё 24 часа.',
      ],
      facts: [
        ['Заканчивается на', textOf(values.data.hint)],
        ['Действует до', instantOf(values.data.until, 'ru')],
      ],
      button: { label: 'Открыть ключи API', url: values.link },
      notes: ['Если ключ больше не используется, делать ничего не нужно.'],
    }),
  },
}
