import type { Wired, WiredForHttp } from '../areas/services.ts'
import { READ_TIMEOUT_MS } from '#projections/catch-up'
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPersonKeys } from '#platform/identity/person-keys'
import { sharedSecret } from '#platform/identity/secrets'
import type { Projector } from '#projections/projector/projector'
import { buildApp } from '../app.ts'
import { notices } from '../config.ts'
import { createDeliveries } from '#projections/campaign/list/deliveries'
import {
  createCallLimit,
  createTransferLimit,
  DOWNLOADS,
  HEAVY_CALLS,
  SERVICE_CALLS,
  SERVICE_DOWNLOADS,
  UPLOADS,
} from '../http/limits/calls.ts'
import { createFileTokens } from '#commands/files/file-tokens'
import { asAsker, askerNow, reportsAtOnce } from '#platform/database/lanes'
import { createCallTurns } from '#platform/limits/call-turns'
import { createCounted, createLimits, createReadLimit } from '#platform/limits/limits'
import { createDailyShare, DAY_SECONDS, WRITE_SHARE } from '#platform/limits/daily-share'
import { createOnce } from '#platform/limits/once'
import type { HealthDeps } from '../http/health.ts'
import type { Outside } from '#commands/outside'
import { createPersonalData } from '#commands/identity/personal-data'
import { repeat } from '../process/repeat.ts'
import { createFileLog, createLogger } from '../process/logger.ts'
import { createSecurityLog } from '#platform/identity/security-log'
import { createScimTokens } from '#platform/scim/scim-tokens'
import { createServiceCredentials } from '#platform/identity/service-credentials'
import { createApiKeys } from '#platform/identity/api-keys'
import { ROOT, VERSION } from '../version.ts'
import type { Telemetry } from '../wiring/telemetry.ts'
import { createIdentify } from '../http/identify.ts'
import { createSessionCookie } from '../http/session-cookie.ts'
import { createStepUp } from '../http/step-up.ts'
import { createPasskeys } from '#platform/identity/passkeys'
import { createSecondFactor } from '#platform/identity/second-factor'
import { exchangesKeys, idleLimitOf, isOutside, requiresSecondFactor } from '../areas/white-label/white-labels.ts'
import { createSignOnStores } from '#platform/single-sign-on/sign-on-store'
import { createSessions } from '#platform/identity/sessions'
import { givenKeys, storedKeys } from '#platform/identity/signing-keys'
import { createTokens, type SigningKeys } from '#commands/identity/tokens'

/** How often expired sessions and reservations are removed. */
const PURGE_INTERVAL_MS = 600_000
/** Uploads per user. */
const UPLOADS_A_MINUTE = { limit: 120, seconds: 60 }

type Serving = {
  readonly projector: Projector
  readonly postgres: Outside
  readonly health: HealthDeps
  readonly beginCall: Telemetry['beginCall']
}

