import type { Wired } from '../areas/services.ts'
import { startSweeper, type Sweeper } from '#commands/sweep'
import { Away } from '#eventstore/away'
import { asAsker } from '#platform/database/lanes'
import type { Leases } from '#projections/projector/leases'
import { AREAS } from '../areas/index.ts'
import { ReadModelsBehind } from '#projections/catch-up'

import { repeat } from '../process/repeat.ts'

/** Pause between two rounds of sweeps. */
const SWEEP_INTERVAL_MS = 300
const HOUSEKEEPING_INTERVAL_MS = 600_000

/** Answers of the lease that are younger are used again: each loop asks before each round. */
const LEADS_FOR_MS = 250

/**
 * The role `policies`: one process at a time, by lease, runs every area's sweeps and its housekeeping. Each area has a loop of its
 * own: a payment provider that is slow must not delay the stop of a campaign at its budget.
 */
export const startPolicies = (kit: Wired, leases: Leases): Promise<void> =>
  asAsker({ purpose: 'policies', account: null }, () => start(kit, leases))

async function start(kit: Wired, leases: Leases): Promise<void> {
  const { caughtUp, logger, stops } = kit
  const leads = remembered(() => leases.holds('policies'))
  const sweepers: Sweeper[] = []
  stops.add(async () => void (await Promise.all(sweepers.map((sweeper) => sweeper.stop()))))
  for (const { policies } of AREAS) {
    const sweeps = await policies(kit)
    if (sweeps.length === 0) continue
    const sweeper = startSweeper({
      sweeps,
      intervalMs: SWEEP_INTERVAL_MS,
      leads,
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
  repeat(kit, HOUSEKEEPING_INTERVAL_MS, 'housekeeping', async () => {
    if (!(await leads())) return
    for (const { housekeeping } of AREAS) await housekeeping(kit)
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
