import { MAIL_TEMPLATES } from './templates.ts'
import { Away } from '#eventstore/away'
import { issuedFile } from '../invoice/files.ts'
import type { Kit } from '../kit.ts'
import { createMailSender, type MailSenderDeps } from '#commands/mail/mail-sender'

type MailKit = Pick<
  Kit,
  | 'accounts'
  | 'config'
  | 'db'
  | 'files'
  | 'invoices'
  | 'links'
  | 'logger'
  | 'mail'
  | 'mailKeys'
  | 'mailer'
  | 'media'
  | 'people'
  | 'store'
  | 'whiteLabels'
>

/** Sends the queue of mails. */
export const createMailPolicy = (kit: MailKit, reportFile: MailSenderDeps['reportFile']) => {
  const { config, db, links, logger, mail, mailKeys, mailer, people, whiteLabels } = kit
  return createMailSender({
    db,
    mailer,
    outside: mail.outside,
    noteSender: mail.noteSender,
    keys: mailKeys,
    templates: MAIL_TEMPLATES,
    links,
    brandOf: async (id) => {
      const { name, logoPath, primary } = whiteLabels.brandOf(id)
      return { name, logoUrl: logoPath === null ? null : links.originOf(id) + logoPath, primaryColor: primary }
    },
    findPerson: people.find,
    findAddress: people.ofAddress,
    issuedFile: (id, language) => issuedFile(kit, id, language),
    reportFile,
    from: config.mail.from,
    onError: (error) => {
      // The log has one line when something outside goes away.
      if (!(error instanceof Away)) logger.error({ err: error }, 'a mail could not be sent and is tried again')
    },
    onFailure: (line) =>
      logger.error(
        line,
        `a ${line.template} mail was given up: ${line.reason}. Send it again with "npm run mails -- retry ${line.mail}"`,
      ),
  })
}
