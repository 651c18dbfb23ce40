import { systemContext } from '#domain/kit/event-metadata'
import fc from 'fast-check'
import { limit, runs } from '../support/properties.ts'
import { describe, expect, it } from 'vitest'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createPaymentCommands } from '#commands/payment/payment-commands'
import type { GatewayPayment, PaymentGateway } from '#commands/payment/payment-gateway'
import type { PaymentStorage, StoredCard } from '#commands/payment/payment-storage'
import { createPayments } from '#commands/payment/payments'
import { accountStream, decodeAccountEvent } from '#domain/account/account'
import { isMovementEvent, movementOf } from '#domain/account/movements'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { derivedId, newId } from '#platform/ids'

/**
 * Any order of refills, repeats, webhooks, policies, refunds, disputes and crashes: once everything was handled, the ledger holds what the
 * provider kept, to the micro, and each movement once.
 */

const SPACE = 'lagos'
const CARD: StoredCard = {
  id: 'card',
  space_id: SPACE,
  provider: 'test',
  customer_id: 'cus',
  method_id: 'pm',
  brand: 'visa',
  last4: '4242',
  exp_month: 12,
  exp_year: 2030,
  holder_name: null,
  country: null,
  funding: null,
  fingerprint: 'print',
  added_by: 'bola',
  created_at: '2026-01-01T00:00:00.000Z',
  removed_at: null,
}

class Crash extends Error {}

type Kept = {
  status: GatewayPayment['status']
  readonly paymentId: string
  readonly amount: number
  refunds: { readonly id: string; readonly amount: number; status: 'succeeded' | 'failed' }[]
  disputes: { readonly id: string; readonly amount: number; status: 'open' | 'won' | 'lost' }[]
}

