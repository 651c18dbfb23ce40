import { areaOf, claims, isGuarded, requirements, type Requirement } from './ledger.ts'

/**
 * `npm run ledger [-- <area>]`: prints per area how many requirements have tests and how many are open, because they are listed
 * as not proved or the area is not built. With an area: each row with its tests, or the reason why it is open.
 */
const all = requirements()
const proved = new Map<string, string[]>()
for (const { id, file, test, fault } of claims())
  if (fault === null) proved.set(id, [...(proved.get(id) ?? []), `${file}: ${test}`])

const wanted = process.argv[2]
if (wanted === undefined) {
  const line = (name: string, rows: readonly Requirement[]) => {
    const open = rows.filter(({ id }) => !proved.has(id))
    const listed = open.filter(isGuarded).length
    const numbers = [rows.length, rows.length - open.length, listed, open.length - listed]
    console.log([name.padEnd(12), ...numbers.map((n) => String(n).padStart(11))].join(' '))
  }
  console.log([''.padEnd(12), ...['rows', 'proved', 'not proved', 'not built'].map((name) => name.padStart(11))].join(' '))
  for (const area of new Set(all.map(({ id }) => areaOf(id))))
    line(
      area,
      all.filter(({ id }) => areaOf(id) === area),
    )
  line('all', all)
} else {
  for (const { id, requirement, check, supersededBy, notProved } of all.filter((one) => areaOf(one.id) === wanted)) {
    console.log(`${id}\t${requirement}\n\tcheck: ${check}`)
    if (supersededBy !== '') console.log(`\tsuperseded by ${supersededBy}`)
    for (const test of proved.get(id) ?? [`open: ${notProved || 'not built'}`]) console.log(`\t${test}`)
  }
}
