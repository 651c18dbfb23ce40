import { migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { createInvoiceCharges } from '#platform/invoice/charges'
import { round, say, timed, type Figures } from './support/measure.ts'
import { withServer } from './support/server.ts'

const CHARGES = Number(process.env['BENCH_CHARGES'] ?? 1_000_000)
/** One account has half of all charges; the others share the rest. */
const ACCOUNTS = 200
const MONTH = { from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' }
/** The last of its month: the scan reads what is open at the end of it. */
const NOW = '2026-11-01T00:00:00.000Z'
const HOURS = 744

/**
 * The end of a month with a million settled charges, each in its own hour, which is the most that they can cost (BENCH_CHARGES):
 * the scan for accounts to invoice, the issuing of the largest invoice, and all of it for every account, one after the other.
 */
export const invoices = (): Promise<Figures> =>
  withServer(async (server) => {
    const name = `invoices_${process.pid}`
    const url = await server.create(name)
    const pool = createPool(url, { max: 4, applicationName: 'placard-bench', mayNest: true })
    const db = createKysely(pool)
    await migrateToLatest(db)
    try {
      say(`filling in ${CHARGES} charges of ${ACCOUNTS} accounts`)
      const fill = `
        insert into app.charged_hours
          (space_id, campaign_id, hour, first_settlement, last_settlement, amount, impressions)
        select $1, 'campaign-' || n / ${HOURS}, $2::timestamptz + make_interval(hours => n % ${HOURS}), 1, 60, 1250000, 1000
        from generate_series(0, $3::int - 1) n`
      const half = Math.floor(CHARGES / 2)
      for (let n = 0; n < ACCOUNTS; n++)
        await pool.query(fill, [`account-${n}`, MONTH.from, n === 0 ? half : Math.floor(half / (ACCOUNTS - 1))])
      await pool.query('vacuum analyze app.charged_hours')
      const charges = createInvoiceCharges(db)
      let open: Awaited<ReturnType<typeof charges.openMonths>> = []
      const scan = await timed(async () => {
        open = await charges.openMonths(NOW)
      })
      const issue = async (spaceId: string) => {
        const claim = { invoiceId: `invoice-${spaceId}`, spaceId, ...MONTH }
        if (!(await charges.hasCharges(claim))) throw new Error(`${spaceId} has nothing to invoice`)
        await charges.claimPeriod(claim)
        await charges.takeCharges({ ...claim, whitelabelId: 'bench', year: 2026, issuedAt: NOW })
      }
      const largest = await timed(() => issue('account-0'))
      say(`scan ${round(1000 * scan)} ms, largest invoice ${round(largest)} s`)
      const others = await timed(async () => {
        for (const { spaceId } of open) if (spaceId !== 'account-0') await issue(spaceId)
      })
      return {
        charges: CHARGES,
        accounts: open.length,
        scan_ms: round(1000 * scan),
        issue_s: round(largest),
        month_end_s: round(scan + largest + others),
      }
    } finally {
      await pool.end()
      await server.drop(name)
    }
  })
