import { expect, it } from 'vitest'
import { systemContext } from '#domain/kit/event-metadata'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { derivedId } from '#platform/ids'
import { createAccountCommands } from './account/account-commands.ts'
import { createCampaignCommands, type CampaignCommandDeps } from './campaign/campaign-commands.ts'
import { createHandler, type Handle, type Request } from './handle.ts'
import { createPaymentCommands } from './payment/payment-commands.ts'
import { TooMany } from './refused.ts'

const context = (id: string) => systemContext('test', id)

/** Commands of accounts under a quota: what was counted, and whether it is used up. */
function metered() {
  const counted: number[] = []
  const state = { isUsedUp: false }
  const handle = createHandler({
    store: createMemoryEventStore(),
    now: () => '2026-06-01T00:00:00.000Z',
    eventId: (id, n) => derivedId('event', id, String(n)),
    quota: {
      check: async () => {
        if (state.isUsedUp) throw new TooMany(60)
      },
      spent: (bytes) => void counted.push(bytes),
    },
  })
  return { accounts: createAccountCommands(handle), counted, state }
}

const OPEN = { type: 'OpenAccount', spaceId: 's', whitelabelId: 'w', name: 'Nile', currency: 'USD', house: false } as const
const rename = (name: string) => ({ type: 'RenameAccount', name, isFree: true }) as const
const received = (paymentId: string) =>
  ({ type: 'ReceivePayment', paymentId, amount: 1000, method: 'card', invoiceId: null, assigned: 0 }) as const

it('bytes are counted by what is stored, and a command that stores nothing counts none', async () => {
  const { accounts, counted } = metered()
  await accounts.execute('s', context('open'), OPEN)
  await accounts.execute('s', context('rename'), rename('Nile Travel'))
  expect(counted).toEqual([expect.any(Number), expect.any(Number)])
  expect(Math.min(...counted)).toBeGreaterThan(100)
  await accounts.execute('s', context('same name'), rename('Nile Travel'))
  await accounts.execute('s', context('rename'), rename('Nile Travel'))
  expect(counted).toHaveLength(2)
})

it('an account that has used up its bytes is refused, but for money that has moved', async () => {
  const { accounts, counted, state } = metered()
  await accounts.execute('s', context('open'), OPEN)
  state.isUsedUp = true
  await expect(accounts.execute('s', context('rename'), rename('Elsewhere'))).rejects.toThrow(TooMany)
  expect(await accounts.execute('s', context('paid'), received('p'))).toMatchObject({ kind: 'done' })
  expect(counted).toHaveLength(1)
})

it('commands that stop spending, take rights away or record a payment are never metered', async () => {
  const asked: [string, boolean][] = []
  const handle = (async (_: unknown, { unmetered = false }: Request<unknown, never>) => {
    asked.push([asked.length.toString(), unmetered])
    return { kind: 'rejected', rejection: { code: 2, faults: [] } }
  }) as unknown as Handle
  const unmetered = async (work: Promise<unknown>) => {
    await work.catch(() => undefined)
    return asked.at(-1)?.[1]
  }
  const campaigns = createCampaignCommands({ handle } as CampaignCommandDeps)
  const accounts = createAccountCommands(handle)
  const issue = { context: context('any'), mayWriteOwnerFields: false }
  for (const name of ['pause', 'run', 'toggleArchive'] as const)
    expect([name, await unmetered(campaigns[name]('c', issue))]).toEqual([name, name === 'pause'])
  expect(await unmetered(campaigns.reject('c', issue, { moderationStartAt: null, comment: 'No' }))).toBe(true)
  expect(await unmetered(createPaymentCommands(handle).execute('p', context('any'), { type: 'CancelPayment' } as never))).toBe(
    true,
  )
  const ofAccount = (command: unknown) => unmetered(accounts.execute('s', context('any'), command as never))
  expect(await ofAccount({ type: 'DeactivatePerson', personId: 'p' })).toBe(true)
  expect(await ofAccount({ type: 'ReactivatePerson', personId: 'p' })).toBe(false)
  expect(await ofAccount({ type: 'ChangeAutoRefill', autoRefill: { enabled: false } })).toBe(true)
  expect(await ofAccount({ type: 'ChangeAutoRefill', autoRefill: { enabled: true } })).toBe(false)
})
