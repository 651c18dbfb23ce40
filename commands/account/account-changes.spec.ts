import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { systemContext } from '#domain/kit/event-metadata'
import type { LegalEntity } from '#domain/account/legal-entity'
import { PERSON_STATUS } from '#domain/registration/person-status'
import { createHandler } from '../handle.ts'
import type { PersonRecord } from '../identity/person.ts'
import { Refused } from '../refused.ts'
import { createAccountCommands } from './account-commands.ts'
import { createCreditLimitChange, type RaiseApproval } from './credit-limit.ts'
import { createLegalEntityChange } from './legal-entity.ts'
import { createSettingsChange } from './settings.ts'
import { createSuspensionChange, type Suspension } from './suspension.ts'

const NILE = { spaceId: 'nile', whitelabelId: 'dsp' }
let commands = 0
const context = () => systemContext('spec', `command ${(commands += 1)}`)

async function opened({ house = false } = {}) {
  const handle = createHandler({
    store: createMemoryEventStore(),
    now: () => '2026-11-24T10:00:00.000Z',
    eventId: () => randomUUID(),
  })
  const accounts = createAccountCommands(handle)
  await accounts.execute('nile', context(), { type: 'OpenAccount', ...NILE, name: 'Nile', currency: 'USD', house })
  return accounts
}

const codeOf = async (work: Promise<unknown>) =>
  work.then(
    () => 0,
    (error: unknown) =>
      error instanceof Refused ? [error.rejection.code, ...error.rejection.faults.map(({ path }) => path)] : error,
  )

describe('a legal entity', () => {
  async function changing({
    house = false,
    limit = 100,
    ownName = '',
  }: { house?: boolean; limit?: number | null; ownName?: string } = {}) {
    const stored = new Map<string, LegalEntity>()
    const change = createLegalEntityChange({
      accounts: await opened({ house }),
      whiteLabels: { find: () => ({ settings: { payment_approval_limit: limit }, invoicing: { legal_name: ownName } }) as never },
      accountOf: async () => ({ house }),
      entityOf: async (spaceId) => stored.get(spaceId),
      store: async (spaceId, entity) => void stored.set(spaceId, entity),
    })
    return { stored, change: (patch: object, tax: object = {}) => change(NILE, context(), patch, tax) }
  }

  it('a legal entity is stored after the account accepts the change, and keeps what is left out', async () => {
    const { stored, change } = await changing()
    await change({ legal_entity_name: 'Nile Travel', tin_number: '1' })
    await change({ city: 'Lagos' })
    expect(stored.get('nile')).toMatchObject({ legal_entity_name: 'Nile Travel', tin_number: '1', city: 'Lagos' })
  })

  it('a legal entity has no rate without a tax of its own', async () => {
    const { change } = await changing()
    expect((await change({}, { tax_mode: 'exclusive', tax_rate: 2000 })).settings).toMatchObject({ tax_rate: 2000 })
    expect((await change({}, { tax_mode: null, tax_rate: 2000 })).settings).toMatchObject({ tax_mode: null, tax_rate: null })
  })

  it('stores nothing that cannot stand on an invoice', async () => {
    const { stored, change } = await changing()
    expect(await codeOf(change({ country: 'N1' }))).toEqual([2, 'country'])
    expect(stored.size).toBe(0)
  })

  it('the legal entity of a seller keeps its name where a second person has to confirm it', async () => {
    const rename = { legal_entity_name: 'Other' }
    expect(await codeOf((await changing({ house: true })).change(rename))).toEqual([2, 'legal_entity_name'])
    expect(await codeOf((await changing({ house: true, limit: null })).change(rename))).toBe(0)
    expect(await codeOf((await changing({ house: true, ownName: 'Seller' })).change(rename))).toBe(0)
  })
})

