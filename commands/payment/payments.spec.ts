import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { systemContext } from '#domain/kit/event-metadata'
import type { AccountCommand } from '#domain/account/account'
import type { PaymentOrigin } from '#domain/payment/payment'
import { createAccountCommands } from '../account/account-commands.ts'
import { createHandler } from '../handle.ts'
import type { GatewayPayment, PaymentGateway } from './payment-gateway.ts'
import { createPaymentCommands } from './payment-commands.ts'
import type { PaymentStorage, StoredCard } from './payment-storage.ts'
import { createPayments } from './payments.ts'

const START = Date.parse('2026-03-01T10:00:00.000Z')
const CARD: Pick<StoredCard, 'id' | 'provider' | 'customer_id' | 'method_id'> = {
  id: 'card',
  provider: 'test',
  customer_id: 'cus',
  method_id: 'pm',
}

/** A payment that its bank wants to have confirmed, of an account with an automatic refill, and a clock. */
async function unconfirmedRefill(origin: PaymentOrigin = 'refill', balance = 0) {
  let minutes = 0
  let opened = 0
  const now = () => new Date(START + minutes * 60_000).toISOString()
  let status: GatewayPayment['status'] = 'unconfirmed'
  const report = (): GatewayPayment => ({
    providerId: 'pi',
    paymentId: 'p',
    status,
    failureCode: status === 'failed' ? 'canceled' : null,
    clientToken: 'token',
    refunds: [],
    disputes: [],
  })
  const gateway = {
    provider: 'test',
    open: async () => {
      opened += 1
      return { providerId: 'pi' }
    },
    confirm: async () => {
      status = 'requires_action'
      return report()
    },
    read: async () => report(),
    cancel: async () => {
      status = 'failed'
      return report()
    },
  } satisfies Partial<PaymentGateway>
  const storage = {
    cards: { find: async () => CARD },
    tasks: { add: async () => undefined, finish: async () => undefined },
  }
  const handle = createHandler({ store: createMemoryEventStore(), now, eventId: () => randomUUID() })
  const accounts = createAccountCommands(handle)
  const payments = createPayments({
    gateway: gateway as unknown as PaymentGateway,
    storage: storage as unknown as PaymentStorage,
    payments: createPaymentCommands(handle),
    accounts,
    derivedId: (...parts) => parts.join('/'),
    newId: randomUUID,
    now,
  })
  const account = { spaceId: 's', whitelabelId: 'w', name: 'S', currency: 'USD', house: false }
  const execute = (command: AccountCommand) => accounts.execute('s', systemContext('test', randomUUID()), command)
  await execute({ type: 'OpenAccount', ...account })
  await execute({ type: 'AddCard', cardId: CARD.id })
  const autoRefill = { enabled: true, threshold: 0, amount: 20_000_000, monthly_limit: 20_000_000 }
  await execute({ type: 'ChangeAutoRefill', autoRefill })
  const order = {
    paymentId: 'p',
    spaceId: 's',
    whitelabelId: 'w',
    amount: 5_000_000,
    currency: 'USD',
    card: CARD,
    invoiceId: null,
  }
  if (balance > 0) await execute({ type: 'CreditFunds', amount: balance, reason: 'deposit' })
  const charge = () => payments.charge({ ...order, origin }, systemContext('test', randomUUID()))
  const charged = await charge()
  return {
    charge,
    charged,
    opened: () => opened,
    credit: (amount: number) => execute({ type: 'CreditFunds', amount, reason: 'deposit' }),
    balance: async () => {
      const read = await execute({ type: 'ReadAccount' })
      return read.kind === 'done' && read.state.balance
    },
    confirm: () => (status = 'succeeded'),
    /** Runs the policy so many minutes after the start; the status is that of the payment. */
    finishAfter: async (waited: number) => {
      minutes = waited
      const outcome = await payments.finish({ paymentId: 'p', startedAt: new Date(START).toISOString() })
      return [outcome.kind, (await payments.stateOf('p')).status]
    },
    refillsItself: async () => {
      const read = await execute({ type: 'ReadAccount' })
      return read.kind === 'done' && read.state.auto_refill?.enabled
    },
  }
}

describe('a refill that waits for its bank', () => {
  it('a refill that waits for its bank is not cancelled while its user may still confirm it', async () => {
    const { confirm, finishAfter } = await unconfirmedRefill()
    for (const minutes of [1, 30, 60]) expect(await finishAfter(minutes)).toEqual(['again', 'requires_action'])
    confirm()
    expect(await finishAfter(61)).toEqual(['done', 'succeeded'])
  })

  it('a refill that waits for its bank is cancelled once its user left it unconfirmed for an hour', async () => {
    const { finishAfter } = await unconfirmedRefill()
    expect(await finishAfter(61)).toEqual(['done', 'failed'])
  })
})

describe('the automatic refill of an account', () => {
  it.each([
    ['goes on', 'refill', true],
    ['stops', 'auto_refill', false],
  ] as const)('%s after a failed payment of the origin %s', async (_, origin, goesOn) => {
    const { finishAfter, refillsItself } = await unconfirmedRefill(origin)
    expect(await refillsItself()).toBe(true)
    expect(await finishAfter(61)).toEqual(['done', 'failed'])
    expect(await refillsItself()).toBe(goesOn)
  })
})

describe('a payment by card that the balance has no room for', () => {
  const HALF = 4_500_000_000_000_000
  const NO_ROOM = { kind: 'rejected', rejection: { code: 2, faults: [{ path: 'amount', key: 'balanceFull' }] } }

  // covers FP-69
  it.each(['refill', 'auto_refill', 'invoice'] as const)(
    'a payment by card that the balance has no room for is refused before the provider is asked: %s',
    async (origin) => {
      const { charged, opened, balance } = await unconfirmedRefill(origin, HALF - 4_999_999)
      expect(charged).toMatchObject(NO_ROOM)
      expect(opened()).toBe(0)
      expect(await balance()).toBe(HALF - 4_999_999)
    },
  )

  it('a payment by card is made where the balance has just enough room', async () => {
    const { charged, opened } = await unconfirmedRefill('refill', HALF - 5_000_000)
    expect(charged).toMatchObject({ kind: 'done', state: { status: 'requires_action' } })
    expect(opened()).toBe(1)
  })

  it('a payment by card is credited when it was asked for before, whatever the balance is by then', async () => {
    const { confirm, credit, finishAfter, balance, charge } = await unconfirmedRefill('refill')
    await credit(2 * HALF)
    confirm()
    expect(await finishAfter(1)).toEqual(['done', 'succeeded'])
    expect(await balance()).toBe(2 * HALF + 5_000_000)
    // A repeat of the order has the answer of the first one.
    expect(await charge()).toMatchObject({ kind: 'done', state: { status: 'succeeded' } })
  })
})
