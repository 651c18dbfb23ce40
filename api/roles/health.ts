import type { Wired } from '../areas/services.ts'
import { setTimeout as delay } from 'node:timers/promises'
import fastify, { LogController } from 'fastify'
import { sql } from 'kysely'
import { logFigures } from '#platform/audit/log-head-store'
import { webhookFigures } from '#platform/audit/webhook-store'
import { diskFigures } from '#platform/health/disks'
import { campaignFigures, spendFigures } from '#projections/campaign/list/figures'
import { leaseFigures, queueFigures, serverFigures } from '#platform/health/figures'
import { READ_MODELS } from '#projections/read-models'
import { failingSweeps } from '#platform/jobs/failing'
import { jobFigures } from '#platform/jobs/job-store'
import { startMetricsPush } from '#platform/telemetry/metrics-push'
import { sharedSecret } from '#platform/identity/secrets'
import { asAsker, type Purpose } from '#platform/database/lanes'
import type { Projector } from '#projections/projector/projector'
import type { Shortages } from '../wiring/database-watch.ts'
import type { Telemetry } from '../wiring/telemetry.ts'
import { JOB_KINDS } from '../areas/index.ts'
import { installErrors } from '../http/envelope.ts'
import { registerHealth, type HealthDeps } from '../http/health.ts'
import { IDENTIFIED, installRequestIds } from '../http/request-ids.ts'
import { unlessAway, type Outside } from '#commands/outside'
import { atMostEvery } from '../process/at-most-every.ts'
import { repeat } from '../process/repeat.ts'

/** How long readiness waits for a connection of the pool that this process works with, milliseconds. */
const POOL_WITHIN_MS = 3000
/** Lag that is no page of events any more, seconds: a projector is missing, or stuck. */
const LATE_SECONDS = 15
const WATCH_MS = 5000
/** Figures that several monitors may ask for are read from PostgreSQL this often at most, milliseconds. */
const READ_AGAIN_MS = 10_000
/** Interval of counts that read a whole read model. */
const COUNT_AGAIN_MS = 60_000
/** Leases that some process holds while everything runs. */
const LEASES = ['policies', ...READ_MODELS.map(({ name }) => `projector ${name}`)]

type Watched = {
  readonly projector: Projector
  readonly postgres: Outside
  /** Purposes of the connections of this process; the first is its own work, without which it is not ready. */
  readonly purposes: readonly Purpose[]
  /** Use of its connections. */
  readonly pools: HealthDeps['pools']
  readonly shortages: Shortages
  readonly telemetry: Telemetry
}

/** Answers of /health/* and /metrics of this process, whatever its role (running.md). */
export async function healthOf(
  kit: Wired,
  { projector, postgres, purposes, pools, shortages, telemetry }: Watched,
): Promise<HealthDeps> {
  const { config, db, now, outside } = kit
  const [own, ...others] = purposes
  const witnesses = config.transparency.witnesses.map(({ key }) => key.name)
  const unlessBothAway = <T>(work: () => Promise<readonly T[]>) => unlessAway(postgres, () => unlessAway(kit.log, work))
  return {
    unready: async () => {
      const isThere = postgres.isAway() || own === undefined || (await answersSoon(db, own))
      // It may have gone away while this waited for a connection.
      if (postgres.isAway()) return [postgres.name]
      return isThere ? [] : ['database connections']
    },
    behind: () =>
      unlessBothAway(async () => {
        const [models, items, busy] = await Promise.all([
          projector.unready(),
          failingSweeps(db),
          Promise.all(others.map(async (purpose) => ((await answersSoon(db, purpose)) ? [] : [`connections for ${purpose}`]))),
        ])
        return [...models, ...items, ...busy.flat()]
      }),
    lag: () => unlessBothAway(() => projector.lag(now())),
    jobs: () => unlessAway(postgres, () => jobFigures(db, JOB_KINDS)),
    transparency: () => unlessAway(postgres, async () => [await logFigures(db, witnesses)]),
    webhooks: () => unlessAway(postgres, async () => [await webhookFigures(db)]),
    queues: atMostEvery(READ_AGAIN_MS, () => unlessAway(postgres, () => queueFigures(db))),
    campaigns: atMostEvery(COUNT_AGAIN_MS, () => unlessAway(postgres, () => campaignFigures(db))),
    spend: atMostEvery(COUNT_AGAIN_MS, () => unlessAway(postgres, () => spendFigures(db))),
    disks: atMostEvery(READ_AGAIN_MS, () => diskFigures(foldersOf(config))),
    leases: atMostEvery(READ_AGAIN_MS, () => unlessAway(postgres, () => leaseFigures(db, LEASES))),
    server: atMostEvery(READ_AGAIN_MS, () => unlessAway(postgres, async () => [await serverFigures(db)])),
    pools,
    pushMetrics: pushOf(kit, telemetry),
    droppedSpans: telemetry.dropped.count,
    outside: [...outside, ...shortages.health],
    shortages: shortages.counts,
    serviceToken: await sharedSecret(kit, 'service-token', config.serviceToken),
  }
}

/** Folders of this process that fill: the database and the files of a machine may be on different disks. */
const foldersOf = ({ dataDir, archive, fileStore }: Wired['config']): Readonly<Record<string, string>> => ({
  data: dataDir,
  ...(archive === null ? {} : { archive }),
  ...(fileStore.kind === 'folder' ? { files: fileStore.path } : {}),
})

function pushOf({ config, logger, stops }: Wired, { collector }: Telemetry): HealthDeps['pushMetrics'] {
  if (config.otlp === null || collector === null) return null
  const { metricsEveryMs: everyMs } = config.otlp
  return (collect) => {
    const { stop } = startMetricsPush({ collector, everyMs, collect, logger })
    stops.add(stop)
  }
}

/** Serves /health/* and /metrics alone, for roles that answer no calls. Returns the address. */
export async function serveHealth({ config, logger, stops }: Wired, health: HealthDeps): Promise<string> {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    ...IDENTIFIED,
    forceCloseConnections: true,
  })
  installRequestIds(app)
  installErrors(app)
  registerHealth(app, health)
  stops.add(() => app.close())
  return app.listen({ port: config.port, host: config.host })
}

/** One line when read models fall behind, and one when they are up to date again: their projector may be in no process at all. */
export function reportLag(kit: Wired, { lag }: Pick<HealthDeps, 'lag'>): void {
  let isLate = false
  repeat(kit, WATCH_MS, 'measuring the lag of read models', async () => {
    const late = (await lag()).filter(({ seconds }) => seconds > LATE_SECONDS).map(({ name }) => name)
    if (late.length > 0 && !isLate)
      kit.logger.error(
        `read models are more than ${LATE_SECONDS} s behind: ${late.join(', ')}. Is a projector running? Writes and reads go on`,
      )
    if (late.length === 0 && isLate) kit.logger.warn('read models are up to date again')
    isLate = late.length > 0
  })
}

/** Whether a connection for this purpose is free soon. */
const answersSoon = (db: Wired['db'], purpose: Purpose): Promise<boolean> =>
  Promise.race([
    asAsker({ purpose, account: null }, () => sql`select 1`.execute(db)).then(
      () => true,
      () => false,
    ),
    delay(POOL_WITHIN_MS, false, { ref: false }),
  ])
