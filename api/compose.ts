import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { createAccountCommands } from '../commands/account/account-commands.ts'
import { createCampaignCommands, fold } from '../commands/campaign/campaign-commands.ts'
import { createHandler } from '../commands/handle.ts'
import { createStateCache } from '../commands/state-cache.ts'
import { accountFundingPolicy, builtInExchanges, clockPolicy, fundingPolicy } from '../commands/campaign/campaign-policies.ts'
import { startSweeper } from '../commands/sweep.ts'
import { filesOf } from '../domain/campaign/content/creatives.ts'
import { streamOf } from '../domain/campaign/state.ts'
import type { EventStore } from '../eventstore/event-store.ts'
import { migrateToLatest } from '../migrations/index.ts'
import { createClock } from '../platform/clock.ts'
import { countryOffset } from '../platform/countries.ts'
import { openDatabase } from '../platform/database/database.ts'
import { createKysely } from '../platform/database/pool.ts'
import { derivedId, newId } from '../platform/ids.ts'
import { createDiskFiles } from '../platform/disk-files.ts'
import { createS3Files } from '../platform/s3-files.ts'
import { createMedia } from '../platform/media/media.ts'
import { createReference } from '../platform/reference/reference.ts'
import { formatKey } from '../platform/media/image-format.ts'
import { createNameReservations, nameKey } from '../platform/names.ts'
import { createPersonKeys } from '../platform/person-keys.ts'
import { sharedSecret } from '../platform/secrets.ts'
import { pendingVerdicts } from '../projections/campaign-list/apply.ts'
import { shownBy } from '../projections/projector/generations.ts'
import { dueCampaigns, misfundedCampaigns, undecidedCampaigns } from '../projections/campaign-list/queries.ts'
import { createLeases } from '../projections/projector/leases.ts'
import type { Projector } from '../projections/projector/projector.ts'
import { buildApp } from './app.ts'
import { ConfigFault, type Config } from './config.ts'
import { claimLog, openEventLog } from './event-log.ts'
import { createPlaces } from './areas/campaigns/places.ts'
import { landscape } from './demo/artwork.ts'
import { DEMO_PASSWORD } from './demo/people.ts'
import { seedDemo } from './demo/seed.ts'
import { createEstimateCalls } from './areas/reference/estimate-calls.ts'
import type { BlobStore } from './areas/files/media.ts'
import { createStoredFiles } from './areas/files/stored-files.ts'
import { createUploads, urlOf } from './areas/files/uploads.ts'
import { createIdentify } from './kit/identify.ts'
import { createOnce } from './kit/once.ts'
import { createPersonalData } from './kit/personal/personal-data.ts'
import { followProjections, keepProjections } from './roles/projections.ts'
import { startProjectorThread } from './roles/projector-thread.ts'
import { WHITELABEL } from './areas/sessions/session-routes.ts'
import { createSecurityLog } from './areas/security/security-log.ts'
import { createServiceCredentials } from './areas/security/service-credentials.ts'
import { createPeople } from './areas/sessions/people.ts'
import { createSessions } from './areas/sessions/sessions.ts'
import { createTokens, type SigningKeys } from './areas/sessions/tokens.ts'
import { createSignIn } from './areas/sessions/sign-in.ts'
import { givenKeys, storedKeys } from './areas/sessions/signing-keys.ts'
import { createLimits, createReadLimit } from './kit/limits/limits.ts'
import { createChanges } from './areas/live/changes.ts'
import { followSteadily } from './areas/live/steady-following.ts'
import { ACCOUNT_STREAMS } from '../projections/accounts/accounts.ts'
import { createWhitelabelSettings } from './areas/white-label/whitelabel-settings.ts'
import { createWhitelists } from './areas/whitelists/whitelists.ts'
import { createResourceRequests } from './areas/reference/resource-requests.ts'
import { createStops, type Stops } from './stops.ts'
import { createAccounts, createWorld } from './areas/campaigns/world.ts'

export type Product = {
  /** Where the API listens; null for roles that serve none. */
  readonly address: string | null
  readonly stop: () => Promise<void>
}

/** Bytes of events whose states commands remember; states of twice that size at most. */
const REMEMBERED_BYTES = 32 * 1024 ** 2
/** How long a query waits for the position it asks for (running.md). */
const READ_PATIENCE_MS = 2000
const SWEEP_EVERY_MS = 300
/** How often expired sessions and reservations are removed. */
const PURGE_EVERY_MS = 600_000
/** Uploads per user. */
const UPLOADS = { limit: 120, seconds: 60 }

