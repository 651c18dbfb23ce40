import { areaOf, claims, requirements, stateOf, type Requirement, type State } from './ledger.ts'

/**
 * `npm run ledger [-- <area>]`: prints for each area how many requirements tests prove, how many a later rule supersedes, and how
 * many are open. With an area: each row with its tests, the later rule, or the reason why it is open.
 */
const STATES: readonly State[] = ['proved', 'superseded', 'not proved', 'not built']

const all = requirements()
const testsOf = new Map<string, string[]>()
for (const { id, file, test, fault } of claims())
  if (fault === null) testsOf.set(id, [...(testsOf.get(id) ?? []), `${file}: ${test}`])
const state = (row: Requirement) => stateOf(row, testsOf.has(row.id))

const wanted = process.argv[2]
if (wanted === undefined) {
  const line = (name: string, cells: readonly (string | number)[]) =>
    console.log([name.padEnd(12), ...cells.map((cell) => String(cell).padStart(11))].join(' '))
  const counts = (rows: readonly Requirement[]) => [
    rows.length,
    ...STATES.map((one) => rows.filter((row) => state(row) === one).length),
  ]
  line('', ['rows', ...STATES])
  for (const area of new Set(all.map(({ id }) => areaOf(id)))) line(area, counts(all.filter(({ id }) => areaOf(id) === area)))
  line('all', counts(all))
} else {
  for (const row of all.filter(({ id }) => areaOf(id) === wanted)) {
    console.log(`${row.id}\t${state(row)}\t${row.requirement}\n\tcheck: ${row.check}`)
    if (row.supersededBy !== '') console.log(`\tsuperseded by ${row.supersededBy}`)
    if (row.notProved !== '') console.log(`\t${row.notProved}`)
    for (const test of testsOf.get(row.id) ?? []) console.log(`\t${test}`)
  }
}
