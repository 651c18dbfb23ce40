import type { SendMailOptions } from 'nodemailer'
import type { Mailbox, OutgoingMail } from '#commands/mail/mailer'

/** Control characters could start a header of their own. */
// oxlint-disable-next-line no-control-regex -- removing them is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const oneLine = (text: string): string => text.replace(CONTROL, ' ').trim()

const mailbox = ({ name, address }: Mailbox) => ({ name: oneLine(name), address })

/** The mail in nodemailer's form. Nothing in it is read from files or addresses, whatever its texts hold. */
export const messageOf = ({ messageId, from, to, subject, html, text, attachments = [] }: OutgoingMail): SendMailOptions => ({
  messageId,
  from: mailbox(from),
  to: [mailbox(to)],
  subject: oneLine(subject),
  html,
  text,
  attachments: attachments.map(({ filename, content, contentType }) => ({
    filename: oneLine(filename),
    content: Buffer.from(content),
    contentType,
  })),
  // Filters of other systems do not answer it with out-of-office notes.
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})
