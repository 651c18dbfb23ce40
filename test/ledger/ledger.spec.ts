import { expect, it } from 'vitest'
import { claims, claimsOf, requirements } from './ledger.ts'

it('every requirement that a test claims to cover is one of the ledger, and every claim stands above a test', () => {
  const known = new Set(requirements().map(({ id }) => id))
  expect(known.size).toBe(requirements().length)
  const wrong = claims().filter(({ id, test }) => !known.has(id) || test === null)
  expect(wrong).toEqual([])
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