/** One process after the other over the same log, provider and storage. `crashIn` counts down the outside calls until the next crash. */
function createWorld() {
  let clock = Date.parse('2026-11-23T10:00:00.000Z')
  let crashIn = Number.POSITIVE_INFINITY
  const now = () => new Date(clock).toISOString()
  const store = createMemoryEventStore()
  const kept = new Map<string, Kept>()
  const tasks = new Map<string, { startedAt: string; dueAt: number }>()
  const webhooks = new Map<string, { providerPaymentId: string; dueAt: number; done: boolean }>()
  const finished: string[] = []
  const crash = () => {
    crashIn -= 1
    if (crashIn < 0) {
      crashIn = Number.POSITIVE_INFINITY
      throw new Crash()
    }
  }
  const may = async <T>(work: () => T): Promise<T> => {
    crash()
    const result = work()
    crash()
    return result
  }
  const reportOf = (providerId: string): GatewayPayment | null => {
    const payment = kept.get(providerId)
    if (payment === undefined) return null
    const { status, paymentId, refunds, disputes } = payment
    const failureCode = status === 'failed' ? 'card_declined' : null
    return structuredClone({ providerId, paymentId, status, failureCode, clientToken: null, refunds, disputes })
  }
  const report = (providerId: string): GatewayPayment => {
    const known = reportOf(providerId)
    if (known === null) throw new Error(`no payment ${providerId}`)
    return known
  }
  /** How often the provider forgot its idempotency keys: from then on the same request opens another payment. */
  let generation = 0
  /** Answer of the bank to the next confirmations. */
  let bank: GatewayPayment['status'] = 'succeeded'
  const gateway: PaymentGateway = {
    provider: 'test',
    publishableKey: null,
    ping: async () => undefined,
    createCustomer: async () => 'cus',
    startSetup: async () => ({ setupId: 's', clientToken: 't', expiresAt: now() }),
    confirmedCard: async () => null,
    removeCard: async () => undefined,
    readEvent: () => null,
    open: ({ paymentId, amount }) =>
      may(() => {
        const providerId = `pi_${paymentId}${generation === 0 ? '' : `_${generation}`}`
        if (!kept.has(providerId)) kept.set(providerId, { status: 'unconfirmed', paymentId, amount, refunds: [], disputes: [] })
        return { providerId }
      }),
    confirm: ({ providerId }) =>
      may(() => {
        const payment = kept.get(providerId)
        if (payment?.status === 'unconfirmed') payment.status = bank
        return report(providerId)
      }),
    read: (providerId) => may(() => reportOf(providerId)),
    async *taken() {},
    cancel: (providerId) =>
      may(() => {
        const payment = kept.get(providerId)
        if (payment?.status === 'unconfirmed' || payment?.status === 'requires_action') payment.status = 'failed'
        return report(providerId)
      }),
  }
  const storage: PaymentStorage = {
    cards: {
      find: async () => CARD,
      byFingerprint: async () => CARD,
      store: async () => undefined,
      remove: async () => undefined,
    },
    customers: { find: async () => 'cus', store: async () => undefined },
    adopt: async () => undefined,
    otherProviders: async () => [],
    tasks: {
      add: ({ paymentId, startedAt, afterMs }) =>
        may(() => {
          if (!tasks.has(paymentId)) tasks.set(paymentId, { startedAt, dueAt: clock + afterMs })
        }),
      finish: (paymentId, state) =>
        may(() => {
          if (tasks.delete(paymentId) && state?.status === 'succeeded') finished.push(paymentId)
        }),
      ofAccount: async () => tasks.size > 0,
      ofCard: async () => tasks.size > 0,
    },
    webhooks: {
      add: async ({ id, providerPaymentId }) => {
        if (providerPaymentId !== null && !webhooks.has(id)) webhooks.set(id, { providerPaymentId, dueAt: clock, done: false })
      },
      purge: async () => {},
    },
  }
  const handle = createHandler({ store, now, eventId: (commandId, n) => derivedId('event', commandId, String(n)) })
  const accounts = createAccountCommands(handle)
  const guarded = {
    execute: async (...args: Parameters<typeof accounts.execute>) => {
      crash()
      const done = await accounts.execute(...args)
      crash()
      return done
    },
  }
  const payments = createPayments({
    gateway,
    storage,
    payments: createPaymentCommands(handle),
    accounts: guarded,
    derivedId,
    newId,
    now,
  })

  return {
    accounts,
    payments,
    storage,
    kept,
    finished,
    tasks,
    webhooks,
    crashAfter: (calls: number) => {
      crashIn = calls
    },
    noCrash: () => {
      crashIn = Number.POSITIVE_INFINITY
    },
    bankSays: (status: GatewayPayment['status']) => {
      bank = status
    },
    forgetKeys: () => {
      generation += 1
    },
    pass: (ms: number) => {
      clock += ms
    },
    now,
    /** Carries out due jobs: one whose process dies is due again after its lease. */
    async policies() {
      for (const webhook of webhooks.values()) {
        if (webhook.done || webhook.dueAt > clock) continue
        webhook.dueAt = clock + 60_000
        await survived(async () => {
          const outcome = await payments.handleWebhook(webhook.providerPaymentId)
          crash()
          webhook.done = outcome.kind === 'done'
        })
      }
      for (const [paymentId, task] of tasks) {
        if (task.dueAt > clock) continue
        task.dueAt = clock + 60_000
        await survived(async () => {
          const outcome = await payments.finish({ paymentId, startedAt: task.startedAt })
          crash()
          if (outcome.kind === 'again') task.dueAt = clock + outcome.afterMs
          else expect(tasks.has(paymentId)).toBe(false)
        })
      }
    },
    async ledger() {
      const events = (await store.readStream(accountStream(SPACE))).map(decodeAccountEvent)
      return events.filter(isMovementEvent)
    },
  }
}

