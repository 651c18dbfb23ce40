import fc from 'fast-check'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccountCommands } from '../../commands/account/account-commands.ts'
import { createSettle } from '../../commands/delivery/settle.ts'
import { createHandler } from '../../commands/handle.ts'
import { createInvoiceCommands } from '../../commands/invoice/invoice-commands.ts'
import type { InvoicePort } from '../../commands/invoice/invoice-port.ts'
import { accountStream, decodeAccountEvent, evolveAccount, initialAccount } from '../../domain/account/account.ts'
import { decodeInvoiceEvent, invoiceStream, type InvoiceLine } from '../../domain/invoice/events.ts'
import { rounded } from '../../domain/invoice/amounts.ts'
import { creditedOf, isUnfinished, openOf, paidOf, type InvoiceState } from '../../domain/invoice/state.ts'
import { dueAt, endOfDay, monthToInvoice } from '../../domain/invoice/terms.ts'
import type { CommandContext } from '../../domain/kit/event-metadata.ts'
import { createMemoryEventStore } from '../../eventstore/memory/memory-event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { createSettlements } from '../../platform/delivery/settlements.ts'
import { derivedId, newId } from '../../platform/ids.ts'
import { createInvoiceCharges } from '../../platform/invoices/charges.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const DAY_MS = 86_400_000
const FIRST = Date.UTC(2026, 4, 1)
const instant = (day: number) => new Date(FIRST + day * DAY_MS).toISOString()
const dayOf = (day: number) => instant(day).slice(0, 10)

type Step =
  | {
      readonly do: 'deliver'
      readonly day: number
      readonly campaign: number
      readonly amount: number
      readonly settles: boolean
    }
  | { readonly do: 'settle' }
  | { readonly do: 'draft'; readonly from: number; readonly days: number; readonly issues: boolean }
  | { readonly do: 'issue' | 'void' | 'finish'; readonly pick: number }
  | { readonly do: 'log' | 'balance' | 'credit' | 'refund'; readonly pick: number; readonly amount: number }
/** A crash at the n-th write of the step, before or after it was stored; null for none. */
type Crash = { readonly at: number; readonly stored: boolean } | null

const amounts = fc.integer({ min: 1, max: 60_000_000 })
const picks = fc.nat({ max: 5 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      day: fc.nat({ max: 4 }),
      campaign: fc.nat({ max: 2 }),
      amount: amounts,
      settles: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'settle' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('draft' as const),
      from: fc.nat({ max: 4 }),
      days: fc.integer({ min: 1, max: 2 }),
      issues: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('issue' as const), pick: picks }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('void' as const, 'finish' as const), pick: picks }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('log' as const, 'balance' as const, 'credit' as const, 'refund' as const),
      pick: picks,
      amount: amounts,
    }),
  },
)
const lives = fc.array(
  fc.tuple(
    steps,
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<Crash>(null) },
      { weight: 2, arbitrary: fc.record({ at: fc.integer({ min: 1, max: 5 }), stored: fc.boolean() }) },
    ),
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
)

let database: TestDatabase
let db: Kysely<never>
beforeAll(async () => {
  database = await createTestDatabase()
  db = createKysely<never>(database.pool)
})
afterAll(() => database.drop())

const seen = { crashes: 0, issued: 0, voids: 0, late: 0, credits: 0, paid: 0, reversed: 0, refused: 0 }

