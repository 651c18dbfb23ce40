import { removeMails } from '#platform/mail/erasure'
import { createMailSender, MAIL_POLICY } from '#commands/mail/mail-sender'
import { createMailStore } from '#platform/mail/mail-store'
import { createSavedReports } from '#platform/reports/saved-reports'
import { area } from '../area.ts'

/** Mails, which every subject queues, and their sender. */
export const mail = area({
  name: 'mail',
  summary: 'Mails that wait, and the keys in their links',
  endpoints: [],
  uses: ['db', 'invoices', 'links', 'mail', 'mailKeys', 'people', 'templates', 'tracer', 'whiteLabels'],
  tables: ['app.mails', 'identity.key_ends', 'identity.mail_keys'],
  erase: { within: removeMails },
  jobs: {
    mail: {
      ...MAIL_POLICY,
      open: (own) =>
        createMailSender({
          store: createMailStore(own.db),
          ...own.mail,
          tracer: own.tracer,
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
        }),
    },
  },
  async housekeeping({ db, mailKeys }) {
    await createMailStore(db).purge()
    await mailKeys.purge()
  },
})