/** The role `api`: serves HTTP. Returns the address it listens on. */
export async function serve(kit: Wired, { projector, postgres, health, beginCall }: Serving): Promise<string> {
  const { config, db, derivedId, logger, newId, now, stops, store } = kit
  for (const line of notices(config)) logger.warn(line)
  const fingerprints = await sharedSecret(kit, 'fingerprints')
  const fingerprint = (text: string) => createHmac('sha256', fingerprints).update(text).digest('base64url')
  const { serviceToken } = health
  await writeFile(join(config.dataDir, 'service-token'), `${serviceToken}\n`, { mode: 0o600 })

  const tokens = createTokens(await openKeys(kit), () => Date.parse(now()))
  const personal = createPersonalData(createPersonKeys(kit))
  const security = openSecurityLog()
  const signOn = createSignOnStores({
    db,
    now,
    secret: await sharedSecret(kit, 'single-sign-on'),
    originOf: kit.links.originOf,
  })
  const apiKeys = createApiKeys({ db, now, newId, demo: config.demo })
  const sessions = createSessions({
    db,
    tokens,
    now,
    newId,
    demo: config.demo,
    recordEnd: security.sessionsEnded,
    idleLimitOf: (person) => idleLimitOf(kit.whiteLabels, person),
    isOutside: ({ roles, whitelabel_id: whitelabelId }, address) => isOutside(kit.whiteLabels, { roles, whitelabelId }, address),
    endUrlOf: signOn.sessions.endUrl,
    apiKeys,
  })
  const credentials = createServiceCredentials(db, now, newId)
  const scimTokens = createScimTokens(db, now, newId)
  const secondFactor = createSecondFactor({ db, personal, now })
  const secret = await sharedSecret(kit, 'passkey-challenges')
  const passkeys = createPasskeys({ db, secret, now, newId, originOf: kit.links.originOf })
  const limits = createLimits(db, newId)
  repeat(kit, PURGE_INTERVAL_MS, 'removing expired sessions and limits', async () => {
    await sessions.purge()
    await secondFactor.purge()
    await passkeys.purge()
    await limits.purge()
  })

  const guards = {
    identify: createIdentify({
      tokens,
      sessions,
      credentials,
      apiKeys,
      scimTokens,
      serviceToken,
      now,
      requiresSecondFactor: (actor) => requiresSecondFactor(kit.whiteLabels, actor),
      // An identity provider stands for the second factor of the sessions that began there (fine print 84).
      hasSecondFactor: async (personId, session) =>
        (await secondFactor.state(personId)).on || (await signOn.sessions.has(session)),
      isOutside: (actor, address) => isOutside(kit.whiteLabels, actor, address),
      exchangesKeys: (actor) => exchangesKeys(kit.whiteLabels, actor),
    }),
    requireProof: createStepUp({ signOn: signOn.sessions, sessions, secondFactor, passkeys, now }),
    newId,
    whiteLabelOf: kit.whiteLabels.ofHost,
    commandIdFor: (user: string, route: string, key: string) => derivedId('command', user, route, key),
    once: createOnce(db, (error) => logger.error({ err: error }, 'expired answers were not removed and are removed later')),
    writes: createDailyShare(limits, () => askerNow().account, WRITE_SHARE),
    countDaily: (key: string, limit: number) => limits.reserve([{ key, limit, seconds: DAY_SECONDS }]),
    reached: (position: bigint, of?: readonly string[]) => projector.reached(position, READ_TIMEOUT_MS, of),
    wait: postgres.wait,
    attempt: postgres.attempt,
    head: () => store.head(),
    fileTokens: createFileTokens({
      secret: await sharedSecret(kit, 'file-tokens'),
      now: () => Date.parse(now()),
      reviewedOf: (ids) => kit.files.reviewedOf(ids),
    }),
    isLogAway: () => kit.log?.isAway() === true,
    limitUploads: createCounted(limits, (userId) => ({ key: `upload ${userId}`, ...UPLOADS_A_MINUTE })),
    limitCalls: createCallLimit(),
    turn: createCallTurns(reportsAtOnce(config.pools.work.reports ?? 1)),
    download: createTransferLimit(DOWNLOADS),
    service: createTransferLimit(SERVICE_CALLS),
    serviceDownload: createTransferLimit(SERVICE_DOWNLOADS),
    upload: createTransferLimit(UPLOADS),
    heavy: createTransferLimit(HEAVY_CALLS),
    asAsker,
    limitReads: createReadLimit(limits, fingerprint),
    sessionCookie: createSessionCookie(config),
    hashOf: personal.hashOf,
    reveal: personal.reveal,
  }
  const deliveries = createDeliveries(db, (error) =>
    logger.error({ err: error }, 'new deliveries were not reported and are looked for again'),
  )
  stops.add(() => deliveries.stop())
  const http: WiredForHttp = {
    ...kit,
    guards,
    limits,
    personal,
    sessions,
    secondFactor,
    passkeys,
    signOn,
    apiKeys,
    security,
    credentials,
    scimTokens,
    deliveries,
    fingerprint,
  }
  const lines = ownLines('requests.log')
  const requestLog = config.requestLog === null ? null : { ...config.requestLog, write: lines.info.bind(lines) }
  const app = await buildApp({
    kit: http,
    health: { ...health, securityEvents: security.counts },
    requestLog,
    beginCall,
    webDir: join(ROOT, 'dist/web'),
    version: VERSION,
  })
  stops.add(() => app.close())
  const address = await app.listen({ port: config.port, host: config.host })
  kit.links.listensOn(address)
  return address

  /**
   * The log of lines at level info that are written even when the product logs warnings only. With the demo, and in a terminal, they would
   * hide what the reader looks for: there they are a file in the data folder.
   */
  function ownLines(file: string) {
    const isWatched = config.demo || process.stdout.isTTY
    return isWatched
      ? createLogger('info', createFileLog(join(config.dataDir, file)))
      : logger.child({}, config.logLevel === 'warn' ? { level: 'info' } : {})
  }

  function openSecurityLog() {
    const lines = ownLines('security.log')
    const log = createSecurityLog({
      db,
      log: (line, message) => lines.info(line, message),
      onError: (error) => logger.error({ err: error }, 'security events were not stored'),
      now,
      fingerprint,
      seal: async (text, personId) => {
        const [token] = await personal.seal([text], personId, []).catch(() => [])
        return token ?? null
      },
    })
    stops.add(() => log.stop())
    return log
  }
}

/** Signing keys of the configuration; by default those of the database, which are polled. */
async function openKeys({ config, dataKey, db, logger, stops }: Wired): Promise<SigningKeys> {
  if (config.signingKeys.length > 0) return givenKeys(config.signingKeys)
  const stored = await storedKeys({ db, dataKey }, (error) =>
    logger.error({ err: error }, 'signing keys were not read and are read again'),
  )
  stops.add(async () => stored.stop())
  return stored
}
