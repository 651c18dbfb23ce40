import { expect, it } from 'vitest'
import type { CampaignInput } from '#contract/campaign-body'
import { missingIds, readPatch } from './patch.ts'

const withId = (id: string) => ({ visuals: { banners: [{ id, width: 300, height: 250, file_id: 'f' }] } }) as CampaignInput
const idIn = (input: CampaignInput) => readPatch(input).patch.visuals?.banners?.[0]?.id

it.each(['constructor', '__proto__', 'a]b', 'a.b', 'два', 'a b', 'x'.repeat(65)])(
  'the id "%s" of a creative is a missing one',
  (id) => expect([idIn(withId(id)), missingIds(withId(id))]).toEqual([null, 1]),
)

it('a plain id of a creative is kept', () =>
  expect([idIn(withId('my_Banner-1')), missingIds(withId('my_Banner-1'))]).toEqual(['my_Banner-1', 0]))

// covers FP-27
it('money is read in micros, within what they can say', () => {
  expect(readPatch({ budget: 50.000001 })).toMatchObject({ patch: { budget: 50_000_001 }, faults: [] })
  const AMOUNTS = [
    [0.1 + 0.2, 'decimals'],
    [1e-7, 'decimals'],
    [50.0000001, 'decimals'],
    [9_000_000_001, 'atMost'],
    [1e300, 'atMost'],
    [-1e10, 'positiveBudget'],
    [-1e-7, 'positiveBudget'],
  ] as const
  for (const [budget, key] of AMOUNTS) expect(readPatch({ budget }).faults).toMatchObject([{ path: 'budget', code: 2, key }])
  for (const [user_cpx, key] of [
    [0.00499999, 'decimals'],
    [-1e10, 'numeric'],
  ] as const)
    expect(readPatch({ user_cpx }).faults).toMatchObject([{ path: 'user_cpx', code: 2, key }])
})
