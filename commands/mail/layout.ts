import type { Language } from '#domain/kit/languages'
import type { Brand } from './brand.ts'

/** A text, or one that is a link to a page. */
export type Paragraph = string | { readonly text: string; readonly url: string }

/** The content of a mail as plain texts: the layout makes HTML and plain text of it, and escapes every value. */
export type MailText = {
  readonly subject: string
  /** Shown by mail programs after the subject. */
  readonly preview: string
  readonly heading: string
  readonly paragraphs: readonly Paragraph[]
  readonly button?: { readonly label: string; readonly url: string }
  readonly facts?: readonly (readonly [label: string, value: string])[]
  /** Small print under the button. */
  readonly notes?: readonly string[]
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const FOOTER: Readonly<Record<Language, (brand: string) => string>> = {
  en: (brand) => `${brand} sent this mail because of your account. Replies are not read.`,
  ru: (brand) => `Это письмо отправлено ${brand} в связи с вашей учётной записью. Ответы не читаются.`,
}
const LINK_HINT: Readonly<Record<Language, string>> = {
  en: 'If the button does not work, open this address:',
  ru: 'Если кнопка не работает, откройте этот адрес:',
}

/** Text on the brand's colour: white or near-black, whichever has the better contrast. */
function textOn(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const [r = 0, g = 0, b = 0] = channels.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#111827' : '#ffffff'
}

/** The mail as HTML that mail programs render (tables and inline styles), and as text. */
export function layOut(text: MailText, { name, logoUrl, primaryColor }: Brand, language: Language) {
  // Colours come from settings: anything but a plain colour could end the attribute.
  const color = /^#[0-9a-f]{6}$/i.test(primaryColor) ? primaryColor : '#4f46e5'
  const logo =
    logoUrl === null
      ? `<span style="${FONT};font-size:18px;font-weight:600;color:#111827">${escaped(name)}</span>`
      : `<img src="${escaped(logoUrl)}" alt="${escaped(name)}" height="32" style="display:block;height:32px;border:0">`
  const row = (inner: string, padding: string) => `<tr><td style="padding:${padding}">${inner}</td></tr>`
  const linked = ({ text: shown, url }: Exclude<Paragraph, string>) =>
    `<a href="${escaped(url)}" style="color:#374151">${escaped(shown)}</a>`
  const paragraph = (content: Paragraph) =>
    row(
      `<p style="${FONT};margin:0;font-size:15px;line-height:24px;color:#374151">${typeof content === 'string' ? escaped(content) : linked(content)}</p>`,
      '0 32px 16px',
    )
  const small = (content: string) =>
    `<p style="${FONT};margin:0 0 8px;font-size:13px;line-height:20px;color:#6b7280">${content}</p>`
  const { button, facts = [], notes = [] } = text
  const factRows = facts
    .map(
      ([label, value]) =>
        `<tr><td style="${FONT};padding:6px 16px 6px 0;font-size:13px;color:#6b7280;vertical-align:top">${escaped(label)}</td>` +
        `<td style="${FONT};padding:6px 0;font-size:14px;color:#111827">${escaped(value)}</td></tr>`,
    )
    .join('')
  const rows = [
    row(logo, '28px 32px 24px'),
    row(
      `<h1 style="${FONT};margin:0;font-size:22px;line-height:30px;font-weight:600;color:#111827">${escaped(text.heading)}</h1>`,
      '0 32px 16px',
    ),
    ...text.paragraphs.map(paragraph),
    ...(facts.length === 0
      ? []
      : [row(`<table role="presentation" cellpadding="0" cellspacing="0" border="0">${factRows}</table>`, '0 32px 16px')]),
    ...(button === undefined
      ? []
      : [
          row(
            `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="border-radius:8px;background:${color}">` +
              `<a href="${escaped(button.url)}" style="${FONT};display:inline-block;padding:12px 20px;font-size:15px;font-weight:600;` +
              `color:${textOn(color)};text-decoration:none;border-radius:8px">${escaped(button.label)}</a></td></tr></table>`,
            '8px 32px 24px',
          ),
          row(
            small(
              `${escaped(LINK_HINT[language])}<br><a href="${escaped(button.url)}" style="color:#6b7280;word-break:break-all">${escaped(button.url)}</a>`,
            ),
            '0 32px 8px',
          ),
        ]),
    ...(notes.length === 0 ? [] : [row(notes.map((note) => small(escaped(note))).join(''), '0 32px 8px')]),
    row(
      `<p style="${FONT};margin:0;padding-top:16px;border-top:1px solid #e5e7eb;font-size:12px;line-height:18px;color:#6b7280">${escaped(FOOTER[language](name))}</p>`,
      '8px 32px 28px',
    ),
  ]
  const html =
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light"><title>${escaped(text.subject)}</title></head>` +
    `<body style="margin:0;padding:0;background:#f3f4f6"><div style="display:none;max-height:0;overflow:hidden">${escaped(text.preview)}</div>` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f4f6"><tr><td align="center" style="padding:32px 12px">` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border-radius:12px;border-top:4px solid ${color}">` +
    `${rows.join('')}</table></td></tr></table></body></html>`
  const plain = [
    text.heading,
    ...text.paragraphs.map((content) => (typeof content === 'string' ? content : `${content.text}\n${content.url}`)),
    ...(facts.length === 0 ? [] : [facts.map(([label, value]) => `${label}: ${value}`).join('\n')]),
    ...(button === undefined ? [] : [`${button.label}:\n${button.url}`]),
    ...notes,
    `--\n${FOOTER[language](name)}`,
  ].join('\n\n')
  return { subject: text.subject, html, text: `${plain}\n` }
}
