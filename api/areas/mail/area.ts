import { removeMails } from '#platform/mail/erasure'
import { createMailSender } from '#commands/mail/mail-sender'
import { Away } from '#eventstore/away'
import { createMailStore } from '#platform/mail/mail-store'
import { createSavedReports } from '#platform/reports/saved-reports'
import { area } from '../area.ts'

/** The queue of mails, which every subject fills, and its sender. */
export const mail = area({
  name: 'mail',
  summary: 'Mails that wait, and the keys in their links',
  endpoints: [],
  uses: ['invoices', 'links', 'mail', 'mailKeys', 'people', 'templates', 'whiteLabels'],
  tables: ['app.mails', 'identity.key_ends', 'identity.mail_keys'],
  erase: { within: removeMails },
  async policies(own) {
    const sender = createMailSender({
      store: createMailStore(own.db),
      ...own.mail,
      keys: own.mailKeys,
      templates: own.templates,
      links: own.links,
      brandOf: async (id) => {
        const { name, logoPath, primary } = own.whiteLabels.brandOf(id)
        return { name, logoUrl: logoPath === null ? null : own.links.originOf(id) + logoPath, primaryColor: primary }
      },
      findPerson: own.people.find,
      findAddress: own.people.ofAddress,
      issuedFile: own.invoices.issuedFile,
      reportFile: (mailId) => createSavedReports(own.db).fileOf(mailId),
      from: own.config.mail.from,
      onError: (error) => {
        // The log has one line when something outside goes away.
        if (!(error instanceof Away)) own.logger.error({ err: error }, 'a mail could not be sent and is tried again')
      },
      onFailure: (line) =>
        own.logger.error(
          line,
          `a ${line.template} mail was given up: ${line.reason}. Send it again with "npm run mails -- retry ${line.mail}"`,
        ),
    })
    own.stops.add(() => sender.stop())
    return [sender]
  },
  async housekeeping({ db, mailKeys }) {
    await createMailStore(db).purge()
    await mailKeys.purge()
  },
})