async function live(life: readonly (readonly [Step, Crash])[]): Promise<void> {
  const spaceId = newId()
  const whitelabelId = newId().slice(-12)
  let left = Infinity
  let stored = false
  /** Counts writes, and throws at the one that crashes. */
  const write = async <T>(run: () => Promise<T>): Promise<T> => {
    left -= 1
    if (left === 0 && !stored) throw new Error('crash')
    const result = await run()
    if (left === 0) throw new Error('crash')
    return result
  }
  const memory = createMemoryEventStore()
  const store = { ...memory, append: (append: Parameters<typeof memory.append>[0]) => write(() => memory.append(append)) }
  let clock = Date.parse('2026-06-01T00:00:00.000Z')
  const now = () => new Date((clock += 1000)).toISOString()
  const handle = createHandler({ store, now, eventId: (id, n) => derivedId('event', id, String(n)) })
  const accounts = createAccountCommands(handle)
  const charges = createInvoiceCharges(db)
  const port: InvoicePort = {
    ...charges,
    claimPeriod: (claim) => write(() => charges.claimPeriod(claim)),
    takeCharges: (take) => write(() => charges.takeCharges(take)),
    takeNumber: (take) => write(() => charges.takeNumber(take)),
    freeCharges: (id) => write(() => charges.freeCharges(id)),
    namesOf: async () => new Map(),
    keepParties: async () => undefined,
  }
  const invoices = createInvoiceCommands(handle, {
    accounts,
    port,
    commandId: derivedId,
    chargeCard: async () => 'declined' as const,
  })
  const settle = createSettle({ settlements: createSettlements(db), accounts, commandId: derivedId })
  const context = (command_id: string = newId()): CommandContext => ({
    actor: 'accountant',
    role: 'WHITELABEL_ACCOUNTANT',
    on_behalf_of: null,
    source: 'api',
    command_id,
    body_hash: null,
    correlation: '',
    causation: null,
  })
  await accounts.execute(spaceId, context(), {
    type: 'OpenAccount',
    spaceId,
    whitelabelId,
    name: 'Nile Travel',
    currency: 'USD',
    house: false,
  })
  await accounts.execute(spaceId, context(), { type: 'CreditFunds', amount: 90_000_000, reason: 'deposit' })

  const ids: string[] = []
  const notes: string[] = []
  const stateOf = async (id: string): Promise<InvoiceState> => {
    const read = await invoices.execute(id, context(), { type: 'Read' })
    if (read.kind === 'rejected') throw new Error(`no invoice ${id}`)
    return read.state
  }

  async function take(step: Step): Promise<void> {
    if (step.do === 'deliver') {
      const batch = newId()
      await sql`insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered)
          values (${batch}, '', 1, ${step.amount}, 0)`.execute(db)
      await sql`insert into app.delivery_charges (batch_id, space_id, campaign_id, hour, amount)
          values (${batch}, ${spaceId}, ${`campaign-${step.campaign}`}, ${instant(step.day)}, ${step.amount})`.execute(db)
      return step.settles ? settle(spaceId) : undefined
    }
    if (step.do === 'settle') return settle(spaceId)
    if (step.do === 'draft') {
      const id = newId()
      const [from, to] = [instant(step.from), instant(step.from + step.days)]
      if (!(await port.claimPeriod({ invoiceId: id, spaceId, from, to }))) return
      ids.push(id)
      await invoices.execute(id, context(), {
        type: 'Draft',
        draft: {
          space_id: spaceId,
          whitelabel_id: whitelabelId,
          currency: 'USD',
          offset_seconds: 0,
          charge_from_date: dayOf(step.from),
          charge_to_date: dayOf(step.from + step.days - 1),
          from,
          to,
          due_date: null,
          note: '',
        },
      })
      if (!step.issues) return
      await decide(id, { do: 'issue', pick: 0 })
      await invoices.finish(id)
      return
    }
    if (ids.length === 0) return
    const id = ids[step.pick % ids.length] ?? ''
    // The draft itself was lost in a crash.
    if ((await memory.readStream(invoiceStream(id))).length === 0) return
    await decide(id, step)
    await invoices.finish(id)
  }

  async function decide(id: string, step: Exclude<Step, { do: 'deliver' | 'settle' | 'draft' }>): Promise<unknown> {
    const run = async (command: Parameters<typeof invoices.execute>[2]) => {
      const done = await invoices.execute(id, context(), command)
      if (done.kind === 'rejected') seen.refused += 1
    }
    const pay = (source: 'logged' | 'balance', amount: number) =>
      run({
        type: 'LogPayment',
        payment: {
          payment_id: newId(),
          source,
          amount,
          method: source === 'logged' ? 'cash' : null,
          paid_at: '2026-06-01',
          reference: '',
          comment: '',
        },
        by: 'accountant',
        limit: null,
        force: false,
        known: false,
      })
    switch (step.do) {
      case 'issue':
        return run({ type: 'StartIssuing', issuedAt: now(), dueAt: '2026-07-01T00:00:00.000Z' })
      case 'log':
        return pay('logged', step.amount)
      case 'balance':
        return pay('balance', Math.min(step.amount, Math.max(1, openOf(await stateOf(id)))))
      case 'credit': {
        const creditNoteId = newId()
        notes.push(creditNoteId)
        return run({ type: 'Credit', creditNoteId, amount: step.amount, comment: 'Bad traffic', by: 'accountant' })
      }
      case 'void':
        return run({ type: 'Void', comment: 'Wrong', releaseIdOf: (paymentId) => derivedId('void', paymentId) })
      case 'refund': {
        const applied = Object.values((await stateOf(id)).payments).find(
          (one) => one.stage === 'applied' && one.source === 'logged',
        )
        if (applied === undefined) return undefined
        const amount = Math.min(step.amount, applied.amount - applied.taken)
        if (amount <= 0) return undefined
        const refundId = newId()
        const command = { type: 'RefundPayment', paymentId: applied.payment_id, refundId, amount } as const
        await accounts.execute(spaceId, context(derivedId('refund', refundId)), command)
        refunds.push({ id, paymentId: applied.payment_id, releaseId: refundId, taken: amount })
        return takeBack(refunds.at(-1))
      }
      case 'finish':
        return undefined
    }
  }
  type Refund = { readonly id: string; readonly paymentId: string; readonly releaseId: string; readonly taken: number }
  const refunds: Refund[] = []
  /** As the policy does, whenever it finds a refund that the invoice does not know. */
  const takeBack = async (refund: Refund | undefined) => {
    if (refund === undefined) return
    const { id, ...rest } = refund
    await invoices.execute(id, context(derivedId('take back', rest.releaseId)), { type: 'TakeBack', ...rest, cause: 'refund' })
  }

  for (const [step, crash] of life) {
    left = crash?.at ?? Infinity
    stored = crash?.stored ?? false
    await take(step).catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'crash') throw error
      seen.crashes += 1
    })
  }
  // The policies, twice: the second time finds nothing to do.
  left = Infinity
  await settle(spaceId)
  await settle(spaceId)
  const known: string[] = []
  for (const id of ids) if ((await memory.readStream(invoiceStream(id))).length > 0) known.push(id)
  for (const _ of [1, 2]) {
    for (const refund of refunds) await takeBack(refund)
    for (const id of known) await invoices.finish(id)
  }

  // Each invoice is the sum of its charges, exactly; a void one has none.
  let assigned = 0
  const documents: string[] = []
  for (const id of known) {
    const state = await stateOf(id)
    expect(isUnfinished(state)).toBe(false)
    const issued = (await memory.readStream(invoiceStream(id)))
      .map(decodeInvoiceEvent)
      .find((event) => event.type === 'InvoiceIssued')
    const { rows } = await sql<InvoiceLine>`
      select campaign_id, late, sum(amount)::float8 as amount from app.delivery_charges where invoice_id = ${id}
      group by campaign_id, late order by late, campaign_id`.execute(db)
    if (state.number !== null) documents.push(state.number)
    if (state.stage !== 'issued') expect(rows).toEqual([])
    else if (issued?.type === 'InvoiceIssued') {
      expect(issued.data.lines.map(({ name: _, ...line }) => line)).toEqual(rows)
      expect(state.total).toBe(rows.reduce((sum, { amount }) => sum + amount, 0))
      expect({ payable: state.payable, rounding: state.rounding }).toEqual(rounded(state.total))
      seen.late += rows.some(({ late }) => late) ? 1 : 0
      seen.issued += 1
    }
    if (state.stage === 'void') seen.voids += 1
    expect(paidOf(state)).toBeLessThanOrEqual(state.payable)
    expect(paidOf(state)).toBeGreaterThanOrEqual(0)
    expect(creditedOf(state)).toBeLessThanOrEqual(state.total)
    if (state.stage !== 'issued') expect(paidOf(state)).toBe(0)
    for (const { number } of Object.values(state.credits)) documents.push(number ?? 'none')
    seen.credits += Object.keys(state.credits).length
    seen.paid += paidOf(state) > 0 ? 1 : 0
    seen.reversed += Object.values(state.releases).filter(({ amount }) => amount > 0).length
    assigned += paidOf(state)
  }
  // Numbers have no gap, and each document has its own.
  const { rows: numbers } = await sql<{ readonly number: number }>`
    select number from app.invoice_numbers where whitelabel_id = ${whitelabelId} order by number`.execute(db)
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, i) => i + 1))
  expect(documents.map((number) => Number(number.slice(-6))).sort((a, b) => a - b)).toEqual(numbers.map(({ number }) => number))
  // What the account says pays invoices is what the invoices say.
  const account = (await memory.readStream(accountStream(spaceId))).map(decodeAccountEvent).reduce(evolveAccount, initialAccount)
  expect(account.assigned ?? 0).toBe(assigned)
}