export type StartOptions = {
  /**
   * The projector of the role `all` works on a thread of its own: what a running product does; many small ones in one process, as tests
   * start them, do without.
   */
  readonly threads?: boolean
  /** Tells a start that has not ended to stop. */
  readonly signal?: AbortSignal
}

/**
 * Wires ports to adapters and starts the roles of this process. What was opened by a start that failed is closed again; one that was told
 * to stop rejects with the signal's reason once that is done.
 */
export async function startProduct(config: Config, options: StartOptions = {}): Promise<Product> {
  const { threads = false, signal = new AbortController().signal } = options
  const logger = pino({ level: config.logLevel, redact: ['req.headers.authorization'] })
  const stops = createStops()
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    // Waited for even when told to stop: a server that is half started would be left to itself.
    const database = await openDatabase({
      databaseUrl: config.databaseUrl ?? undefined,
      dataDir: config.dataDir,
      log: (line) => logger.info(line),
    })
    stops.add(() => database.stop())
    signal.throwIfAborted()
    const starting = startOn(config, { logger, database, stops, threads, signal })
    return { address: await unlessAborted(starting, signal), stop: stops.run }
  } catch (error) {
    const closed = stops.run()
    await (signal.aborted ? closed : closed.catch(() => undefined))
    signal.throwIfAborted()
    throw error
  }
}

