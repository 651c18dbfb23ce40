import { expect, it } from 'vitest'
import { claimsOf } from './claims.ts'
import { claims, reasonsOfRules, requirements, rulesOf, stateOf } from './ledger.ts'

const rows = requirements()
/** Read once: every spec of the repository is parsed for it. */
const found = claims()
const claimed = new Set(found.map(({ id }) => id))

it('every claim names a requirement and belongs to a test that runs', () => {
  const known = new Set(rows.map(({ id }) => id))
  expect(known.size).toBe(rows.length)
  const wrong = found.flatMap(({ id, file, line, fault }) => {
    const why = known.has(id) ? fault : 'is no requirement'
    return why === null ? [] : [`${file}:${line}: ${id} ${why}`]
  })
  expect(wrong).toEqual([])
})

it('every requirement has a test, a later rule or a reason for having neither', () => {
  const open = rows.filter(({ id, supersededBy, notProved }) => !claimed.has(id) && supersededBy === '' && notProved === '')
  expect(open.map(({ id }) => id)).toEqual([])
})

it('no requirement with a test or a later rule is listed as not proved', () => {
  const open = rows.filter(({ notProved }) => notProved !== '')
  expect(open.filter(({ id, supersededBy }) => claimed.has(id) || supersededBy !== '').map(({ id }) => id)).toEqual([])
})

it('a requirement that contradicts the product names the rule that holds instead', () => {
  expect(rows.filter(({ notProved }) => notProved.includes('contradicts')).map(({ id }) => id)).toEqual([])
  const superseded = rows.filter(({ supersededBy }) => supersededBy !== '')
  const uncited = superseded.filter(
    ({ supersededBy }) => !/^(fine print \d|decisions G-\d{3}|\w+\.md "[^"]+")[^:]*: \S/.test(supersededBy),
  )
  expect(uncited.map(({ id }) => id)).toEqual([])
})

it.each([
  ['superseded', { supersededBy: 'fine print 1: another rule', notProved: '' }, true],
  ['proved', { supersededBy: '', notProved: '' }, true],
  ['not built', { supersededBy: '', notProved: 'not built: no screen shows it' }, false],
  ['not proved', { supersededBy: '', notProved: 'no test sees it' }, false],
] as const)('counts a row as %s', (state, columns, isClaimed) => {
  const [row] = rows
  expect(row && stateOf({ ...row, ...columns }, isClaimed)).toBe(state)
})

it('every requirement has its text and its check', () => {
  expect(rows.filter(({ requirement, check }) => requirement === '' || check === '').map(({ id }) => id)).toEqual([])
})

it('each reason why a rule of the fine print has no test names a rule of the page, and says something', () => {
  const known = new Set(rows.map(({ id }) => id))
  expect([...reasonsOfRules()].filter(([id, reason]) => !known.has(id) || reason === '')).toEqual([])
})

it('reads each rule of the fine print with its title, its text, its reason and the rule that replaces it', () => {
  const page =
    '# Fine print\n\n### 1. Saves\nA save\nis one event.\n\n### 2. Time\nReplaced by 3.\n\n## Later\n\n### 3. The gate\nTen `minutes`.\n'
  const read = rulesOf(page, new Map([['FP-3', 'no test measures it']]))
  expect(read.map(({ id, requirement, check }) => [id, requirement, check])).toEqual([
    ['FP-1', 'Saves', 'A save is one event.'],
    ['FP-2', 'Time', 'Replaced by 3.'],
    ['FP-3', 'The gate', 'Ten `minutes`.'],
  ])
  expect(read.map(({ supersededBy, notProved }) => [supersededBy, notProved])).toEqual([
    ['', ''],
    ['fine print 3: The gate', ''],
    ['', 'no test measures it'],
  ])
})

it('the ledger has every rule of the fine print', () => {
  const rules = rows.filter(({ id }) => id.startsWith('FP-'))
  expect(rules.length).toBeGreaterThanOrEqual(109)
  expect(rules.map(({ id }) => id)).toEqual(rules.map((_, index) => `FP-${index + 1}`))
})

const faultsOf = (...lines: readonly string[]) => claimsOf('some.spec.ts', lines.join('\n')).map(({ id, fault }) => [id, fault])

it('a claim may name a range', () => {
  expect(faultsOf('// covers CAM-BID-09..11 DICT-01', "it('works', () => {})")).toEqual([
    ['CAM-BID-09', null],
    ['CAM-BID-10', null],
    ['CAM-BID-11', null],
    ['DICT-01', null],
  ])
})

it('refuses a claim that is not above a test', () => {
  const fault = 'is neither above a test nor at the end of a table row'
  expect(faultsOf('// covers X-1', 'const nothing = 1', "it('works', () => {})")).toEqual([['X-1', fault]])
})

it.each([
  ["it.skip('works', () => {})"],
  ["it.todo('works')"],
  ["test.skip('works', () => {})"],
  ["it.skipIf(true)('works', () => {})"],
  ["it.each([1]).skip('works', () => {})"],
  ["it.skip.each([1])('works', () => {})"],
])('refuses a claim above %s', (test) => {
  expect(faultsOf('// covers X-1', test)).toEqual([['X-1', 'belongs to a skipped test']])
})

it('refuses a claim inside a skipped describe', () => {
  const lines = [
    "describe.skip('all', () => {",
    "  describe('more', () => {",
    '    // covers X-1',
    "    it('works', () => {})",
    '  })',
    '})',
  ]
  expect(faultsOf(...lines)).toEqual([['X-1', 'belongs to a skipped test']])
})

it('accepts a claim at the end of a table row, which is removed with the row', () => {
  const row = ['  [', "    'two',", '  ], // covers X-2']
  const table = (middle: readonly string[]) => ['it.each([', "  ['one'], // covers X-1", ...middle, "])('%s', () => {})"]
  expect(faultsOf(...table(row))).toEqual([
    ['X-1', null],
    ['X-2', null],
  ])
  expect(faultsOf(...table([]))).toEqual([['X-1', null]])
})

it('accepts a claim at a row of a named table', () => {
  const lines = ['const ROWS = [', "  'one', // covers X-1", '] as const', "it.each(ROWS)('%s', () => {})"]
  expect(faultsOf(...lines)).toEqual([['X-1', null]])
  expect(faultsOf(...lines.slice(0, -1))[0]?.[1]).toMatch(/^is neither/)
})

it('refuses more claims above a table than it has rows', () => {
  const fault = 'names 3 requirements above a table of 2: claim them at the rows'
  expect(faultsOf('// covers X-1..3', "it.each([1, 2])('%s', () => {})").map(([, why]) => why)).toEqual([fault, fault, fault])
  expect(faultsOf('// covers X-1..2', "it.each([1, 2])('%s', () => {})").map(([, why]) => why)).toEqual([null, null])
})

it('counts an imported table as one row', () => {
  expect(faultsOf('// covers X-1', "it.each(PERSONAS)('%s', () => {})")).toEqual([['X-1', null]])
  expect(faultsOf('// covers X-1..2', "it.each(PERSONAS)('%s', () => {})")[0]?.[1]).toMatch(/above a table of 1/)
})
