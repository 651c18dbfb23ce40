import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result } from './support/results.ts'

/** A figure that a reader can compare with other products. */
type Comparable = { readonly bench: string; readonly figure: string; readonly what: string }

const COMPARABLE: readonly Comparable[] = [
  { bench: 'command', figure: 'http_per_s', what: 'Saves a second, 64 accounts at once, lists and change logs included' },
  { bench: 'freshness', figure: 'p50_ms', what: 'From a save to its row in a list of 100,000 campaigns, ms' },
  { bench: 'freshness', figure: 'p99_ms', what: '… the slowest of a hundred, ms' },
  { bench: 'web', figure: 'lcp_fast4g_list', what: 'The list on a slow phone and Fast 4G: until it is painted, ms' },
]

const number = (value: number): string => (Math.abs(value) >= 1000 ? value.toLocaleString('en-US') : String(value))

/** The table of the README. */
export function performanceTable(results: ReadonlyMap<string, Result>): string {
  const shown = COMPARABLE.flatMap(({ bench, figure, what }) => {
    const result = results.get(bench)
    const value = result?.figures[figure]
    return result === undefined || value === undefined ? [] : [{ result, row: `| ${what} | ${number(value)} |` }]
  })
  const machines = [...new Set(shown.map(({ result }) => result.machine))]
  const dates = [...new Set(shown.map(({ result }) => result.date))].toSorted()
  return [
    '| measured | figure |',
    '|---|---|',
    ...shown.map(({ row }) => row),
    '',
    `Load and server share the machine: ${machines.join('; ')}, ${dates.join(' and ')}.`,
  ].join('\n')
}

/** Every figure by the size of the log. */
function growthTable(result: Result): string {
  const sizes = [...new Set(Object.keys(result.figures).map((key) => /_([^_]+)$/.exec(key)?.[1] ?? ''))]
  const names = [...new Set(Object.keys(result.figures).map((key) => key.replace(/_[^_]+$/, '')))]
  return [
    `| events in the log | ${sizes.join(' | ')} |`,
    `|---|${sizes.map(() => '---|').join('')}`,
    ...names.map(
      (name) => `| ${name} | ${sizes.map((size) => number(result.figures[`${name}_${size}`] ?? Number.NaN)).join(' | ')} |`,
    ),
  ].join('\n')
}

const BEGIN = '<!-- performance: npm run bench -- table -->'
const END = '<!-- /performance -->'

/** The README with its table as the saved results have it. */
export function withTable(readme: string, results: ReadonlyMap<string, Result>): string {
  const [from, to] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (from === -1 || to < from) throw new Error(`README.md has no ${BEGIN} … ${END}`)
  return `${readme.slice(0, from + BEGIN.length)}\n\n${performanceTable(results)}\n\n${readme.slice(to)}`
}

/** docs/performance.md: every figure that the benches printed. */
export function performancePage(results: ReadonlyMap<string, Result>): string {
  const parts = [...results.values()].map((result) => {
    const { bench, figures, machine, date } = result
    const table =
      bench === 'growth'
        ? growthTable(result)
        : [
            '| figure | value |',
            '|---|---|',
            ...Object.entries(figures).map(([name, value]) => `| ${name} | ${number(value)} |`),
          ].join('\n')
    return `## ${bench}\n\n${table}\n\n${machine}, ${date}. \`npm run bench -- ${bench} --json\``
  })
  return `# Performance\n\nPrinted by \`npm run bench -- table\` from \`bench/results\`; \`--save\` puts a run there.\n\n${parts.join('\n\n')}\n`
}

const ROOT = new URL('..', import.meta.url)
export const README = fileURLToPath(new URL('README.md', ROOT))
export const PAGE = fileURLToPath(new URL('docs/performance.md', ROOT))

export function writeTables(results: ReadonlyMap<string, Result>): void {
  writeFileSync(README, withTable(readFileSync(README, 'utf8'), results))
  writeFileSync(PAGE, performancePage(results))
}
