import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { CampaignCallDeps } from './areas/campaigns/campaign-calls.ts'
import { AUDIT_ENDPOINTS } from './contract/audit.ts'
import { BIDDING_ENDPOINTS } from './contract/bidding.ts'
import { CAMPAIGN_LIST_ENDPOINTS } from './contract/campaign-list.ts'
import { CAMPAIGN_ENDPOINTS } from './contract/campaign.ts'
import { ESTIMATE_ENDPOINTS } from './contract/estimates.ts'
import { FILE_ENDPOINTS } from './contract/files.ts'
import type { Endpoint } from './contract/http.ts'
import { LIVE_ENDPOINTS } from './contract/live.ts'
import { MODERATION_ENDPOINTS } from './contract/moderation.ts'
import { REFERENCE_ENDPOINTS } from './contract/reference.ts'
import { REPORT_ENDPOINTS } from './contract/reports.ts'
import { SESSION_ENDPOINTS } from './contract/session.ts'
import { registerDocs } from './kit/docs.ts'
import { SECURITY_ENDPOINTS } from './contract/security.ts'
import { CREDENTIAL_ENDPOINTS } from './contract/service-credential.ts'
import { SETTINGS_ENDPOINTS } from './contract/whitelabel-settings.ts'
import { WHITELIST_ENDPOINTS } from './contract/whitelists.ts'
import { installErrors, misaddressed } from './kit/envelope.ts'
import { registerHealth, type HealthDeps } from './kit/health.ts'
import { installJsonBody } from './kit/json-body.ts'
import { closeSilentConnections } from './kit/silent-connections.ts'
import type { Doorkeepers } from './kit/register.ts'
import { separateUserContent } from './kit/user-content.ts'
import { installSecurityHeaders, type Origins } from './kit/security-headers.ts'
import { registerSpa } from './kit/spa.ts'
import { registerCampaignRoutes } from './areas/campaigns/campaign-routes.ts'
import { registerCredentialRoutes, type CredentialRouteDeps } from './areas/security/credential-routes.ts'
import { registerSecurityRoutes } from './areas/security/security-routes.ts'
import type { SecurityLog } from './areas/security/security-log.ts'
import { registerFileRoutes, type FileRouteDeps } from './areas/files/file-routes.ts'
import { registerLiveRoutes, type LiveRouteDeps } from './areas/live/live-routes.ts'
import { registerReferenceRoutes, type ReferenceRouteDeps } from './areas/reference/reference-routes.ts'
import { registerReportRoutes } from './areas/reports/report-routes.ts'
import { registerWhitelistRoutes, type WhitelistRouteDeps } from './areas/whitelists/whitelist-routes.ts'
import { registerSettingsRoutes } from './areas/white-label/settings-routes.ts'
import type { WhitelabelSettingsStore } from './areas/white-label/whitelabel-settings.ts'
import { registerSessionRoutes, type SessionRouteDeps } from './areas/sessions/session-routes.ts'

export type AppDeps = {
  readonly logger: FastifyBaseLogger
  readonly doors: Doorkeepers
  readonly health: HealthDeps
  readonly sessions: SessionRouteDeps
  readonly settings: WhitelabelSettingsStore
  readonly campaigns: CampaignCallDeps
  readonly reference: ReferenceRouteDeps
  readonly whitelists: WhitelistRouteDeps
  readonly files: FileRouteDeps
  readonly live: LiveRouteDeps
  readonly credentials: CredentialRouteDeps
  readonly security: SecurityLog
  readonly origins: Origins
  /** Proxies whose X-Forwarded-* headers count: how many, or their CIDRs; null: none. */
  readonly trustProxy: number | readonly string[] | null
  readonly newId: () => string
  /** Folder of the built SPA. */
  readonly webDir: string
  readonly version: string
}

export const ENDPOINTS: readonly Endpoint[] = [
  ...SESSION_ENDPOINTS,
  ...SETTINGS_ENDPOINTS,
  ...CAMPAIGN_ENDPOINTS,
  ...CAMPAIGN_LIST_ENDPOINTS,
  ...MODERATION_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...BIDDING_ENDPOINTS,
  ...REPORT_ENDPOINTS,
  ...REFERENCE_ENDPOINTS,
  ...ESTIMATE_ENDPOINTS,
  ...WHITELIST_ENDPOINTS,
  ...FILE_ENDPOINTS,
  ...LIVE_ENDPOINTS,
  ...CREDENTIAL_ENDPOINTS,
  ...SECURITY_ENDPOINTS,
]

/** Largest JSON body (fine print 26), bytes. */
const JSON_LIMIT = 1024 * 1024

/** The HTTP side of the product over injected ports: nothing here knows where anything is kept. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_LIMIT,
    genReqId: deps.newId,
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (error, _request, reply) => void misaddressed(error, reply),
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    trustProxy: trusted(deps.trustProxy),
  })
  installErrors(app)
  installJsonBody(app)
  closeSilentConnections(app)
  installSecurityHeaders(app, deps.origins)
  if (deps.origins.contentOrigin !== null) separateUserContent(app, deps.origins.contentOrigin, ENDPOINTS)
  await app.register(formbody)
  await app.register(multipart, { throwFileSizeLimit: false })
  app.get('/app-config.js', async (_request, reply) =>
    reply
      .type('text/javascript')
      .header('Cache-Control', 'no-cache')
      .send(`window.APP_CONFIG=${JSON.stringify({ apiBase: '', version: deps.version })}`),
  )
  registerHealth(app, deps.health)
  registerSecurityRoutes(app, deps.doors, deps.security)
  registerCredentialRoutes(app, deps.doors, deps.credentials)
  registerDocs(app, ENDPOINTS, deps.version)
  registerSessionRoutes(app, deps.doors, deps.sessions)
  registerSettingsRoutes(app, deps.doors, deps.settings)
  registerFileRoutes(app, deps.doors, deps.files)
  registerCampaignRoutes(app, deps.doors, deps.campaigns)
  registerReportRoutes(app, deps.doors, deps.campaigns)
  registerReferenceRoutes(app, deps.doors, deps.reference)
  registerWhitelistRoutes(app, deps.doors, deps.whitelists)
  registerLiveRoutes(app, deps.doors, deps.live)
  await registerSpa(app, deps.webDir, ENDPOINTS)
  return app
}

/** Fastify trusts no number of hops by itself, because the peer may be any client: with a number of hops, only proxies may be able to connect. */
function trusted(proxies: AppDeps['trustProxy']): string[] | ((address: string, hop: number) => boolean) | false {
  if (proxies === null) return false
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : [...proxies]
}
