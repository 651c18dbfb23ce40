import fc from 'fast-check'
import { NO_TAX, taxOf, type TaxTerms } from '#domain/invoice/tax'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccountCommands } from '#commands/account/account-commands'
import { createLedgerCommands } from '#commands/account/ledger-commands'
import { createSettle } from '#commands/delivery/settle'
import { createHandler } from '#commands/handle'
import { createInvoiceCommands } from '#commands/invoice/invoice-commands'
import type { InvoicePort } from '#commands/invoice/invoice-port'
import { accountStream, decodeAccountEvent, evolve as evolveAccount, initial as initialAccount } from '#domain/account/account'
import { decodeInvoiceEvent, invoiceStream, type InvoiceLine } from '#domain/invoice/events'
import { printedLines, rounded, shared } from '#domain/invoice/amounts'
import { creditedOf, isUnfinished, openOf, paidOf, type InvoiceState } from '#domain/invoice/state'
import { dueAt, endOfDay, monthToInvoice, periodOfMonth, yearIn } from '#domain/invoice/terms'
import type { CommandContext } from '#domain/kit/event-metadata'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { createSettlements } from '#platform/delivery/settlements'
import { derivedId, newId } from '#platform/ids'
import { createInvoiceCharges } from '#platform/invoice/charges'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { limit, runs } from '../support/properties.ts'

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
  | { readonly do: 'issue' | 'void' | 'finish' | 'refund fails'; readonly pick: number }
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
  { weight: 4, arbitrary: fc.record({ do: fc.constant('refund fails' as const), pick: picks }) },
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
let db: Kysely<Db>
beforeAll(async () => {
  database = await createTestDatabase()
  db = createKysely(database.pool)
})
afterAll(() => database.drop())

type Charge = { readonly batch: string; readonly day: number; readonly late: boolean }
type Period = { readonly id: string; readonly from: number; readonly to: number; readonly issued: boolean }
/**
 * Which of the open charges an invoice takes, by the rule alone: those of its days, and older ones outside the days of other drafts.
 * Shares no code with the product.
 */
function belonging(open: readonly { readonly batch: string; readonly day: number }[], own: Period, others: readonly Period[]) {
  const drafts = others.filter(({ id, issued }) => id !== own.id && !issued)
  return open.flatMap(({ batch, day }): readonly Charge[] => {
    if (day >= own.to) return []
    if (day >= own.from) return [{ batch, day, late: false }]
    return drafts.some(({ from, to }) => day >= from && day < to) ? [] : [{ batch, day, late: true }]
  })
}

const TAXES: readonly TaxTerms[] = [
  NO_TAX,
  { tax_mode: 'exclusive', tax_rate: 1900 },
  { tax_mode: 'inclusive', tax_rate: 750 },
  { tax_mode: 'exclusive', tax_rate: 1 },
]

/** Whether a tax is the rate's part of what it is on, to half a minor unit of USD. */
const isTaxOf = (tax: number, taxable: number, rate: number): boolean => {
  const off = BigInt(tax) * 10_000n - BigInt(taxable) * BigInt(rate)
  // The taxable part of an inclusive amount is rounded too.
  return (off < 0n ? -off : off) <= 5000n * BigInt(10_000 + rate)
}