it('every invoice is the sum of its charges, numbers have no gaps, and payments agree with the account, whatever happens in whatever order', async () => {
  await fc.assert(fc.asyncProperty(lives, live), { endOnFailure: true, numRuns: 150 })
  // Without these states the property would prove less than it says.
  for (const [state, count] of Object.entries(seen)) expect(count, state).toBeGreaterThan(5)
}, 240_000)

it('rounds halves away from zero, and says by how much', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (total) => {
      const { payable, rounding } = rounded(total)
      expect(Math.abs(payable % 10_000)).toBe(0)
      expect(payable - total).toBe(rounding)
      expect(Math.abs(rounding)).toBeLessThanOrEqual(5000)
      if (Math.abs(rounding) === 5000) expect(Math.abs(payable)).toBeGreaterThan(Math.abs(total))
    }),
  )
})

it('is due on the due day at least a week later, and without one after thirty days', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
      fc.option(fc.integer({ min: 1, max: 28 })),
      fc.constantFrom(0, 3600, -12_600),
      (at, dueDay, offset) => {
        const due = dueAt(at.toISOString(), dueDay, offset)
        const local = new Date(Date.parse(due) + offset * 1000).toISOString()
        expect(local.slice(10)).toBe('T23:59:59.999Z')
        const days = (Date.parse(due) - at.getTime()) / DAY_MS
        if (dueDay === null) expect(Math.floor(days)).toBe(30)
        else {
          expect(Number(local.slice(8, 10))).toBe(dueDay)
          expect(days).toBeGreaterThanOrEqual(7)
          expect(days).toBeLessThan(40)
        }
        expect(endOfDay(local.slice(0, 10), offset)).toBe(due)
      },
    ),
  )
})

it.each([
  ['2026-03-05T00:00:00.000Z', 5, 0, '2026-02-01', '2026-02-28'],
  ['2026-03-04T23:59:59.000Z', 5, 0, '2026-01-01', '2026-01-31'],
  // In Lagos it is the 5th already.
  ['2026-03-04T23:30:00.000Z', 5, 3600, '2026-02-01', '2026-02-28'],
  ['2026-01-01T12:00:00.000Z', null, 0, '2025-12-01', '2025-12-31'],
] as const)('at %s with the due day %s and the offset %s, the month from %s is invoiced', (now, day, offset, from, to) => {
  expect(monthToInvoice(now, day, offset)).toMatchObject({ charge_from_date: from, charge_to_date: to })
})