/** What comes of the work, unless the signal comes before: then that one's reason, and what becomes of the work is nobody's concern. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  return Promise.race([work, aborted])
}

async function startOn(config: Config, opened: Omit<Started, 'db' | 'store'>): Promise<string | null> {
  const { database, stops } = opened
  const store = await openEventLog(config, database)
  stops.add(() => store.close())
  const db = createKysely<never>(database.pool)
  await migrateToLatest(db)
  await claimLog(database.pool, config)
  return startRoles(config, { ...opened, db, store })
}

type Started = {
  readonly logger: FastifyBaseLogger
  readonly database: Awaited<ReturnType<typeof openDatabase>>
  readonly db: ReturnType<typeof createKysely<never>>
  readonly store: EventStore
  readonly stops: Stops
  readonly threads: boolean
  readonly signal: AbortSignal
}

async function startRoles(config: Config, started: Started): Promise<string | null> {
  const { logger, database, db, store, stops, threads, signal } = started
  const now = createClock(config.clockOffset)
  // Connected by the time policies look for the first time: what is due at the start is done before anybody asks.
  const leases = createLeases(db, database.url)
  stops.add(() => leases.close())
  const projections = { url: database.url, db, store, logger }
  const projector = await openProjector()
  stops.add(() => projector.stop())

  const media = createMedia()
  stops.add(() => media.close())
  const blobs = await openBlobs(config.fileStore, stops)
  const files = createStoredFiles({ db, blobs, newId })
  const uploads = createUploads({ media, files })
  const reference = createReference(config.dataDir)
  const reserveName = createNameReservations(db, async (campaignId, key) => {
    const state = fold(await store.readStream(streamOf(campaignId)))
    return state.revision > 0 && nameKey(state.head.name) === key
  })
  // What every save and every list asks, in always the same words.
  const often = createKysely<never>(database.pool, { keepPlans: true })
  const accounts = createAccounts({ db: often, store, reached: projector.reached })
  const settings = createWhitelabelSettings(db)
  const world = createWorld({
    accounts,
    reserveName,
    countryOffset,
    files: (ids, spaceIds) => files.usable(ids, spaceIds),
    claimFiles: (ids) => files.claim(ids),
    unknownTargets: (names) => reference.unknownTargets(names),
    appKnown: reference.appKnown,
    ownApproval: async (id) => (await settings.read(id)).own_approval,
  })
  const commandsAt = (clock: () => string) => {
    const eventId = (commandId: string, n: number) => derivedId('event', commandId, String(n))
    const handle = createHandler({ store, now: clock, eventId, cache: createStateCache(REMEMBERED_BYTES) })
    return { campaigns: createCampaignCommands({ handle, store, world }), accounts: createAccountCommands(handle) }
  }
  const { campaigns: commands } = commandsAt(now)
  const people = createPeople(often, { demo: config.demo })

  if (config.demo) await seed()

  if (config.role === 'all' || config.role === 'policies') {
    const policy = { commands, now, commandId: (...parts: readonly string[]) => derivedId('policy', ...parts) }
    const changedAccounts = new Set<string>()
    const accountChanges = followSteadily(store, {
      after: await store.head(),
      streams: [ACCOUNT_STREAMS],
      onPage: async ({ events, upTo }) => {
        await projector.reached(upTo, READ_PATIENCE_MS, ['accounts', 'campaign-list'])
        for (const { stream } of events) changedAccounts.add(stream.slice(ACCOUNT_STREAMS.length))
      },
      onError: (error) => logger.error({ err: error }, 'events of accounts could not be followed and are tried again'),
    })
    stops.add(() => accountChanges.stop())
    const sweeper = startSweeper({
      sweeps: [
        clockPolicy(policy, (instant, limit, except) => dueCampaigns(db, instant, limit, except)),
        fundingPolicy(
          policy,
          (limit, except) => misfundedCampaigns(db, null, limit, except),
          () => shownBy(db, ['campaign-list', 'accounts']),
        ),
        accountFundingPolicy(policy, (...asked) => misfundedCampaigns(db, ...asked), changedAccounts),
        ...(config.exchangeReview === 'instant'
          ? [
              builtInExchanges(
                policy,
                (limit, except) => undecidedCampaigns(db, limit, except),
                pendingVerdicts,
                () => shownBy(db, ['campaign-list']),
              ),
            ]
          : []),
      ],
      intervalMs: SWEEP_EVERY_MS,
      leads: () => leases.holds('policies'),
      settled: async () => projector.reached(await store.head(), READ_PATIENCE_MS),
      onError: (sweep, error) => logger.error({ err: error, sweep }, 'a policy failed'),
    })
    stops.add(() => sweeper.stop())
    const purge = setInterval(() => {
      void (async () => ((await leases.holds('policies')) ? files.purge() : 0))().catch((error: unknown) =>
        logger.error({ err: error }, 'files that nothing refers to were not removed and are tried again'),
      )
    }, PURGE_EVERY_MS)
    stops.add(async () => clearInterval(purge))
  }
  return config.role === 'all' || config.role === 'api' ? serve() : null

  function openProjector(): Promise<Projector> {
    if (config.role === 'projector' || (config.role === 'all' && !threads)) return keepProjections(projections)
    if (config.role !== 'all') return followProjections(projections)
    return startProjectorThread({ ...config, databaseUrl: database.url }, (error) => {
      // Its connections are cut when a start that it is part of is told to stop.
      if (!signal.aborted) throw error
    })
  }

  async function seed(): Promise<void> {
    let clock = now()
    const past = commandsAt(() => clock)
    await seedDemo({
      ...past,
      setClock: (instant) => {
        clock = instant
      },
      now,
      id: (...parts) => derivedId('demo', ...parts),
      createPerson: ({ id, spaceId, whitelabelId, email, firstName, lastName, role }) =>
        people.create({
          id,
          whitelabel_id: whitelabelId,
          home_space_id: spaceId,
          roles: [role],
          first_name: firstName,
          last_name: lastName,
          email,
          phone: null,
          password: DEMO_PASSWORD,
          demo: true,
        }),
      storeBanner: async ({ spaceId, ownerId, width, height, seed: look }) => {
        const bytes = await media.images.draw(landscape(width, height, look))
        const incoming = { bytes, name: `banner-${width}x${height}.png`, cut: false }
        const file = await uploads.banner(incoming, { width, height }, { spaceId, userId: ownerId })
        return { file_id: file.id, url: urlOf(file.id) }
      },
      settled: async () => {
        await projector.reached(await store.head(), 30_000)
      },
    })
  }

  async function serve(): Promise<string> {
    const keys = await openKeys()
    const fingerprints = await sharedSecret(db, 'fingerprints')
    const fingerprint = (text: string) => createHmac('sha256', fingerprints).update(text).digest('base64url')
    const serviceToken = await sharedSecret(db, 'service-token', config.serviceToken)
    await writeFile(join(config.dataDir, 'service-token'), `${serviceToken}\n`, { mode: 0o600 })
    const personal = createPersonalData(createPersonKeys(often))
    const placeOf = createPlaces(store)
    const tokens = createTokens(keys, () => Date.parse(now()))
    const limits = createLimits(often, newId)
    const sessions = createSessions({ db: often, tokens, now, newId, demo: config.demo })
    const credentials = createServiceCredentials(often, now, newId)
    // Its own level: what is worth a row is worth a line, unless the log is for errors alone.
    const lines = logger.child({}, config.logLevel === 'warn' ? { level: 'info' } : {})
    const security = createSecurityLog({
      db: often,
      log: (line, message) => lines.info(line, message),
      onError: (error) => logger.error({ err: error }, 'security events were not stored'),
      now,
      fingerprint,
      seal: async (text, personId) => {
        const [token] = await personal.seal([text], personId, []).catch(() => [])
        return token ?? null
      },
      whitelabelId: WHITELABEL,
    })
    stops.add(() => security.stop())
    repeat(PURGE_EVERY_MS, async () => {
      await sessions.purge()
      await limits.purge()
    })
    const changes = createChanges({
      store,
      placeOf,
      reached: (position) => projector.reached(position, READ_PATIENCE_MS),
      onError: (error) => logger.error({ err: error }, 'changes could not be told and are tried again'),
    })
    stops.add(() => changes.stop())
    const app = await buildApp({
      live: { changes, sessions, limits },
      credentials: { credentials, security, now },
      security,
      trustProxy: config.trustProxy,
      origins: config,
      logger,
      newId,
      version: VERSION,
      webDir: WEB_DIR,
      doors: {
        identify: createIdentify({ tokens, sessions, credentials, serviceToken }),
        newId,
        commandIdFor: (user, route, key) => derivedId('command', user, route, key),
        once: createOnce(db, (error) => logger.error({ err: error }, 'old answers were not removed')),
        reached: (position, of) => projector.reached(position, READ_PATIENCE_MS, of),
        head: () => store.head(),
        limitUploads: (userId) => limits.reserve([{ key: `upload ${userId}`, ...UPLOADS }]),
        limitReads: createReadLimit(limits, fingerprint),
        hashOf: personal.hashOf,
        reveal: personal.reveal,
      },
      health: {
        unready: () => projector.unready(),
        lag: () => projector.lag(now()),
        serviceToken,
        proxied: config.trustProxy !== null,
      },
      sessions: {
        audioAds: config.audioAds,
        people,
        sessions,
        accounts,
        signIn: createSignIn({ people, sessions, limits, security, fingerprint }),
        security,
      },
      files: { uploads, files, accounts, formatKey },
      whitelists: { whitelists: createWhitelists(db), accounts, placeOf, commands },
      settings,
      campaigns: {
        commands,
        store,
        db: often,
        people,
        personal,
        accounts,
        files: {
          adopt: (source, into) =>
            files.grant(
              filesOf(source.head).map(({ id }) => id),
              into.spaceId,
            ),
        },
        placeOf,
        maxMargin: world.maxMargin,
        newId,
        newStreamId: (commandId) => derivedId('stream', commandId),
        now,
      },
      reference: {
        ...reference,
        placeOf,
        requestResource: createResourceRequests(db, newId, now),
        estimates: createEstimateCalls({
          accounts,
          placeOf,
          countryOf: async (id) => (await commands.load(id)).head.country,
          countryKnown: (country) => countryOffset(country) !== null,
          populations: reference.populations,
          apps: reference.apps,
        }),
      },
    })
    stops.add(() => app.close())
    return app.listen({ port: config.port, host: config.host })
  }

  async function openKeys(): Promise<SigningKeys> {
    if (config.signingKeys.length > 0) return givenKeys(config.signingKeys)
    const stored = await storedKeys(db, (error) => logger.error({ err: error }, 'signing keys were not read and are read again'))
    stops.add(async () => stored.stop())
    return stored
  }

  /** Does the work now and then, until the product stops. What fails is logged and done the next time. */
  function repeat(ms: number, work: () => Promise<void>): void {
    let working: Promise<unknown> = Promise.resolve()
    const run = () => {
      working = work().catch((error: unknown) => logger.error({ err: error }, 'expired rows were not removed'))
    }
    run()
    const timer = setInterval(run, ms)
    stops.add(async () => {
      clearInterval(timer)
      await working
    })
  }
}

async function openBlobs(store: Config['fileStore'], stops: Stops): Promise<BlobStore> {
  if (store.kind === 'folder') return createDiskFiles(store.path)
  const files = await createS3Files(store.url).catch((error: unknown) => {
    throw new ConfigFault(`FILE_STORE_URL: ${error instanceof Error ? error.message : String(error)}`)
  })
  stops.add(async () => files.close())
  return files
}

/** The package's root, from the sources and from dist/server alike. */
const ROOT = fileURLToPath(new URL(import.meta.url.includes('/dist/server/') ? '../../../' : '../', import.meta.url))
const WEB_DIR = join(ROOT, 'dist/web')
const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version
