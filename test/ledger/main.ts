import { areaOf, claims, requirements } from './ledger.ts'

/**
 * `npm run ledger [-- <area>]`: how many requirements of each area a test claims to cover; with an area, which test covers which, and what is
 * still open.
 */
const all = requirements()
const claimed = new Map<string, string[]>()
for (const { id, file, test } of claims()) claimed.set(id, [...(claimed.get(id) ?? []), `${file}: ${test ?? ''}`])

const wanted = process.argv[2]
if (wanted === undefined) {
  const areas = [...new Set(all.map(({ id }) => areaOf(id)))]
  console.log(`${'area'.padEnd(12)} covered  open`)
  for (const area of areas) {
    const of = all.filter(({ id }) => areaOf(id) === area)
    const covered = of.filter(({ id }) => claimed.has(id)).length
    console.log(`${area.padEnd(12)} ${String(covered).padStart(7)} ${String(of.length - covered).padStart(5)}`)
  }
  const covered = all.filter(({ id }) => claimed.has(id)).length
  console.log(`${'all'.padEnd(12)} ${String(covered).padStart(7)} ${String(all.length - covered).padStart(5)}`)
} else {
  for (const { id, kind, priority } of all.filter((one) => areaOf(one.id) === wanted))
    console.log([id, kind, priority, ...(claimed.get(id) ?? ['open'])].join('\t'))
}
