import { pino } from 'pino'
import { fromMicros } from '#domain/kit/money'
import { createClock } from '#platform/clock'
import { newId } from '#platform/ids'
import { gapLines, leaveNumberGap } from '#platform/invoice/number-gap'
import { createStripeGateway } from '#platform/payment/stripe-gateway'
import { createTestGateway } from '#platform/payment/test-gateway'
import { condensedUpTo } from '#platform/delivery/condense'
import { readConfig } from '../config.ts'
import { openFacts } from '../wiring/fact-store.ts'
import { createStops } from '../process/stops.ts'
import { paymentsAgainstGateway, unrecordedPayments } from '../reconciliation/payment-checks.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { createAdoption } from './adopt-payments.ts'
import { readArguments } from './arguments.ts'
import { ledgerChecks } from './ledger-checks.ts'
import { onDatabase, onLog } from './opened.ts'
import { runTool } from './run-tool.ts'

/** Without `--since`. */
const DAYS = 35

const USAGE = `Usage:
  npm run billing -- reconcile                    compares the ledger of every account with charges, delivered facts, payments,
                                                  invoices and screens, and names each difference
  npm run billing -- reconcile --account <id>     the same for one account
  npm run billing -- reconcile --json             one JSON object a line
  npm run billing -- reconcile --since <day>      names payments since that day that took money and have no record here, such as those
                                                  of after a backup that was restored; without it, those of the last ${DAYS} days
  npm run billing -- reconcile --adopt            records these payments: as refills, or for the invoice that has them
  npm run billing -- skip-numbers                 after PostgreSQL was restored by its own tools: leaves out numbers of invoices and
                                                  credit notes, which may be at customers. npm run restore does it by itself

Only --adopt and skip-numbers change anything. Works on the embedded database in PLACARD_DATA_DIR, running or stopped, or on DATABASE_URL.
Exit code 0 when everything agrees, 1 when something differs, 2 for a wrong call.`

/** Read models follow the log within a second. */
const SETTLE_MS = 2000

/** The command line for billing. */
async function main(): Promise<number> {
  const said = readArguments({
    allowPositionals: true,
    options: {
      account: { type: 'string' },
      since: { type: 'string' },
      adopt: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const config = readConfig(process.env)
  const now = createClock(config.clockOffset)
  const { account = null, adopt = false, json = false, since: day } = said?.values ?? {}
  const since = new Date(day ?? Date.parse(now()) - DAYS * 86_400_000)
  const [command, ...others] = said?.positionals ?? []
  if (others.length > 0 || Number.isNaN(since.getTime()) || (command !== 'reconcile' && command !== 'skip-numbers')) {
    console.error(USAGE)
    return 2
  }
  if (command === 'skip-numbers')
    return onDatabase(config, async (_, { pool }) => {
      for (const line of gapLines(await leaveNumberGap(pool, now()))) console.log(line)
      return 0
    })
  const stops = createStops()
  return onLog(config, async (db, store) => {
    try {
      const { facts } = await openFacts(config, { db, stops, logger: pino({ level: 'silent' }) })
      const gateway = config.stripe === null ? createTestGateway({ db, newId, now }) : createStripeGateway(config.stripe)
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
      const lost = await unrecordedPayments(db, store, gateway, { since: since.toISOString(), settleMs: SETTLE_MS })
      const record = createAdoption(db, store, gateway, now)
      for (const payment of lost.filter(({ spaceId }) => account === null || spaceId === account)) {
        const { amount, isSecond, paymentId: id, providerId, spaceId: space_id } = payment
        const check = isSecond ? 'second charge of payment' : 'payment without a record'
        const refusal = adopt ? await record(payment) : undefined
        if (refusal !== null) found += 1
        const done =
          refusal === null ? '; it is recorded now' : refusal === undefined ? '' : `; it cannot be recorded: ${refusal}`
        console.log(
          json
            ? JSON.stringify({
                space_id,
                check,
                id,
                ledger: 0,
                against: 'gateway',
                other: fromMicros(amount),
                adopted: refusal === null,
              })
            : `${space_id ?? 'unknown account'}: ${check} ${id}: 0, but ${fromMicros(amount)} in gateway as ${providerId}${done}`,
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