const seen = {
  added: 0,
  included: 0,
  restored: 0,
  crashes: 0,
  issued: 0,
  voids: 0,
  late: 0,
  credits: 0,
  paid: 0,
  reversed: 0,
  refused: 0,
}

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
  const ledgers = createLedgerCommands(handle)
  const { settle } = createSettle({ settlements: createSettlements(db), accounts, ledgers, commandId: derivedId, now })
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
        return run({
          type: 'StartIssuing',
          issuedAt: now(),
          dueAt: '2026-07-01T00:00:00.000Z',
          tax: TAXES[step.pick % TAXES.length] ?? NO_TAX,
        })
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
      case 'refund fails': {
        const refund = refunds.find(({ releaseId }) => !failed.has(releaseId))
        if (refund === undefined) return undefined
        const { paymentId, releaseId: refundId, taken: amount } = refund
        failed.add(refundId)
        const command = { type: 'ReverseRefund', paymentId, refundId, amount } as const
        await accounts.execute(spaceId, context(derivedId('refund failed', refundId)), command)
        return giveBack(refund)
      }
      case 'finish':
        return undefined
    }
  }
  type Refund = { readonly id: string; readonly paymentId: string; readonly releaseId: string; readonly taken: number }
  const refunds: Refund[] = []
  const failed = new Set<string>()
  /** As the policy does, whenever it finds a refund that the invoice does not know. */
  const takeBack = async (refund: Refund | undefined) => {
    if (refund === undefined) return
    const { id, ...rest } = refund
    await invoices.execute(id, context(derivedId('take back', rest.releaseId)), { type: 'TakeBack', ...rest, cause: 'refund' })
  }

  /** The same for a refund that failed. */
  const giveBack = async ({ id, releaseId, taken: given }: Refund) => {
    const command = { type: 'GiveBack', releaseId, given, cause: 'refund_failed' } as const
    await invoices.execute(id, context(derivedId('give back', releaseId)), command)
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
    for (const refund of refunds) if (failed.has(refund.releaseId)) await giveBack(refund)
    for (const id of known) await invoices.finish(id)
  }

  // Each invoice is the sum of its charges, exactly; a void one has none.
  let assigned = 0
  let taxed = 0
  const documents: string[] = []
  for (const id of known) {
    const state = await stateOf(id)
    expect(isUnfinished(state)).toBe(false)
    const issued = (await memory.readStream(invoiceStream(id)))
      .map(decodeInvoiceEvent)
      .find((event) => event.type === 'InvoiceIssued')
    const { rows } = await sql<InvoiceLine>`
      select campaign_id, late, sum(amount)::float8 as amount from app.charged_hours where invoice_id = ${id}
      group by campaign_id, late order by late, campaign_id`.execute(db)
    if (state.number !== null) documents.push(state.number)
    if (state.stage !== 'issued') expect(rows).toEqual([])
    else if (issued?.type === 'InvoiceIssued') {
      expect(issued.data.lines.map(({ campaign_id, amount, late = false }) => ({ campaign_id, late, amount }))).toEqual(rows)
      expect(state.total).toBe(rows.reduce((sum, { amount }) => sum + amount, 0))
      const { tax, tax_mode: mode, tax_rate: rate } = state
      const net = state.payable - (mode === 'exclusive' ? tax : 0)
      expect({ payable: net, rounding: state.rounding }).toEqual(rounded(state.total, 'USD'))
      expect(isTaxOf(tax, state.payable - tax, rate)).toBe(true)
      expect(tax % 10_000).toBe(0)
      if (mode === 'exclusive') taxed += tax
      seen.added += mode === 'exclusive' && tax > 0 ? 1 : 0
      seen.included += mode === 'inclusive' && tax > 0 ? 1 : 0
      seen.late += rows.some(({ late }) => late) ? 1 : 0
      seen.issued += 1
    }
    if (state.stage === 'void') seen.voids += 1
    expect(paidOf(state)).toBeLessThanOrEqual(state.payable)
    expect(paidOf(state)).toBeGreaterThanOrEqual(0)
    const added = state.tax_mode === 'exclusive' ? state.tax : 0
    expect(creditedOf(state)).toBeLessThanOrEqual(Math.max(state.payable, state.total + added))
    if (state.stage !== 'issued') expect(paidOf(state)).toBe(0)
    for (const { number } of Object.values(state.credits)) documents.push(number ?? 'none')
    seen.credits += Object.keys(state.credits).length
    seen.paid += paidOf(state) > 0 ? 1 : 0
    seen.reversed += Object.values(state.releases).filter(({ amount }) => amount > 0).length
    seen.restored += Object.values(state.releases).filter(({ restored }) => (restored?.amount ?? 0) > 0).length
    assigned += paidOf(state)
  }
  // Numbers have no gap, and each document has its own.
  const { rows: numbers } = await sql<{ readonly number: number }>`
    select number from app.invoice_numbers where whitelabel_id = ${whitelabelId} order by number`.execute(db)
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, i) => i + 1))
  expect(documents.map((number) => Number(number.slice(-6))).sort((a, b) => a - b)).toEqual(numbers.map(({ number }) => number))
  // The amount that pays invoices by the account is the amount by the invoices.
  const account = (await memory.readStream(accountStream(spaceId))).map(decodeAccountEvent).reduce(evolveAccount, initialAccount)
  expect(account.assigned ?? 0).toBe(assigned)
  // The ledger has the tax of every issued invoice once, and of a void one no longer.
  expect(account.taxed ?? 0).toBe(taxed)
}

