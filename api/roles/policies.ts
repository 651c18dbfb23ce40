import type { Wired } from '../areas/services.ts'
import { createJobWorker } from '#commands/jobs/job-worker'
import { startSweeper, type Sweeper } from '#commands/sweep'
import { Away } from '#eventstore/away'
import { followSteadily } from '#eventstore/steady-following'
import { asAsker } from '#platform/database/lanes'
import type { Leases } from '#projections/projector/leases'
import { createFailing } from '#platform/jobs/failing'
import { createJobStore } from '#platform/jobs/job-store'
import { AREAS } from '../areas/index.ts'
import { ReadModelsBehind } from '#projections/catch-up'
import { isOfEvent } from '#projections/projector/event-fault'

import { repeat } from '../process/repeat.ts'

/** Pause between two rounds of sweeps. */
const SWEEP_INTERVAL_MS = 300
/** While there is nothing to do, and no event in the log. */
const IDLE_INTERVAL_MS = 900
const HOUSEKEEPING_INTERVAL_MS = 600_000

/** Answers of the lease that are younger are used again: each loop asks before each round. */
const LEADS_FOR_MS = 250

/** Receives the first sweep of a loop after each of its rounds. */
export type OnRound = (sweep: string) => void

/**
 * The role `policies`: one process at a time, by lease, runs every area's sweeps, the durable jobs and the housekeeping. Each area has a
 * loop of its own, and so have the jobs: a payment provider that is slow must not delay the stop of a campaign at its budget.
 */
export const startPolicies = (kit: Wired, leases: Leases, onRound?: OnRound): Promise<void> =>
  asAsker({ purpose: 'policies', account: null }, () => start(kit, leases, onRound))

async function start(kit: Wired, leases: Leases, onRound?: OnRound): Promise<void> {
  const { caughtUp, logger, stops } = kit
  const leads = remembered(() => leases.holds('policies'))
  const sweepers: Sweeper[] = []
  const worker = jobWorker(kit)
  stops.add(async () => void (await Promise.all([worker, ...sweepers].map((one) => one.stop()))))
  for (const sweeps of [...(await Promise.all(AREAS.map(({ policies }) => policies(kit)))), [worker]]) {
    if (sweeps.length === 0) continue
    const sweeper = startSweeper({
      sweeps,
      intervalMs: SWEEP_INTERVAL_MS,
      idleMs: IDLE_INTERVAL_MS,
      leads,
      failing: createFailing(kit.db),
      isPassing: (error) => error instanceof Away || error instanceof ReadModelsBehind || !isOfEvent(error),
      onRound: onRound && (() => onRound(sweeps[0]?.name ?? '')),
      settled: () =>
        caughtUp('all').catch((error: unknown) => {
          // The next scan may find the same again; its commands have the same ids, or find nothing to record.
          if (!(error instanceof ReadModelsBehind)) throw error
        }),
      onError: (sweep, error) => {
        // The log has one line when something outside goes away.
        if (!(error instanceof Away)) logger.error({ err: error, sweep }, 'a policy failed and runs again in the next round')
      },
    })
    sweepers.push(sweeper)
  }
  const events = followSteadily(kit.store, {
    after: await kit.store.head(),
    streams: [],
    onPage: async ({ events }) => {
      if (events.length > 0) for (const sweeper of sweepers) sweeper.stir()
    },
    onError: (error) => logger.error({ err: error }, 'the log could not be followed and is read again'),
  })
  stops.add(() => events.stop())
  repeat(kit, HOUSEKEEPING_INTERVAL_MS, 'housekeeping', async () => {
    if (!(await leads())) return
    for (const { name, housekeeping } of AREAS)
      await housekeeping(kit).catch((error: unknown) =>
        logger.error({ err: error, area: name }, 'housekeeping failed and is tried again'),
      )
  })
}

/** Carries out the durable jobs of every area. A new leader may take jobs while the one before still works on others. */
function jobWorker(kit: Wired) {
  const { db, logger, newId, tracer } = kit
  return createJobWorker({
    store: createJobStore(db, newId()),
    tracer,
    kinds: AREAS.flatMap(({ jobs }) => jobs(kit)),
    onError: (error, { kind, key }) => {
      // The log has one line when something outside goes away.
      if (!(error instanceof Away)) logger.error({ err: error, job: key }, `a job "${kind}" failed and is tried again`)
    },
    onDead: ({ kind, key, payload }, reason) =>
      logger.error(
        { payload },
        `the job "${kind}" ${key} was given up: ${reason}. Run it again with "npm run jobs -- retry ${key} --kind ${kind}"`,
      ),
  })
}

/** The answer of the last moments, or a new one. */
function remembered(ask: () => Promise<boolean>): () => Promise<boolean> {
  let asked = { at: -Infinity, answer: Promise.resolve(false) }
  return () => {
    if (performance.now() - asked.at > LEADS_FOR_MS) asked = { at: performance.now(), answer: ask() }
    return asked.answer
  }
}
