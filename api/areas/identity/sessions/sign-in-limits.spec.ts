import { expect, it } from 'vitest'
import type { PersonRecord } from '#commands/identity/person'
import { TooMany } from '#commands/refused'
import type { Limit } from '#platform/limits/limits'
import { createSignInLimits } from './sign-in-limits.ts'

const OFFICE = '198.51.100.0/24'
const person = (id: string) => ({ id, whitelabel_id: 'dsp', email: `${id}@nile.example` }) as PersonRecord

/** The limits, where people are known from the networks `known`; what is reserved is never given back. */
function limitsOf(...known: readonly string[]) {
  const taken = new Map<string, number>()
  const reserve = (limits: readonly Limit[]) => {
    const full = limits.some(({ key, limit }) => (taken.get(key) ?? 0) >= limit)
    if (full) return Promise.reject(new TooMany(900))
    for (const { key } of limits) taken.set(key, (taken.get(key) ?? 0) + 1)
    return Promise.resolve({ release: () => Promise.resolve() })
  }
  const knowsNetwork = (_: string, email: string, network: string) => Promise.resolve(known.includes(`${email} ${network}`))
  return createSignInLimits({
    limits: { reserve },
    people: { knowsNetwork },
    fingerprint: (text: string) => text,
  } as unknown as Parameters<typeof createSignInLimits>[0])
}
const wrongCodes = async (limits: ReturnType<typeof limitsOf>, id: string, times: number) => {
  for (let n = 0; n < times; n++) await limits.ofCode(person(id), OFFICE)
}

it('wrong codes of one person refuse no neighbour in the same network', async () => {
  const limits = limitsOf()
  await wrongCodes(limits, 'ada', 20)
  await expect(limits.ofCode(person('ada'), OFFICE)).rejects.toBeInstanceOf(TooMany)
  await expect(limits.ofCode(person('bob'), OFFICE)).resolves.toBeDefined()
})

it('wrong codes of many people from one network end at a hundred, but for people whom it knows', async () => {
  const limits = limitsOf(`known@nile.example network ${OFFICE}`)
  for (let n = 0; n < 10; n++) await wrongCodes(limits, `person ${n}`, 10)
  await expect(limits.ofCode(person('another'), OFFICE)).rejects.toBeInstanceOf(TooMany)
  await expect(limits.ofPassword('dsp', 'another@nile.example', OFFICE)).rejects.toBeInstanceOf(TooMany)
  await expect(limits.ofCode(person('known'), OFFICE)).resolves.toBeDefined()
})