it(
  'every invoice is the sum of its charges, numbers have no gaps, and payments agree with the account, whatever happens in whatever order',
  async () => {
    // Over a database shrinking takes minutes, and says no more.
    await fc.assert(fc.asyncProperty(lives, live), { numRuns: runs(150), endOnFailure: true })
    // Without these states the property would prove less than it says.
    // Refunds that fail later are rare here; billing-command.spec.ts has them.
    const { restored: _, ...reached } = seen
    for (const [state, count] of Object.entries(reached)) expect(count, state).toBeGreaterThan(5)
  },
  limit(),
)

// covers FP-70
it('rounds halves away from zero, and says by how much', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (total) => {
      const { payable, rounding } = rounded(total, 'USD')
      expect(Math.abs(payable % 10_000)).toBe(0)
      expect(payable - total).toBe(rounding)
      expect(Math.abs(rounding)).toBeLessThanOrEqual(5000)
      if (Math.abs(rounding) === 5000) expect(Math.abs(payable)).toBeGreaterThan(Math.abs(total))
    }),
  )
})

it.each([
  ['USD', 12_345_000, 12_350_000],
  ['USD', -12_345_000, -12_350_000],
  ['USD', 12_344_999, 12_340_000],
  ['JPY', 12_500_000, 13_000_000],
  ['JPY', 12_499_999, 12_000_000],
  ['TND', 12_345_500, 12_346_000],
  ['TND', -500, -1000],
] as const)('rounds in %s %d micros to %d', (currency, total, payable) => {
  expect(rounded(total, currency)).toEqual({ payable, rounding: payable - total })
})

// covers FP-70
it('printed lines are whole minor units, less than one unit off, and their sum is what is to be paid', () => {
  const amount = fc.integer({ min: 0, max: 50_000_000 })
  fc.assert(
    fc.property(fc.constantFrom('USD', 'JPY', 'TND'), fc.array(amount, { minLength: 1, maxLength: 30 }), (currency, amounts) => {
      const unit = { USD: 10_000, JPY: 1_000_000, TND: 1000 }[currency]
      const { payable } = rounded(
        amounts.reduce((sum, one) => sum + one, 0),
        currency,
      )
      const lines = printedLines(amounts, payable, currency)
      expect(lines.reduce((sum, one) => sum + one, 0)).toBe(payable)
      for (const [i, line] of lines.entries()) {
        expect(line % unit).toBe(0)
        expect(Math.abs(line - (amounts[i] ?? 0))).toBeLessThan(unit)
      }
    }),
  )
  expect(printedLines([3_333_333, 3_333_333, 3_333_334], 10_000_000, 'USD')).toEqual([3_330_000, 3_330_000, 3_340_000])
})

it('a tax is the part of the amount that its rate says, in whole minor units, and nothing is lost', () => {
  const modes = fc.constantFrom('inclusive' as const, 'exclusive' as const)
  const currencies = fc.constantFrom('USD', 'JPY', 'TND')
  fc.assert(
    fc.property(
      currencies,
      modes,
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 0, max: 9e9 }),
      (currency, mode, rate, n) => {
        const unit = { USD: 10_000, JPY: 1_000_000, TND: 1000 }[currency]
        const amount = Math.min(n, Math.floor(9e15 / unit)) * unit
        const { taxable, tax, payable } = taxOf(amount, { tax_mode: mode, tax_rate: rate }, currency)
        expect(taxable + tax).toBe(payable)
        expect(mode === 'inclusive' ? payable : taxable).toBe(amount)
        expect(tax % unit).toBe(0)
        // Twice the difference from the exact part is at most one unit.
        const whole = BigInt(mode === 'inclusive' ? 10_000 + rate : 10_000)
        const off = 2n * (BigInt(tax) * whole - BigInt(amount) * BigInt(rate))
        expect((off < 0n ? -off : off) <= BigInt(unit) * whole).toBe(true)
      },
    ),
  )
  expect(taxOf(100_000_000, { tax_mode: 'exclusive', tax_rate: 1900 }, 'EUR')).toEqual({
    taxable: 100_000_000,
    tax: 19_000_000,
    payable: 119_000_000,
  })
  expect(taxOf(119_000_000, { tax_mode: 'inclusive', tax_rate: 1900 }, 'EUR')).toEqual({
    taxable: 100_000_000,
    tax: 19_000_000,
    payable: 119_000_000,
  })
})

