import { mkdir } from 'node:fs/promises'
import { createAccountCommands } from '#commands/account/account-commands'
import { createAudienceCommands } from '#commands/audience/audience-commands'
import { createCampaignCommands } from '#commands/campaign/campaign-commands'
import { createPaymentCommands } from '#commands/payment/payment-commands'
import { createInvoiceCommands } from '#commands/invoice/invoice-commands'
import { createRegistrationCommands } from '#commands/registration/registration-commands'
import { fold } from '#proof/replay'
import { createHandler } from '#commands/handle'
import { createStateCache } from '#commands/state-cache'
import { createWhiteLabelCommands } from '#commands/white-label/white-label-commands'
import { audienceIn, audienceStream } from '#domain/audience/audience'
import { streamOf } from '#domain/campaign/state'
import type { KurrentClocks } from '#eventstore/kurrentdb/clocks'
import { migrateToLatest } from '#migrations/index'
import { createAudienceStores } from '#platform/audiences/audience-stores'
import { createClock } from '#platform/clock'
import { isCommonPassword } from '#platform/common-passwords'
import { countryOffset } from '#platform/countries'
import { openDatabase, type Database } from '#platform/database/database'
import { createKysely } from '#platform/database/pool'
import { createBatchInbox } from '#platform/delivery/batch-inbox'
import { createSettlements } from '#platform/delivery/settlements'
import { createEventQueries } from '#platform/events/event-queries'
import { createPixelKeys } from '#platform/events/pixel-keys'
import { createTrackedEvents } from '#platform/events/tracked-events'
import { createDiskFiles } from '#platform/disk-files'
import { derivedId, newId } from '#platform/ids'
import { createInvoiceCharges } from '#platform/invoices/charges'
import { renderInvoice } from '#platform/invoices/pdf'
import { createOutboxMailer } from '#platform/mail/outbox-mailer'
import { createSmtpMailer } from '#platform/mail/smtp-mailer'
import { createMedia } from '#platform/media/media'
import { createPaymentStorage } from '#platform/payments/payment-storage'
import { createStripeGateway } from '#platform/payments/stripe-gateway'
import { createTestGateway } from '#platform/payments/test-gateway'
import { campaignsNamed, createNameReservations, nameKey } from '#platform/names'
import { createReference } from '#platform/reference/reference'
import { createS3Files } from '#platform/s3-files'
import { createLeases } from '#projections/projector/leases'
import { createCampaignPort } from './areas/campaigns/port.ts'
import type { Config } from './config.ts'
import { createDemoDelivery } from './demo/demo-delivery.ts'
import { createDemoEvents } from './demo/demo-events.ts'
import { startDemo } from './demo/start-demo.ts'
import { watchDatabase, watchShortages } from './database-watch.ts'
import { claimLog, openEventLog, refuseOlderLog, watchLog } from './event-log.ts'
import { openFacts } from './fact-store.ts'
import { openFileStore } from './file-store.ts'
import { createAccounts } from './kit/accounts.ts'
import { createCatchUp } from './kit/behind.ts'
import { createAdministrators, type Invited } from './kit/administrators.ts'
import { createPlaces } from './kit/campaigns/places.ts'
import { createStoredFiles } from './kit/files/stored-files.ts'
import { namesOfCampaigns } from './kit/invoices/files.ts'
import { keepParties } from './kit/invoices/parties.ts'
import type { Kit } from './kit/kit.ts'
import { createLogger } from './kit/logger.ts'
import { createLinks } from './kit/links.ts'
import { createMailKeys } from './kit/mail/mail-keys.ts'
import { createMoneyByHand } from './kit/money-by-hand.ts'
import { preparePaymentMails } from './kit/mail/payment-mails.ts'
import { createPeople } from './kit/sessions/people.ts'
import { createStops } from './kit/stops.ts'
import { createWhiteLabels } from './kit/white-labels.ts'
import { watchMail } from './mail.ts'
import { chargeForInvoice, openPayments } from './payments.ts'
import { healthOf, reportLag, serveHealth } from './roles/health.ts'
import { startPolicies } from './roles/policies.ts'
import type { HoldBack } from '#projections/projector/runner'
import { openProjector } from './roles/projections.ts'
import { serve } from './roles/serve.ts'

/** Size of the events whose folded states commands keep in memory, bytes. */
const STATE_CACHE_BYTES = 32 * 1024 ** 2

