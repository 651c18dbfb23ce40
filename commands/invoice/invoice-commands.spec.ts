import { describe, expect, it } from 'vitest'
import { NO_TAX } from '#domain/invoice/tax'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import type { CommandContext } from '#domain/kit/event-metadata'
import { paidOf } from '#domain/invoice/state'
import { derivedId } from '#platform/ids'
import { createAccountCommands } from '../account/account-commands.ts'
import { createHandler } from '../handle.ts'
import { createInvoiceCommands } from './invoice-commands.ts'
import type { InvoicePort } from './invoice-port.ts'

const context = (command_id: string): CommandContext => ({
  actor: 'accountant',
  role: 'WHITELABEL_ACCOUNTANT',
  on_behalf_of: null,
  source: 'api',
  command_id,
  body_hash: null,
  correlation: '',
  causation: null,
})

/** An account with an invoice of 100, issued at this time. */
async function issued(at: string, zone: { readonly time_zone?: string; readonly offset_seconds: number }) {
  let clock = Date.parse(at)
  const now = () => new Date((clock += 10)).toISOString()
  const handle = createHandler({ store: createMemoryEventStore(), now, eventId: (id, n) => derivedId('event', id, String(n)) })
  const accounts = createAccountCommands(handle)
  let taken = 0
  const numbers = async () => (taken += 1)
  const port = {
    takeCharges: async () => ({
      number: await numbers(),
      lines: [{ campaign_id: 'c', amount: 100_000_000, late: false }],
    }),
    takeNumber: numbers,
    namesOf: async () => new Map(),
    keepParties: async () => undefined,
  } as unknown as InvoicePort
  const chargeCard = async () => 'declined' as const
  const invoices = createInvoiceCommands(handle, { accounts, port, commandId: (...parts) => parts.join(':'), chargeCard })
  const open = { type: 'OpenAccount', spaceId: 's', whitelabelId: 'dsp', name: 'Nile', currency: 'USD', house: false } as const
  await accounts.execute('s', context('open'), open)
  const draft = {
    space_id: 's',
    whitelabel_id: 'dsp',
    currency: 'USD',
    ...zone,
    charge_from_date: '2026-12-01',
    charge_to_date: '2026-12-31',
    from: '2026-12-01T00:00:00.000Z',
    to: '2027-01-01T00:00:00.000Z',
    due_date: null,
    note: '',
  }
  let commands = 0
  const run = (command: Parameters<typeof invoices.execute>[2]) => invoices.execute('i', context(`c${(commands += 1)}`), command)
  await run({ type: 'Draft', draft })
  await run({ type: 'StartIssuing', issuedAt: at, dueAt: '2027-02-01T00:00:00.000Z', tax: NO_TAX })
  const finish = async () => {
    const done = await invoices.finish('i')
    if (done === null) throw new Error('no invoice')
    return done.state
  }
  await finish()
  const log = (payment_id: string, amount: number, limit: number | null = null) =>
    run({
      type: 'LogPayment',
      payment: { payment_id, source: 'logged', amount, method: 'cash', paid_at: '2027-01-02', reference: 'W-1', comment: '' },
      by: 'accountant',
      limit,
      force: false,
      known: false,
    })
  return { run, finish, log }
}
const UTC = { offset_seconds: 0 }

describe('commands of an invoice', () => {
  it.each([
    ['2026-12-31T23:30:00.000Z', { time_zone: 'Africa/Lagos', offset_seconds: 0 }, '2027'],
    ['2027-01-01T00:30:00.000Z', { time_zone: 'America/New_York', offset_seconds: 0 }, '2026'],
    ['2026-12-31T23:30:00.000Z', { offset_seconds: 3600 }, '2027'],
    ['2026-12-31T23:30:00.000Z', UTC, '2026'],
  ] as const)('numbers of what is issued at %s in %j have the local year %s', async (at, zone, year) => {
    const { run, finish } = await issued(at, zone)
    await run({ type: 'Credit', creditNoteId: 'n', amount: 1_000_000, comment: 'Bad traffic', by: 'accountant' })
    const { number, credits } = await finish()
    expect([number, credits['n']?.number]).toEqual([`DSP-${year}-000001`, `DSP-${year}-000002`])
  })

  it('every partial refund is taken back from the invoice', async () => {
    const { run, finish, log } = await issued('2027-01-02T00:00:00.000Z', UTC)
    await log('p', 60_000_000)
    expect(paidOf(await finish())).toBe(60_000_000)
    const paid: number[] = []
    for (const [releaseId, taken] of [
      ['r1', 10_000_000],
      ['r2', 15_000_000],
      ['r2', 15_000_000],
    ] as const) {
      await run({ type: 'TakeBack', paymentId: 'p', releaseId, taken, cause: 'refund' })
      paid.push(paidOf(await finish()))
    }
    expect(paid).toEqual([50_000_000, 35_000_000, 35_000_000])
  })

  it('a payment that was declined may be recorded again', async () => {
    const { run, finish, log } = await issued('2027-01-02T00:00:00.000Z', UTC)
    await log('p1', 50_000_000, 0)
    expect((await log('p2', 50_000_000)).kind).toBe('rejected')
    await run({ type: 'DeclinePayment', paymentId: 'p1', by: 'owner', comment: '' })
    expect((await log('p3', 50_000_000)).kind).toBe('done')
    expect(paidOf(await finish())).toBe(50_000_000)
  })

  // covers FP-63
  it('an amount of exactly the limit needs no second person, and one of more than is due always does', async () => {
    const { finish, log } = await issued('2027-01-02T00:00:00.000Z', UTC)
    await log('p1', 40_000_000, 40_000_000)
    expect((await finish()).payments['p1']?.stage).toBe('applied')
    await log('p2', 60_000_001, null)
    expect((await finish()).payments['p2']?.stage).toBe('pending')
  })
})
