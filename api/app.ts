import type { WiredForHttp } from './areas/services.ts'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import { AREAS, ENDPOINTS } from './areas/index.ts'
import { installCallSpans } from './http/call-spans.ts'
import { installCompression } from './http/compression.ts'
import { registerDocs } from './http/docs.ts'
import { registerDocumentation } from './http/documentation.ts'
import { installErrors, misaddressed } from './http/envelope.ts'
import { registerHealth, type HealthDeps } from './http/health.ts'
import { installJsonBody } from './http/json-body.ts'
import { IDENTIFIED, installRequestIds } from './http/request-ids.ts'
import { installRequestLog, type RequestLog } from './http/request-log.ts'
import { noteRequests } from './http/last-words.ts'
import { installSecurityHeaders } from './http/security-headers.ts'
import { refuseOtherHosts } from './http/served-hosts.ts'
import { closeSilentConnections } from './http/silent-connections.ts'
import { registerSpa } from './http/spa.ts'
import { separateUserContent } from './http/user-content.ts'
import { infoOf } from './areas/white-label/white-label-info.ts'
import { environmentOf } from '#domain/white-label/hosts'
import type { Tracing } from '#platform/telemetry/tracing'

export type AppDeps = {
  readonly kit: WiredForHttp
  readonly health: HealthDeps
  /** Null: no lines of requests. */
  readonly requestLog: RequestLog | null
  /** Null: calls are no spans. */
  readonly beginCall: Tracing['beginCall'] | null
  /** Folder of the built SPA. */
  readonly webDir: string
  readonly version: string
}

/** Largest JSON body (fine print 26), bytes. */
const JSON_LIMIT = 1024 * 1024

/** The HTTP side of the product: shared hooks, then each area's routes, then the SPA. */
export async function buildApp({ kit, health, requestLog, beginCall, webDir, version }: AppDeps): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: kit.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_LIMIT,
    ...IDENTIFIED,
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (error, _request, reply) => void misaddressed(error, reply),
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    trustProxy: trusted(kit.config.trustProxy),
  })
  if (beginCall !== null) installCallSpans(app, beginCall)
  noteRequests(app)
  installRequestIds(app)
  if (requestLog !== null) installRequestLog(app, requestLog)
  installErrors(app)
  installJsonBody(app)
  closeSilentConnections(app)
  installSecurityHeaders(app, kit.config)
  refuseOtherHosts(app, kit)
  if (kit.config.contentOrigin !== null) separateUserContent(app, kit.config.contentOrigin, ENDPOINTS)
  await installCompression(app)
  await app.register(formbody)
  await app.register(multipart, { throwFileSizeLimit: false })
  app.get('/app-config.js', async (_request, reply) =>
    reply
      .type('text/javascript')
      .header('Cache-Control', 'no-cache')
      .send(`window.APP_CONFIG=${JSON.stringify({ apiBase: '', version })}`),
  )
  registerHealth(app, health)
  await registerDocs(app, AREAS, version)
  for (const area of AREAS) area.register(app, kit)
  if (kit.config.documentation !== null) await registerDocumentation(app, kit.config.documentation)
  await registerSpa(app, webDir, ENDPOINTS, (hostname) => {
    const label = kit.whiteLabels.ofHost(hostname)
    return { label, info: infoOf(label, { environment: environmentOf(hostname), config: kit.config, now: kit.now() }) }
  })
  return app
}

/** Trusts that many hops, or these CIDRs. With a number of hops only proxies may be able to connect: the peer is not checked. */
function trusted(proxies: WiredForHttp['config']['trustProxy']): string[] | ((address: string, hop: number) => boolean) | false {
  if (proxies === null) return false
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : [...proxies]
}