export type Product = {
  /** Where the API listens; null for roles that serve none. */
  readonly address: string | null
  /** Where /health/* and /metrics are; the same as `address` where there is one. */
  readonly healthAddress: string
  /** The link with which the first administrator sets a password; null once there is one, and in the demo. */
  readonly setup: Invited | null
  readonly stop: () => Promise<void>
}

export type StartOptions = {
  /** Runs the projector of the role `all` in a worker thread, as `npm start` does; tests that start many products do without. */
  readonly threads?: boolean
  /** How long calls wait for PostgreSQL while it is away, milliseconds. */
  readonly databaseWaitMs?: number
  /** Stops a start that has not finished. */
  readonly signal?: AbortSignal
  /** Durations of a log in KurrentDB; tests shorten them. */
  readonly kurrentClocks?: KurrentClocks
  /** Awaited before each page of a read model that this thread keeps; tests delay read models with it. */
  readonly holdBack?: HoldBack
  /** Receives each phase as it begins. */
  readonly onPhase?: (phase: StartPhase) => void
}

/** What the start waits for, in this order; `demo` only with the demo. */
export type StartPhase = 'database' | 'tables' | 'demo'

/**
 * Wires ports to adapters and starts the roles of this process. A start that fails closes what it opened; an aborted one does so
 * and then rejects with the signal's reason.
 */
export async function startProduct(config: Config, options: StartOptions = {}): Promise<Product> {
  const {
    onPhase = () => {},
    threads = false,
    signal = new AbortController().signal,
    databaseWaitMs,
    kurrentClocks,
    holdBack,
  } = options
  const logger = createLogger(config.logLevel)
  const stops = createStops()
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    onPhase('database')
    // Awaited even after an abort: otherwise a half-started server would never be closed.
    const database = await openDatabase({
      databaseUrl: config.databaseUrl ?? undefined,
      dataDir: config.dataDir,
      poolSize: config.pools.work,
      log: (line) => logger.info(line),
    })
    stops.add(() => database.stop())
    signal.throwIfAborted()
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    )
    const opened = { logger, database, stops, threads, signal, databaseWaitMs, kurrentClocks, holdBack, onPhase }
    const started = startRoles(config, opened)
    return { ...(await Promise.race([started, aborted])), stop: stops.run }
  } catch (error) {
    const closed = stops.run()
    await (signal.aborted ? closed : closed.catch(() => undefined))
    signal.throwIfAborted()
    throw error
  }
}

type Opened = Pick<Kit, 'logger' | 'stops'> & {
  readonly database: Database
  readonly threads: boolean
  readonly signal: AbortSignal
  readonly databaseWaitMs: number | undefined
  readonly kurrentClocks: KurrentClocks | undefined
  readonly holdBack: HoldBack | undefined
  readonly onPhase: (phase: StartPhase) => void
}

type Started = Pick<Product, 'address' | 'healthAddress' | 'setup'>

