import { createInvoiceParties } from '#platform/invoice/invoice-parties'
import { join } from 'node:path'
import type { Language } from '#domain/kit/languages'
import { JOB_KINDS, MAIL_TEMPLATES } from '../areas/index.ts'
import type { Commands, Wired } from '../areas/services.ts'
import { queueMail } from '#platform/mail/mail-queue'
import { notify } from '#platform/notifications/notify'
import { fold } from '#proof/replay'
import { audienceIn, audienceStream } from '#domain/audience/audience'
import { streamOf } from '#domain/campaign/state'
import { createAudienceStores } from '#platform/audience/audience-stores'
import { isCommonPassword } from '#platform/identity/common-passwords'
import { countryOffset } from '#platform/reference/countries'
import { createBatchInbox, type FactsHere } from '#platform/delivery/batch-inbox'
import { createSettlements } from '#platform/delivery/settlements'
import { createSnapshotStore } from '#platform/log/snapshot-store'
import { createEventQueries } from '#platform/events/event-queries'
import { createPixelKeys } from '#platform/events/pixel-keys'
import { createTrackedEvents } from '#platform/events/tracked-events'
import { derivedId, newId } from '#platform/ids'
import { createInvoiceCharges } from '#platform/invoice/charges'
import { createThreads } from '#platform/threads/threads'
import { createOutboxMailer } from '#platform/mail/outbox-mailer'
import { createSmtpMailer } from '#platform/mail/smtp-mailer'
import { createPaymentStorage } from '#platform/payment/payment-storage'
import { createStripeGateway } from '#platform/payment/stripe-gateway'
import { createTestGateway } from '#platform/payment/test-gateway'
import { landingPages } from '#projections/campaign/list/state-queries'
import { nameKey } from '#domain/kit/text'
import { campaignsNamed, createNameReservations } from '#platform/campaign/names'
import { createReference } from '#platform/reference/reference'
import { createCampaignPort } from '../areas/campaign/port.ts'
import type { Config } from '../config.ts'
import { ROOT } from '../version.ts'
import type { OpenedFiles } from './file-store.ts'
import { createAccounts } from '#projections/account/account-lookup'
import { createPlaces } from '#commands/campaign/places'
import { createStoredFiles } from '#platform/files/stored-files'
import { issuedFile, namesOfCampaigns } from '../areas/invoice/files.ts'
import { keepParties } from '../areas/invoice/parties.ts'
import { createLinks } from '../areas/white-label/links.ts'
import { createMailKeys } from '#platform/mail/mail-keys'
import { createSecondPerson } from '#platform/approvals/second-person'
import { preparePaymentMails } from '#platform/payment/payment-mails'
import { shippedPackages, type ShippedPackage } from '#platform/operations/licences'
import { createPeople } from '#platform/identity/people'
import { createWhiteLabels } from '../areas/white-label/white-labels.ts'
import { watchMail } from './mail.ts'
import type { RetryParked } from '#projections/projector/parked'
import { chargeForInvoice, openPayments } from './payments.ts'
import type { Projector } from '#projections/projector/projector'
import { createCommands } from './commands.ts'
import { askerNow } from '#platform/database/lanes'
import { createLimits } from '#platform/limits/limits'
import { createDailyShare, LOG_SHARE } from '#platform/limits/daily-share'

/** Written by the build. */
const LICENCES = join(ROOT, 'dist/licences.json')

/** Base of the services. */
export type Base = Pick<
  Wired,
  | 'caughtUp'
  | 'dataKey'
  | 'db'
  | 'errors'
  | 'facts'
  | 'log'
  | 'logger'
  | 'outside'
  | 'now'
  | 'past'
  | 'stops'
  | 'store'
  | 'tracer'
> & {
  readonly projector: Projector
  readonly fileStore: OpenedFiles
  readonly retryParked: RetryParked
  /** How facts are stored in transactions of this database; null where they are outside of it. */
  readonly factsHere: FactsHere | null
}