describe('settings of an account', () => {
  const manager = (person: Partial<PersonRecord> | null) => async () => person as PersonRecord | null
  const SELLER = { whitelabel_id: 'dsp', status_key: PERSON_STATUS.active, roles: ['WHITELABEL_OWNER'] } as const

  it('change by name, with amounts in currency units', async () => {
    const change = createSettingsChange(await opened(), manager(null))
    expect((await change(NILE, context(), { base_bid: 1.5, niche: 'travel' })).changed).toEqual(['niche', 'base_bid'])
    expect(await codeOf(change(NILE, context(), { base_bid: 1e30 }))).toEqual([2, 'base_bid'])
  })

  it.each([
    ['an unknown person', null],
    ['a person of another white-label', { ...SELLER, whitelabel_id: 'other' }],
    ['a person who is not active', { ...SELLER, status_key: PERSON_STATUS.approved }],
    ['an advertiser', { ...SELLER, roles: ['USER_OWNER'] }],
  ] as const)('refuses %s as manager', async (_, person) => {
    const change = createSettingsChange(await opened(), manager(person as never))
    expect(await codeOf(change(NILE, context(), { manager_id: 'p' }))).toEqual([2, 'manager_id'])
  })
})

it('applies a suspension by its revision, and a restoration after it', async () => {
  const applied: Suspension[] = []
  const change = createSuspensionChange(await opened(), async (one) => void applied.push(one))
  expect((await change('nile', context(), 'SuspendAccount', 'unpaid')).suspended).toBe(true)
  expect((await change('nile', context(), 'RestoreAccount', 'paid')).suspended).toBe(false)
  const [suspended, restored] = applied
  expect(applied.map((one) => one.suspended)).toEqual([true, false])
  expect(restored?.revision).toBeGreaterThan(suspended?.revision ?? 0)
})

describe('the credit limit of an account', () => {
  async function changing({ alone = true, fresh = true, free = true, fails = false } = {}) {
    const calls: string[] = []
    const secondPerson: RaiseApproval = {
      count: async ({ amount }) => {
        calls.push(`count ${amount}`)
        return { alone, fresh }
      },
      uncount: async () => void calls.push('uncount'),
      ask: async ({ command }) => {
        calls.push(`ask ${command.amount}`)
        return free
      },
      mailOthers: async () => {
        calls.push('mail')
        if (fails) throw new Error('no database')
      },
    }
    const deps = { newId: () => `id ${(commands += 1)}`, derivedId: (...parts: readonly string[]) => parts.join(' ') }
    const change = createCreditLimitChange({ accounts: await opened(), secondPerson, ...deps })
    return {
      calls,
      change: (limit: number) => change(NILE, 'owner', context(), limit, (from, to) => calls.push(`note ${from} to ${to}`)),
    }
  }

  it('a credit limit is raised by one person within the limit, and the others are mailed', async () => {
    const { calls, change } = await changing()
    expect(await change(5)).toMatchObject({ stage: 'applied', limit: 5 })
    expect(await change(3)).toMatchObject({ stage: 'applied', limit: 3 })
    expect(calls).toEqual(['count 5', 'note 0 to 5', 'mail'])
  })

  it('waits for a second person beyond it, or is refused while too much waits', async () => {
    const { calls, change } = await changing({ alone: false })
    expect(await change(5)).toMatchObject({ stage: 'pending', limit: 0 })
    expect(calls).toEqual(['count 5', 'ask 5'])
    expect(await codeOf((await changing({ alone: false, free: false })).change(5))).toEqual([134])
  })

  it('a raise is no longer counted after a failure, unless it was counted before', async () => {
    const failing = await changing({ fails: true })
    await codeOf(failing.change(5))
    expect(failing.calls).toEqual(['count 5', 'note 0 to 5', 'mail', 'uncount'])
    const repeated = await changing({ fails: true, fresh: false })
    await codeOf(repeated.change(5))
    expect(repeated.calls).toEqual(['count 5', 'note 0 to 5', 'mail'])
  })
})