async function startRoles(config: Config, opened: Opened): Promise<Started> {
  const { databaseWaitMs, kurrentClocks, holdBack, logger, database, stops, threads, signal, onPhase } = opened
  const { role } = config
  const shortages = watchShortages({ logger, stops })
  const postgres = watchDatabase({ ping: database.ping, waitMs: databaseWaitMs, logger, stops })
  const store = await openEventLog(config, database, kurrentClocks)
  stops.add(() => store.close())
  const log = watchLog(store, { logger, stops })
  onPhase('tables')
  await migrateToLatest(createKysely(database.pool))
  await claimLog(database.pool, config)
  await refuseOlderLog(database.pool, store)
  // Prepared statements: saves and lists send the same few texts.
  const db = createKysely(database.pool, { keepPlans: true })
  const { facts, outside } = await openFacts(config, { db, logger, stops })
  const now = createClock(config.clockOffset)
  const leases = createLeases(db, database.url)
  stops.add(() => leases.close())
  const projector = await openProjector(config, {
    url: database.url,
    connections: config.pools.projector,
    db,
    store,
    logger,
    threads,
    signal,
    holdBack,
  })
  stops.add(() => projector.stop())
  const mailer = config.mail.kind === 'smtp' ? createSmtpMailer(config.mail.url) : createOutboxMailer(config.mail.folder)
  const mail = watchMail(config, { mailer, logger, stops })
  const media = createMedia()
  stops.add(() => media.close())

  const caughtUp = createCatchUp(store, projector)
  const accounts = createAccounts({ db, store, reached: projector.reached })
  const fileStore = await openFileStore(config, { adapters: { folder: createDiskFiles, s3: createS3Files }, logger, stops })
  const files = createStoredFiles({ db, blobs: fileStore.blobs, newId })
  const reference = createReference(config.dataDir)
  const whiteLabels = createWhiteLabels(db, now)
  await whiteLabels.refresh()
  whiteLabels.follow({ logger, stops })
  const reserveName = createNameReservations(db, async (campaignId, key) => {
    const state = fold(await store.readStream(streamOf(campaignId)))
    return state.revision > 0 && nameKey(state.head.name) === key
  })
  const audiences = createAudienceStores(db, async (id) => audienceIn(await store.readStream(audienceStream(id))))
  const campaignPort = createCampaignPort({ accounts, audiences, db, files, reference, whiteLabels, reserveName, countryOffset })
  const charges = createInvoiceCharges(db)
  const invoicePort = {
    ...charges,
    namesOf: namesOfCampaigns({ db, caughtUp }),
    keepParties: keepParties({ accounts, db, store, whiteLabels }),
  }
  const commandsAt = (clock: () => string) => {
    const eventId = (commandId: string, n: number) => derivedId('event', commandId, String(n))
    const handle = createHandler({ store, now: clock, eventId, cache: createStateCache(STATE_CACHE_BYTES) })
    const accountCommands = createAccountCommands(handle)
    return {
      campaigns: createCampaignCommands({ handle, store, port: campaignPort }),
      accounts: accountCommands,
      audiences: createAudienceCommands(handle),
      invoices: createInvoiceCommands(handle, {
        accounts: accountCommands,
        port: invoicePort,
        commandId: derivedId,
        chargeCard: (charge) => chargeForInvoice({ accounts, payments, derivedId }, charge),
      }),
      whiteLabels: createWhiteLabelCommands(handle),
      registrations: createRegistrationCommands(handle),
      payments: createPaymentCommands(handle),
    }
  }
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
  const kit: Kit = {
    config,
    logger,
    stops,
    db,
    store,
    log,
    facts,
    outside: [postgres, ...(log === null ? [] : [log]), ...outside, ...fileStore.outside, mail.health, payments.outside],
    mailer,
    mail,
    payments,
    mailKeys: createMailKeys(db, now),
    links: createLinks({ publicOrigin: config.publicOrigin, port: config.port, whiteLabels }),
    inbox: createBatchInbox(db),
    settlements: createSettlements(db),
    invoices: { charges, render: renderInvoice },
    tracked: {
      log: createTrackedEvents(db),
      reads: createEventQueries(db),
      keys: createPixelKeys(db),
      campaignsNamed: (spaceId, names) => campaignsNamed(db, spaceId, names),
    },
    audiences,
    projector,
    caughtUp,
    now,
    newId,
    derivedId,
    accounts,
    campaignPort,
    files,
    media,
    reference,
    byHand: createMoneyByHand({ db, derivedId, now, whiteLabels }),
    whiteLabels,
    isCommonPassword,
    commands,
    people: createPeople(db, { demo: config.demo }),
    placeOf: createPlaces(store),
  }
  if (config.demo) onPhase('demo')
  if (config.demo) await startDemo(kit, commandsAt)
  const leads = () => leases.holds('policies')
  const demo = config.demoDelivery
    ? { delivery: createDemoDelivery(kit, { commandsAt, leads }), events: createDemoEvents(kit, { leads }) }
    : null
  // One process that does everything is ready once the demo is whole; beside other processes, its delivery follows.
  if (demo !== null && role === 'all') {
    await demo.events.complete()
    await demo.delivery.complete()
    signal.throwIfAborted()
  }
  const health = await healthOf(kit, { projector, postgres, shortages })
  const address = role === 'all' || role === 'api' ? await serve(kit, { projector, postgres, health }) : null
  const healthAddress = address ?? (await serveHealth(kit, health))
  if (role === 'api') reportLag(kit, health)
  // After the API answers: policies may find much unfinished work.
  if (role === 'all' || role === 'policies') {
    await startPolicies(kit, leases)
    demo?.delivery.start()
    demo?.events.start()
  }
  if (address === null) return { address: null, healthAddress, setup: null }
  // Without the demo, an administrator must be able to sign in.
  const { accounts: accountCommands } = kit.commands
  const administrators = createAdministrators({ ...kit, accounts: accountCommands })
  return { address, healthAddress, setup: config.demo ? null : await administrators.inviteFirst() }
}