it('a sum is shared by largest remainder: whole units, less than a unit from the exact share, and nothing is left', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 9e15 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(fc.constantFrom(10_000, 1_000_000, 1000), fc.nat({ max: 1e9 }), weights, (unit, units, given) => {
      const parts = shared(units * unit, given, unit)
      expect(parts.reduce((sum, one) => sum + one, 0)).toBe(units * unit)
      const all = given.reduce((sum, one) => sum + BigInt(one), 0n)
      for (const [i, part] of parts.entries()) {
        expect(part % unit).toBe(0)
        if (all === 0n) continue
        const off = BigInt(part) * all - BigInt(units * unit) * BigInt(given[i] ?? 0)
        expect((off < 0n ? -off : off) < BigInt(unit) * all).toBe(true)
      }
    }),
  )
  expect(shared(10_000_000, [1, 1, 1], 10_000)).toEqual([3_340_000, 3_330_000, 3_330_000])
})

it('an invoice is due on the due day at least a week later, and without one after thirty days', () => {
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
] as const)('invoices at %s with the due day %s and the offset %s the month from %s', (now, day, offset, from, to) => {
  expect(monthToInvoice(now, day, offset)).toMatchObject({ charge_from_date: from, charge_to_date: to })
})

type Taking =
  | { readonly do: 'deliver'; readonly day: number; readonly recorded: boolean }
  | { readonly do: 'draft'; readonly from: number; readonly days: number }
  | { readonly do: 'issue' | 'void' | 'delete'; readonly pick: number }
const takings: fc.Arbitrary<Taking> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('deliver' as const), day: fc.nat({ max: 5 }), recorded: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('draft' as const), from: fc.nat({ max: 5 }), days: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('issue' as const), pick: picks }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('void' as const, 'delete' as const), pick: picks }) },
)

