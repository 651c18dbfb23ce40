import { pino } from 'pino'
import { fromMicros } from '#domain/kit/money'
import { createClock } from '#platform/clock'
import { newId } from '#platform/ids'
import { createStripeGateway } from '#platform/payment/stripe-gateway'
import { createTestGateway } from '#platform/payment/test-gateway'
import { condensedUpTo } from '#platform/delivery/condense'
import { readConfig } from '../config.ts'
import { openFacts } from '../wiring/fact-store.ts'
import { createStops } from '../process/stops.ts'
import { paymentsAgainstGateway } from '../reconciliation/payment-checks.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { readArguments } from './arguments.ts'
import { ledgerChecks } from './ledger-checks.ts'
import { onLog } from './opened.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run billing -- reconcile                    compares the ledger of every account with charges, delivered facts, payments,
                                                  invoices and screens, and names each difference
  npm run billing -- reconcile --account <id>     the same for one account
  npm run billing -- reconcile --json             one JSON object a line

Changes nothing. Works on the embedded database in PLACARD_DATA_DIR, running or stopped, or on DATABASE_URL.
Exit code 0 when everything agrees, 1 when something differs, 2 for a wrong call.`

/** Read models follow the log within a second. */
const SETTLE_MS = 2000

/** The command line for billing. */
async function main(): Promise<number> {
  const said = readArguments({
    allowPositionals: true,
    options: { account: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  if (said === null || said.positionals.length !== 1 || said.positionals[0] !== 'reconcile') {
    console.error(USAGE)
    return 2
  }
  const { account = null, json } = said.values
  const config = readConfig(process.env)
  const stops = createStops()
  return onLog(config, async (db, store) => {
    try {
      const { facts } = await openFacts(config, { db, stops, logger: pino({ level: 'silent' }) })
      const gateway =
        config.stripe === null
          ? createTestGateway({ db, newId, now: createClock(config.clockOffset) })
          : createStripeGateway(config.stripe)
      const checks = [...ledgerChecks(db, store, facts), paymentsAgainstGateway(db, store, gateway)]
      let accounts = 0
      let found = 0
      for await (const { spaceId, differences } of reconcile({ db, store, checks, settleMs: SETTLE_MS }, account)) {
        accounts += 1
        found += differences.length
        const condensed = await condensedUpTo(db, spaceId)
        if (condensed > 0 && !json)
          console.log(
            `${spaceId}: settlements 1 to ${condensed} are condensed, and compared by their sums of campaigns and months`,
          )
        for (const { space_id, check, id, ledger, against, other } of differences)
          console.log(
            json
              ? JSON.stringify({ space_id, check, id, ledger: fromMicros(ledger), against, other: fromMicros(other) })
              : `${space_id}: ${check} ${id}: ${fromMicros(ledger)}, but ${fromMicros(other)} in ${against}`,
          )
      }
      if (!json) console.log(`${accounts} accounts compared, ${found} differences`)
      return found === 0 ? 0 : 1
    } finally {
      await stops.run()
    }
  })
}

void runTool(main)