async function survived(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof Crash)) throw error
    return false
  }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('refill' as const), n: fc.nat({ max: 3 }), amount: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('bank' as const),
      says: fc.constantFrom('succeeded' as const, 'failed' as const, 'requires_action' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('confirm' as const), n: fc.nat({ max: 3 }), ok: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('refund' as const), n: fc.nat({ max: 3 }), fails: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('a day passes' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      n: fc.nat({ max: 3 }),
      to: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('webhook' as const), n: fc.nat({ max: 3 }), id: fc.nat({ max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), n: fc.nat({ max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('policies' as const), after: fc.constantFrom(0, 5_000, 70_000, 4_000_000) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('crash' as const), calls: fc.nat({ max: 14 }) }) },
)

describe('payments by card', () => {
  it(
    'payments by card bring the ledger what the provider kept, each movement once, in any order with any crashes',
    async () => {
      const counted = {
        crashes: 0,
        refunds: 0,
        failedRefunds: 0,
        twiceOpened: 0,
        disputes: 0,
        won: 0,
        failed: 0,
        confirmed: 0,
        lateSuccess: 0,
      }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
          const world = createWorld()
          const context = systemContext('payments', derivedId('open'))
          const opened = {
            type: 'OpenAccount',
            spaceId: SPACE,
            whitelabelId: 'dsp',
            name: 'Lagos',
            currency: 'NGN',
            house: false,
          } as const
          await world.accounts.execute(SPACE, context, opened)
          const idOf = (n: number) => derivedId('payment', String(n))
          let refunds = 0
          for (const one of steps) {
            const payment = 'n' in one ? [...world.kept.values()].find(({ paymentId }) => paymentId === idOf(one.n)) : undefined
            if (one.do === 'bank') world.bankSays(one.says)
            else if (one.do === 'a day passes') {
              world.pass(90_000_000)
              world.forgetKeys()
            } else if (one.do === 'crash') world.crashAfter(one.calls)
            else if (one.do === 'refill') {
              const paymentId = idOf(one.n)
              const order = {
                paymentId,
                spaceId: SPACE,
                whitelabelId: 'dsp',
                amount: one.amount * 1_000_000,
                currency: 'NGN',
                card: CARD,
              }
              // Both kinds: with a user who may confirm, and without one.
              const origin = one.n % 2 === 0 ? 'refill' : 'auto_refill'
              const again = { ...order, origin, invoiceId: null } as const
              if (!(await survived(() => world.payments.charge(again, systemContext('payments', derivedId('start', paymentId))))))
                counted.crashes += 1
            } else if (one.do === 'confirm' && payment?.status === 'requires_action') {
              payment.status = one.ok ? 'succeeded' : 'failed'
              counted.confirmed += 1
            } else if (one.do === 'confirm' && payment?.status === 'failed' && one.ok) {
              // Money that arrives after a failure was reported.
              payment.status = 'succeeded'
              counted.lateSuccess += 1
            } else if (one.do === 'refund' && payment?.status === 'succeeded') {
              const waiting = payment.refunds.find(({ status }) => status === 'succeeded')
              if (one.fails && waiting !== undefined) {
                waiting.status = 'failed'
                counted.failedRefunds += 1
              } else payment.refunds.push({ id: `re_${(refunds += 1)}`, amount: 100_000, status: 'succeeded' })
              counted.refunds += 1
            } else if (one.do === 'dispute' && payment?.status === 'succeeded') {
              const [known] = payment.disputes
              if (known === undefined) payment.disputes.push({ id: `dp_${one.n}`, amount: 500_000, status: one.to })
              else if (known.status === 'open') known.status = one.to
              counted.disputes += 1
            } else if (one.do === 'webhook' && payment !== undefined)
              await world.storage.webhooks.add({
                id: `evt_${one.id}`,
                type: 'any',
                providerPaymentId: `pi_${idOf(one.n)}`,
                at: world.now(),
              })
            else if (one.do === 'read') await survived(() => world.payments.refresh(idOf(one.n)).catch(ignoreUnknown))
            else if (one.do === 'policies') {
              world.pass(one.after)
              await world.policies()
            }
          }
          // The provider reports every payment once more, as it does until it is acknowledged, and the policies get their time.
          world.noCrash()
          for (const providerId of world.kept.keys())
            await world.storage.webhooks.add({
              id: `last_${providerId}`,
              type: 'any',
              providerPaymentId: providerId,
              at: world.now(),
            })
          for (let round = 0; round < 4; round++) {
            world.pass(4_000_000)
            await world.policies()
          }
          const movements = await world.ledger()
          const money = [...world.kept.values()].filter(({ status }) => status === 'succeeded')
          const expected = money.reduce(
            (sum, { amount, refunds: back, disputes }) =>
              sum +
              amount -
              back.reduce((all, refund) => all + (refund.status === 'succeeded' ? refund.amount : 0), 0) -
              disputes.reduce((all, { amount: disputed, status }) => all + (status === 'won' ? 0 : disputed), 0),
            0,
          )
          expect(movements.reduce((sum, event) => sum + movementOf(event), 0)).toBe(expected)
          const names = movements.map(({ type, data }) => JSON.stringify([type, data]))
          expect(new Set(names).size).toBe(names.length)
          expect([...world.tasks]).toEqual([])
          // Money was taken at most once for each order, also when the provider forgot its keys in between.
          expect(new Set(money.map(({ paymentId }) => paymentId)).size).toBe(money.length)
          counted.twiceOpened += world.kept.size - new Set([...world.kept.values()].map(({ paymentId }) => paymentId)).size
          expect([...world.webhooks.values()].every(({ done }) => done)).toBe(true)
          expect([...world.finished].sort()).toEqual(money.map(({ paymentId }) => paymentId).sort())
          counted.failed += [...world.kept.values()].filter(({ status }) => status === 'failed').length
          counted.won += money.flatMap(({ disputes }) => disputes).filter(({ status }) => status === 'won').length
        }),
        { endOnFailure: true, numRuns: runs(400) },
      )
      // The states that matter were reached.
      for (const [state, times] of Object.entries(counted)) expect(times, state).toBeGreaterThan(5)
    },
    limit(),
  )
})

/** A payment that was never started. */
function ignoreUnknown(error: unknown): void {
  if (error instanceof Crash) throw error
}
