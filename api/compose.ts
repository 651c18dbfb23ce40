import type { Wired } from './areas/services.ts'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { alone } from '#platform/database/alone'
import { newId } from '#platform/ids'
import type { KurrentClocks } from '#eventstore/kurrentdb/clocks'
import { NO_TRACES, tracedAppends } from '#eventstore/tracer'
import { migrateToLatest } from '#migrations/index'
import { openDataKey } from '#platform/identity/kms-keys'
import { sealStored } from '#platform/identity/seal-stored'
import { createClock } from '#platform/clock'
import { openDatabase, type Database } from '#platform/database/database'
import { asAsker, askerNow } from '#platform/database/lanes'
import { createKysely } from '#platform/database/pool'
import { createBidSamples } from '#platform/delivery/bid-samples'
import { createLeases } from '#projections/projector/leases'
import type { Config } from './config.ts'
import { openDemo } from './demo/start-demo.ts'
import { watchArchive } from './wiring/archive-watch.ts'
import { watchDatabase, watchShortages } from './wiring/database-watch.ts'
import { claimLog, openEventLog, refuseOlderLog, watchLog, type EventLog } from './wiring/event-log.ts'
import { openFacts, refuseUnusableFacts } from './wiring/fact-store.ts'
import { openFileStore } from './wiring/file-store.ts'
import { refuseUnusablePlaces } from './wiring/places.ts'
import { createDiskFiles } from '#platform/files/disk-files'
import { createS3Files } from '#platform/files/s3-files'
import { createCatchUp } from '#projections/catch-up'
import { createAdministrators, type Invited } from '#platform/identity/administrators'
import { createRecentErrors } from '#commands/operations/recent-errors'
import { createLogger } from './process/logger.ts'
import { PROCESS_NAME } from './process/this-process.ts'
import { createStops } from './process/stops.ts'
import { healthOf, reportLag, serveHealth } from './roles/health.ts'
import { startHeartbeat } from './roles/heartbeat.ts'
import { startPolicies, type OnRound } from './roles/policies.ts'
import type { HoldBack } from '#projections/projector/runner'
import { openProjector } from './roles/projections.ts'
import { serve } from './roles/serve.ts'
import { createRetryParked } from './wiring/parked-streams.ts'
import { openPast } from './wiring/past.ts'
import { openServices } from './wiring/services.ts'
import { openTelemetry, type Telemetry } from './wiring/telemetry.ts'

export type Product = {
  /** Where the API listens; null for roles that serve none. */
  readonly address: string | null
  /** Where /health/* and /metrics are; the same as `address` where there is one. */
  readonly healthAddress: string
  /** The link with which the first administrator sets a password, and the file that holds it; null once there is one, and in the demo. */
  readonly setup: (Invited & { readonly file: string }) | null
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
  /** The database holds the whole demo already: the start does not compare it with what the demo should be. Tests clone one. */
  readonly demoFilled?: boolean
  /** Awaited before each page of a read model that this thread keeps; tests delay read models with it. */
  readonly holdBack?: HoldBack
  /** Called after each round of each loop of policies; tests wait for rounds. */
  readonly onRound?: OnRound
  /** Receives each phase as it begins. */
  readonly onPhase?: (phase: StartPhase) => void
}

/** Phases that the start waits for, in this order; `demo` only with the demo. */
export type StartPhase = 'database' | 'tables' | 'demo'

/**
 * Wires ports to adapters and starts the roles of this process. A start that fails closes what it opened; an aborted one does so
 * and then rejects with the signal's reason.
 */
export async function startProduct(config: Config, options: StartOptions = {}): Promise<Product> {
  const { onPhase = () => {}, threads = false, signal = new AbortController().signal } = options
  const errors = createRecentErrors()
  const logger = createLogger(config.logLevel, undefined, { requestNow: () => askerNow().request, onError: errors.add })
  const stops = createStops()
  try {
    const telemetry = await openTelemetry(config, { logger, stops })
    await refuseUnusablePlaces(config)
    onPhase('database')
    // Awaited even after an abort: otherwise a half-started server would never be closed.
    const database = await openDatabase({
      databaseUrl: config.databaseUrl ?? undefined,
      dataDir: config.dataDir,
      archive: config.archive,
      connections: config.pools.work,
      log: (line) => logger.info(line),
    })
    stops.add(() => database.stop())
    signal.throwIfAborted()
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    )
    const started = startRoles(config, { ...options, logger, errors, telemetry, database, stops, threads, signal, onPhase })
    return { ...(await Promise.race([started, aborted])), stop: stops.run }
  } catch (error) {
    const closed = stops.run()
    await (signal.aborted ? closed : closed.catch(() => undefined))
    signal.throwIfAborted()
    throw error
  }
}

