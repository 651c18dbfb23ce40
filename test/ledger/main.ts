import { areaOf, claims, requirements, type Requirement } from './ledger.ts'
import { isOnScreen } from './screens.ts'

/**
 * `npm run ledger [-- <area>]`: how many requirements of each area a test claims to cover, and how many are open on the server and on screens; with an area,
 * which test covers which, and what is still open.
 */
const all = requirements()
const claimed = new Map<string, string[]>()
for (const { id, file, test } of claims()) claimed.set(id, [...(claimed.get(id) ?? []), `${file}: ${test ?? ''}`])

const wanted = process.argv[2]
if (wanted === undefined) {
  const areas = [...new Set(all.map(({ id }) => areaOf(id)))]
  console.log(`${'area'.padEnd(12)} covered  open: server  screens`)
  const line = (name: string, of: readonly Requirement[]) => {
    const open = of.filter(({ id }) => !claimed.has(id))
    const screens = open.filter(isOnScreen).length
    const numbers = [of.length - open.length, open.length - screens, screens]
    console.log([name.padEnd(12), ...numbers.map((n, i) => String(n).padStart([7, 13, 8][i] ?? 0))].join(' '))
  }
  for (const area of areas)
    line(
      area,
      all.filter(({ id }) => areaOf(id) === area),
    )
  line('all', all)
} else {
  for (const { id, kind, priority } of all.filter((one) => areaOf(one.id) === wanted))
    console.log([id, kind, priority, ...(claimed.get(id) ?? ['open'])].join('\t'))
}
