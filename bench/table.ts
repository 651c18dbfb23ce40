import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result } from './support/results.ts'

/** A figure that a reader can compare with other products. */
type Comparable = { readonly bench: string; readonly figure: string; readonly what: string }

const COMPARABLE: readonly Comparable[] = [
  { bench: 'command', figure: 'http_per_s', what: 'Saves a second over HTTP, read models included, 64 accounts' },
  { bench: 'save', figure: 'p50_ms', what: 'Save of a large draft (50 banners, 200 rules) at 100 a second, median, ms' },
  { bench: 'save', figure: 'p99_ms', what: '… p99, ms' },
  { bench: 'freshness', figure: 'p50_ms', what: 'Saved to seen in a list of 100,000 campaigns, median, ms' },
  { bench: 'freshness', figure: 'p99_ms', what: '… p99, ms' },
  { bench: 'peers', figure: 'placard_per_s_64', what: 'Durable appends a second, 64 callers: Placard' },
  { bench: 'peers', figure: 'message_db_per_s_64', what: '… message-db' },
  { bench: 'peers', figure: 'emmett_per_s_64', what: '… emmett-postgresql' },
  { bench: 'web', figure: 'lcp_fast4g_list', what: 'List painted, Fast 4G, processor four times slower, ms' },
]

const number = (value: number): string => (Math.abs(value) >= 1000 ? value.toLocaleString('en-US') : String(value))

/** The table of the README. */
export function performanceTable(results: ReadonlyMap<string, Result>): string {
  const shown = COMPARABLE.flatMap(({ bench, figure, what }) => {
    const result = results.get(bench)
    const value = result?.figures[figure]
    return result === undefined || value === undefined ? [] : [{ result, row: `| ${what} | ${number(value)} |` }]
  })
  const machines = [...new Set(shown.map(({ result }) => `${result.machine}, ${result.date}`))]
  return [
    '| measured | figure |',
    '|---|---|',
    ...shown.map(({ row }) => row),
    '',
    `Load and server share the machine: ${machines.join('; ')}.`,
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