/** The log answers reads of several callers by one statement, which counts for the account of none of them. */
function sharedReads(log: EventLog): EventLog {
  const shared = <T>(work: () => T) => asAsker({ purpose: 'calls', account: null }, work)
  return { ...log, readStream: (...asked) => shared(() => log.readStream(...asked)), head: () => shared(() => log.head()) }
}

type Opened = StartOptions &
  Required<Pick<StartOptions, 'threads' | 'signal' | 'onPhase'>> &
  Pick<Wired, 'errors' | 'logger' | 'stops'> & { readonly database: Database; readonly telemetry: Telemetry }

async function startRoles(config: Config, given: Opened): Promise<Omit<Product, 'stop'>> {
  const {
    databaseWaitMs,
    kurrentClocks,
    demoFilled = false,
    holdBack,
    onRound,
    logger,
    telemetry,
    errors,
    database,
    stops,
    threads,
    signal,
    onPhase,
  } = given
  const { role } = config
  const shortages = watchShortages({ logger, stops })
  const postgres = watchDatabase({ ping: database.ping, waitMs: databaseWaitMs, logger, stops })
  const { tracer, beginCall } = telemetry
  const opened = sharedReads(await openEventLog(config, database, kurrentClocks))
  const store = tracer === NO_TRACES ? opened : tracedAppends(opened, tracer)
  stops.add(() => store.close())
  const archive = watchArchive(config, { pool: database.pool, logger, stops })
  const log = watchLog(store, { logger, stops })
  // Before the migrations: a key that KMS refuses, and a store that cannot be used, change nothing.
  const dataKey = await openDataKey(config.dataKeys)
  const adapters = { folder: createDiskFiles, s3: createS3Files }
  const fileStore = await openFileStore(config, { adapters, logger, stops })
  await refuseUnusableFacts(config)
  onPhase('tables')
  await migrateToLatest(createKysely(database.pool))
  await claimLog(database.pool, config)
  await refuseOlderLog(database.pool, store)
  // Prepared statements: saves and lists send the same few texts.
  const db = createKysely(database.pool, { keepPlans: true, dataKey })
  await sealStored(db, dataKey)
  const { facts, here, outside } = await openFacts(config, { db, logger, stops })
  const now = createClock(config.clockOffset)
  const leases = createLeases(db, database.url, PROCESS_NAME)
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
    telemetry,
  })
  stops.add(() => projector.stop())
  const { wired, commandsAt } = await openServices(config, {
    dataKey,
    db,
    errors,
    facts,
    factsHere: here,
    fileStore,
    log,
    logger,
    now,
    projector,
    stops,
    store,
    tracer,
    retryParked: createRetryParked(database.url, store),
    past: openPast(database, { dataKey, store, logger, stops }),
    caughtUp: createCatchUp(store, projector),
    outside: [postgres, ...[archive, log].filter((one) => one !== null), ...outside],
  })
  if (config.demo) onPhase('demo')
  const demo = config.demo
    ? await openDemo(wired, {
        bidSamples: createBidSamples(db),
        commandsAt,
        filled: demoFilled,
        behind: async () => (await projector.lag(now())).reduce((sum, { head, position }) => sum + head - position, 0n),
        leads: () => leases.holds('policies'),
        alone: (work) => alone(database.url, 'demo', { signal }, work),
        signal,
      })
    : null
  const health = await healthOf(wired, {
    projector,
    postgres,
    purposes: database.purposes,
    pools: database.figures,
    shortages,
    telemetry,
  })
  startHeartbeat(wired, { postgres, outside: health.outside })
  const address = role === 'all' || role === 'api' ? await serve(wired, { projector, postgres, health, beginCall }) : null
  const healthAddress = address ?? (await serveHealth(wired, health))
  // In the others, what keeps read models up to date says what holds it up.
  if (role === 'api' || role === 'policies') reportLag(wired, health)
  // After the API answers: policies may find much unfinished work.
  if (role === 'all' || role === 'policies') {
    await startPolicies(wired, leases, onRound)
    demo?.start()
  }
  if (address === null || config.demo) return { address, healthAddress, setup: null }
  // Without the demo, an administrator must be able to sign in.
  const administrators = createAdministrators({ ...wired, accounts: wired.commands.accounts })
  return { address, healthAddress, setup: await keptInvitation(config.dataDir, await administrators.inviteFirst()) }
}

/** Writes the link into a file that only the user of this process reads: logs are read by many. Null removes that of an earlier start. */
async function keptInvitation(dataDir: string, invited: Invited | null): Promise<Product['setup']> {
  const file = join(dataDir, 'first-sign-in')
  if (invited === null) {
    await rm(file, { force: true })
    return null
  }
  // Several processes may share the folder, and start at once: each link works, and the last one stays.
  const own = `${file}.${newId()}`
  await writeFile(own, `${invited.link}\n`, { mode: 0o600, flag: 'wx' })
  await rename(own, file)
  return { ...invited, file }
}
