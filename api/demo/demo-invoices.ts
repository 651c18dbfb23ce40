import type { Wired } from '../areas/services.ts'
import { localDay } from '#domain/campaign/content/dates'
import { NO_TAX } from '#domain/invoice/tax'
import { dayAfter, endOfDay } from '#domain/invoice/terms'
import { startOfDay } from '#domain/kit/time-zone'
import type { InvoiceCommand } from '#domain/invoice/invoice'

type DemoKit = Pick<Wired, 'derivedId' | 'invoices' | 'now'>
type Options = {
  readonly commandsAt: (now: () => string) => Wired['commands']
  readonly spaceId: string
  readonly whitelabelId: string
  readonly currency: string
  /** User who made them. */
  readonly accountant: string
}

/**
 * Invoices of a demo account, once its delivery is there: a part-paid one of the month before last, a sent one of the last month, and a
 * draft of this month until yesterday. The last month has the id that the monthly policy would give it, so there is one of it.
 */
export async function seedInvoices({ derivedId, invoices, now }: DemoKit, options: Options): Promise<void> {
  const { commandsAt, spaceId, whitelabelId, currency, accountant } = options
  const today = localDay(now(), 0)
  const firstOf = (monthsBack: number): string => {
    const [year = 0, month = 0] = today.split('-').map(Number)
    return new Date(Date.UTC(year, month - 1 - monthsBack, 1)).toISOString().slice(0, 10)
  }
  const context = (...parts: readonly string[]) => ({
    actor: accountant,
    role: 'WHITELABEL_ACCOUNTANT',
    on_behalf_of: spaceId,
    source: 'import' as const,
    command_id: derivedId('demo', 'invoice', spaceId, ...parts),
    body_hash: null,
    correlation: '',
    causation: null,
  })

  /** Drafts the days from one to the day before another; null when another invoice has them, or there are none. */
  async function draft(from: string, end: string, at: string, month = from.slice(0, 7)) {
    if (from >= end) return null
    const id = derivedId('monthly-invoice', spaceId, month)
    const [start, to] = [startOfDay(from, 0), startOfDay(end, 0)]
    if (!(await invoices.charges.claimPeriod({ invoiceId: id, spaceId, from: start, to }))) return null
    const commands = commandsAt(() => at).invoices
    const run = (command: InvoiceCommand) => commands.execute(id, context(month, command.type), command)
    await run({
      type: 'Draft',
      draft: {
        space_id: spaceId,
        whitelabel_id: whitelabelId,
        currency,
        offset_seconds: 0,
        time_zone: 'UTC',
        charge_from_date: from,
        charge_to_date: dayAfter(end, -1),
        from: start,
        to,
        due_date: null,
        note: '',
      },
    })
    return { id, run, finish: () => commands.finish(id, context(month)) }
  }
  async function issued(monthsBack: number, from = firstOf(monthsBack)) {
    const at = `${firstOf(monthsBack - 1)}T08:00:00.000Z`
    const made = await draft(from, firstOf(monthsBack - 1), at, firstOf(monthsBack).slice(0, 7))
    if (made === null) return null
    await made.run({ type: 'StartIssuing', issuedAt: at, dueAt: endOfDay(dayAfter(today, 7 * monthsBack), 0), tax: NO_TAX })
    const done = await made.finish()
    return done?.state.stage === 'issued' ? { ...made, state: done.state } : null
  }

  // From the first day that was delivered on.
  const first = await issued(2, firstOf(3))
  if (first !== null) {
    await first.run({
      type: 'LogPayment',
      payment: {
        payment_id: derivedId('demo', 'invoice-payment', spaceId),
        source: 'logged',
        // A round part of it.
        amount: Math.floor(first.state.payable / 2 / 100_000_000) * 100_000_000,
        method: 'bank_transfer',
        paid_at: dayAfter(firstOf(1), 4),
        reference: 'TR-20418',
        comment: '',
      },
      by: accountant,
      limit: null,
      force: false,
      known: false,
    })
    await first.finish()
  }
  await issued(1)
  await draft(firstOf(0), today, now())
}
