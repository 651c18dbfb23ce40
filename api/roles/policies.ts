import { startSweeper } from '../../commands/sweep.ts'
import { Away } from '../../eventstore/away.ts'
import type { Leases } from '../../projections/projector/leases.ts'
import { AREAS } from '../areas/index.ts'
import { ReadModelsBehind } from '../kit/behind.ts'
import type { Kit } from '../kit/kit.ts'
import { startLowBalanceMails } from '../kit/mail/low-balance-mails.ts'
import { createMailPolicy } from '../kit/mail/mail-policy.ts'
import { repeat } from '../kit/repeat.ts'

/** Pause between two rounds of sweeps. */
const SWEEP_INTERVAL_MS = 300
const HOUSEKEEPING_INTERVAL_MS = 600_000

/** The role `policies`: one process at a time, by lease, runs every area's sweeps and its housekeeping. */
export async function startPolicies(kit: Kit, leases: Leases): Promise<void> {
  const { caughtUp, logger, stops } = kit
  const leads = () => leases.holds('policies')
  const sweeps = await Promise.all(AREAS.map(async ({ policies }) => (await policies?.(kit)) ?? []))
  const sweeper = startSweeper({
    sweeps: sweeps.flat(),
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
  stops.add(() => sweeper.stop())
  await startLowBalanceMails(kit)
  // Apart from the others: a slow mail server must not delay them.
  const mails = createMailPolicy(kit)
  const mailSweeper = startSweeper({
    sweeps: [mails],
    intervalMs: SWEEP_INTERVAL_MS,
    leads,
    onError: (_, error) => logger.error({ err: error }, 'a mail was not sent and is sent later'),
  })
  stops.add(() => mailSweeper.stop())
  repeat(kit, HOUSEKEEPING_INTERVAL_MS, 'housekeeping', async () => {
    if (!(await leads())) return
    for (const { housekeeping } of AREAS) await housekeeping?.(kit)
    await mails.purge()
    await kit.mailKeys.purge()
  })
}