/** Opens every service of the product over its adapters. `commandsAt` returns commands that run at another time. */
export async function openServices(
  config: Config,
  {
    caughtUp,
    dataKey,
    db,
    errors,
    facts,
    factsHere,
    fileStore,
    log,
    logger,
    now,
    outside,
    past,
    projector,
    retryParked,
    stops,
    store,
    tracer,
  }: Base,
) {
  // As long as the process runs, its build stays.
  let packages: readonly ShippedPackage[] | undefined
  const mailer = config.mail.kind === 'smtp' ? createSmtpMailer(config.mail.url) : createOutboxMailer(config.mail.folder)
  const mail = watchMail(config, { mailer, logger, stops })
  const threads = createThreads()
  stops.add(() => threads.close())
  const { media } = threads

  const accounts = createAccounts({ db, store, reached: projector.reached })
  const files = createStoredFiles({ db, blobs: fileStore.blobs, newId })
  const reference = createReference(config.dataDir)
  const whiteLabels = createWhiteLabels(db, { now, secondFactorByDefault: !config.demo })
  await whiteLabels.refresh()
  whiteLabels.follow({ logger, stops })
  const reserveName = createNameReservations(db, async (campaignId, key) => {
    const state = fold(await store.readStream(streamOf(campaignId)))
    return state.revision > 0 && nameKey(state.head.name) === key
  })
  const audiences = createAudienceStores(db, async (id) => audienceIn(await store.readStream(audienceStream(id))))
  const campaignPort = createCampaignPort({ accounts, audiences, db, files, reference, whiteLabels, reserveName, countryOffset })
  const charges = createInvoiceCharges(db)
  const settlements = createSettlements(db)
  const parties = createInvoiceParties(db)
  const snapshots = createSnapshotStore(db)
  const quota = createDailyShare(createLimits(db, newId), () => askerNow().account, LOG_SHARE)
  const commandsAt = (clock: () => string): Commands =>
    createCommands({
      quota,
      store,
      tracer,
      snapshots,
      now: clock,
      campaignPort,
      derivedId,
      invoicePort: {
        ...charges,
        namesOf: namesOfCampaigns({ db, caughtUp }),
        keepParties: keepParties({ accounts, db, invoices: { parties }, store, whiteLabels }),
      },
      booked: settlements.booked,
      chargeCard: (charge) => chargeForInvoice({ accounts, payments, derivedId }, charge),
    })
  const commands = commandsAt(now)
  const testGateway = createTestGateway({ db, newId, now })
  const payments = await openPayments(config, {
    gateway: config.stripe === null ? testGateway : createStripeGateway(config.stripe),
    testBank: config.stripe === null ? testGateway : null,
    storage: createPaymentStorage({
      db,
      onFinished: (id, state) => preparePaymentMails({ accounts, derivedId, now }, id, state),
    }),
    commands,
    derivedId,
    newId,
    now,
    logger,
    stops,
  })
  const rendered = { charges, parties, render: threads.invoice }
  const invoices = {
    ...rendered,
    issuedFile: (id: string, language: Language) =>
      issuedFile({ accounts, db, files, invoices: rendered, media, store, whiteLabels }, id, language),
  }
  const wired: Wired = {
    config,
    logger,
    stops,
    dataKey,
    db,
    past,
    store,
    tracer,
    log,
    facts,
    outside: [...outside, ...fileStore.outside, mail.health, payments.outside],
    mail: { ...mail, mailer },
    queueMail,
    errors,
    running: {
      jobKinds: JOB_KINDS,
      lag: () => projector.lag(now()),
      retryParked,
      packages: () => (packages ??= shippedPackages(LICENCES)),
    },
    notify: (tx, notice) => notify(tx, { derivedId, now, whiteLabels }, notice),
    payments,
    mailKeys: createMailKeys(db, now),
    links: createLinks({ publicOrigin: config.publicOrigin, port: config.port, whiteLabels }),
    inbox: createBatchInbox(db, factsHere),
    settlements,
    invoices,
    templates: MAIL_TEMPLATES,
    tracked: {
      log: createTrackedEvents(db),
      reads: createEventQueries(db),
      keys: createPixelKeys(db),
      campaignsNamed: (spaceId, names) => campaignsNamed(db, spaceId, names),
      landingPages: (spaceId, campaigns) => landingPages(db, spaceId, campaigns),
    },
    audiences,
    projector,
    caughtUp,
    threads,
    now,
    newId,
    derivedId,
    accounts,
    campaigns: { port: campaignPort, placeOf: createPlaces(store) },
    files,
    media,
    reference,
    secondPerson: createSecondPerson({ db, derivedId, now, whiteLabels }),
    whiteLabels,
    commands,
    people: { ...createPeople(db, { demo: config.demo }), isCommonPassword },
  }
  return { wired, commandsAt }
}