it(
  'an invoice takes the charges that belong to it by its period alone, and adjacent periods do not exclude each other',
  async () => {
    const met = { taken: 0, late: 0, left: 0, refused: 0, adjacent: 0 }
    const charges = createInvoiceCharges(db)
    const settlements = createSettlements(db)
    // The last hour of a day: the hour that a wrong comparison takes or leaves.
    const hourOf = (day: number) => new Date(Date.parse(instant(day + 1)) - 3_600_000).toISOString()
    const life = async (all: readonly Taking[]) => {
      const spaceId = newId()
      const whitelabelId = newId().slice(-12)
      let open: { readonly batch: string; readonly day: number }[] = []
      const taken = new Map<string, readonly Charge[]>()
      let periods: Period[] = []
      for (const [n, step] of all.entries()) {
        if (step.do === 'deliver') {
          const batch = newId()
          await sql`insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered) values (${batch}, '', 1, 1, 0)`.execute(
            db,
          )
          await sql`insert into app.settlements (space_id, number) values (${spaceId}, ${n})`.execute(db)
          const hour = hourOf(step.day)
          await sql`insert into app.delivery_charges (batch_id, space_id, campaign_id, hour, amount, settlement)
          values (${batch}, ${spaceId}, 'campaign', ${hour}, 1, ${n})`.execute(db)
          if (step.recorded) {
            await settlements.recorded(spaceId, n, { month: '202601', spent: 1 })
            open.push({ batch, day: step.day })
          }
          continue
        }
        if (step.do === 'draft') {
          const own: Period = { id: newId(), from: step.from, to: step.from + step.days, issued: false }
          const isFree = periods.every(({ from, to }) => own.from >= to || own.to <= from)
          const claim = { invoiceId: own.id, spaceId, from: instant(own.from), to: instant(own.to) }
          expect(await charges.claimPeriod(claim)).toBe(isFree)
          if (isFree && periods.some(({ from, to }) => from === own.to || to === own.from)) met.adjacent += 1
          if (isFree) periods.push(own)
          else met.refused += 1
          continue
        }
        const own = periods[step.pick % Math.max(1, periods.length)]
        if (own === undefined) continue
        if (step.do === 'issue' && !own.issued) {
          const wanted = belonging(open, own, periods)
          const take = { invoiceId: own.id, spaceId, whitelabelId, from: instant(own.from), to: instant(own.to), year: 2026 }
          const result = await charges.takeCharges({ ...take, issuedAt: `attempt ${n}` })
          const { rows } = await sql<{ hour: Date; late: boolean; charges: number }>`
          select hour, late, sum(amount)::int as charges from app.charged_hours where invoice_id = ${own.id}
          group by hour, late order by hour`.execute(db)
          const days = [...new Set(wanted.map(({ day }) => day))].toSorted((a, b) => a - b)
          expect(rows.map((row) => [row.hour.toISOString(), row.late, row.charges])).toEqual(
            days.map((day) => {
              const ofDay = wanted.filter((one) => one.day === day)
              return [hourOf(day), ofDay[0]?.late, ofDay.length]
            }),
          )
          expect(result === null).toBe(wanted.length === 0)
          if (wanted.length === 0) continue
          met.taken += 1
          met.late += wanted.some(({ late }) => late) ? 1 : 0
          met.left += open.some(({ day }) => day < own.from) && wanted.every(({ late }) => !late) ? 1 : 0
          taken.set(own.id, wanted)
          open = open.filter(({ batch }) => !wanted.some((one) => one.batch === batch))
          periods = periods.map((one) => (one === own ? { ...own, issued: true } : one))
        }
        if (step.do === 'void' && own.issued) {
          await charges.freeCharges(own.id)
          open.push(...(taken.get(own.id) ?? []))
          periods = periods.filter((one) => one !== own)
        }
        if (step.do === 'delete' && !own.issued) {
          await charges.releasePeriod(own.id)
          periods = periods.filter((one) => one !== own)
        }
      }
    }
    const all = fc.array(takings, { minLength: 15, maxLength: 40, size: 'max' })
    await fc.assert(fc.asyncProperty(all, life), { numRuns: runs(60), endOnFailure: true })
    for (const [state, count] of Object.entries(met)) expect(count, state).toBeGreaterThan(0)
  },
  limit(),
)

it.each([
  ['2027-01-01T00:30:00.000Z', 'America/New_York', 2026],
  ['2026-12-31T23:30:00.000Z', 'Africa/Lagos', 2027],
  ['2026-12-31T23:30:00.000Z', -3600, 2026],
  ['2026-12-31T23:30:00.000Z', 3600, 2027],
] as const)('a document of %s in %s has a number of the local year', (at, zone, year) => {
  expect(yearIn(at, zone)).toBe(year)
})

// covers FP-65
it.each([
  ['without a last period', null, 'UTC', '2026-04-01', '2026-04-01T00:00:00.000Z'],
  ['after a period that ended before the month', '2026-03-31T22:00:00.000Z', 'UTC', '2026-03-31', '2026-03-31T22:00:00.000Z'],
  ['after a period within the month', '2026-04-13T00:00:00.000Z', 'UTC', '2026-04-13', '2026-04-13T00:00:00.000Z'],
  ['after months without one', '2026-01-01T00:00:00.000Z', 'UTC', '2026-01-01', '2026-01-01T00:00:00.000Z'],
  ['after years without one', '2020-01-01T00:00:00.000Z', 'UTC', '2025-04-30', '2025-04-30T00:00:00.000Z'],
  ['in summer time', null, 'Europe/Berlin', '2026-04-01', '2026-03-31T22:00:00.000Z'],
] as const)('the period of April %s starts where the last one ended', (_, last, zone, day, from) => {
  const april = { charge_from_date: '2026-04-01', charge_to_date: '2026-04-30' }
  expect(periodOfMonth(april, last, zone)).toMatchObject({ charge_from_date: day, charge_to_date: '2026-04-30', from })
  expect(periodOfMonth(april, '2026-05-01T00:00:00.000Z', 'UTC')).toBeNull()
})
