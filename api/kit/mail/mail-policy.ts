import type { Kysely } from 'kysely'
import { Away } from '#eventstore/away'
import type { Db } from '#migrations/db'
import { issuedFile } from '../invoices/files.ts'
import type { Kit } from '../kit.ts'
import { PERSON, type PersonRecord } from '../sessions/people.ts'
import type { Attachment } from './mailer.ts'
import { createMailSender } from './mail-sender.ts'

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
export const createMailPolicy = (kit: MailKit) => {
  const { config, db, links, logger, mail, mailKeys, mailer, people, whiteLabels } = kit
  return createMailSender({
    db,
    mailer,
    outside: mail.outside,
    noteSender: mail.noteSender,
    keys: mailKeys,
    links,
    brandOf: async (id) => {
      const { name, logoPath, primary } = whiteLabels.brandOf(id)
      return { name, logoUrl: logoPath === null ? null : links.originOf(id) + logoPath, primaryColor: primary }
    },
    findPerson: people.find,
    findAddress: (whitelabelId, address) => personOfAddress(db, whitelabelId, address),
    issuedFile: (id, language) => issuedFile(kit, id, language),
    reportFile: (mailId) => reportFile(db, mailId),
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

async function reportFile(db: Kysely<Db>, mailId: string): Promise<Attachment | null> {
  const files = db.selectFrom('app.report_files').select(['filename', 'content_type as contentType', 'content'])
  return (await files.where('mail_id', '=', mailId).executeTakeFirst()) ?? null
}

/** The person with this address in a white-label, in any state; null for an unknown address. */
export async function personOfAddress(db: Kysely<Db>, whitelabelId: string, address: string): Promise<PersonRecord | null> {
  const people = db.selectFrom('identity.people as people').select(PERSON).where('people.whitelabel_id', '=', whitelabelId)
  return (await people.where('people.email', '=', address.trim().toLowerCase()).executeTakeFirst()) ?? null
}
