import { expect, it } from 'vitest'
import { claims, claimsOf, requirements } from './ledger.ts'
import { isOnScreen, ON_SCREENS } from './screens.ts'

it('every requirement that a test claims to cover is one of the ledger, and every claim stands above a test', () => {
  const known = new Set(requirements().map(({ id }) => id))
  expect(known.size).toBe(requirements().length)
  const wrong = claims().filter(({ id, test }) => !known.has(id) || test === null)
  expect(wrong).toEqual([])
})

it('every requirement of campaigns, places, dictionaries and files that the server can meet is claimed by a test', () => {
  const claimed = new Set(claims().map(({ id }) => id))
  const open = requirements().filter((one) => !claimed.has(one.id) && !isOnScreen(one) && /^(CAM-|GEO|DICT|FILE)/.test(one.id))
  expect(open.map(({ id }) => id)).toEqual([])
})

it('what is said to be a matter of screens is in the ledger', () => {
  const known = new Set(requirements().map(({ id }) => id))
  expect(ON_SCREENS.filter((id) => !known.has(id))).toEqual([])
})

it('a claim may name a range', () => {
  const text = ['  // covers CAM-BID-09..11 DICT-01', "  it('works', () => {})", '// covers X-1', 'const nothing = 1'].join('\n')
  expect(claimsOf('some.spec.ts', text).map(({ id, test }) => [id, test])).toEqual([
    ['CAM-BID-09', "it('works', () => {})"],
    ['CAM-BID-10', "it('works', () => {})"],
    ['CAM-BID-11', "it('works', () => {})"],
    ['DICT-01', "it('works', () => {})"],
    ['X-1', null],
  ])
})
