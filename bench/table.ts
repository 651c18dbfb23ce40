import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Result } from './support/results.ts'

/** What is wanted of a figure: at least or at most so much. */
type Goal = {
  readonly bench: string
  readonly figure: string
  readonly what: string
  readonly least?: number
  readonly most?: number
}

const GOALS: readonly Goal[] = [
  { bench: 'append', figure: 'ratio_1', what: 'Durable appends over pgbench one-row inserts, 1 caller', least: 0.6 },
  { bench: 'append', figure: 'ratio_16', what: '… 16 callers', least: 0.9 },
  { bench: 'append', figure: 'ratio_64', what: '… 64 callers', least: 1.3 },
  { bench: 'append', figure: 'appends_per_s_64', what: '… 64 callers, appends a second' },
  { bench: 'command', figure: 'http_over_handler', what: 'Saves over HTTP over the handler alone, 64 connections', least: 0.6 },
  { bench: 'command', figure: 'handler_over_pgbench', what: 'Handler over pgbench, no state remembered', least: 0.45 },
  { bench: 'command', figure: 'cached_handler_over_pgbench', what: 'Handler over pgbench, states remembered' },
  { bench: 'command', figure: 'http_per_s', what: 'Saves a second over HTTP, projections included' },
  { bench: 'replay', figure: 'over_json_parse', what: 'Replay into campaigns over JSON.parse of the bytes', least: 0.35 },
  { bench: 'replay', figure: 'events_per_s', what: '… events a second' },
  { bench: 'rebuild', figure: 'over_json_parse', what: 'Rebuild of the campaign list over JSON.parse', least: 0.2 },
  { bench: 'rebuild', figure: 'events_per_s', what: '… events a second', least: 50_000 },
  { bench: 'rebuild', figure: 'campaign_revisions_per_s', what: 'Rebuild of the change log, events a second' },
  {
    bench: 'freshness',
    figure: 'p99_ms',
    what: 'Saved to seen in the list, 1,000 of 100,000 campaigns, PUTs at 70 % of what the machine holds, p99, ms',
    most: 25,
  },
  { bench: 'freshness', figure: 'p50_ms', what: '… p50, ms' },
  { bench: 'freshness', figure: 'puts_per_s', what: '… PUTs a second' },
  { bench: 'freshness', figure: 'max_ms_foreign_tx', what: '… at most beside a foreign transaction of 5 s, ms', most: 250 },
  {
    bench: 'freshness',
    figure: 'p99_ms_2000',
    what: '… p99 at 2,000 saves a second of a process beside the product, whatever the machine holds, ms',
    most: 25,
  },
  {
    bench: 'save',
    figure: 'p99_ms',
    what: 'Saves of full drafts (50 banners, 200 rules) at 100 a second over HTTP, p99, ms',
    most: 50,
  },
  { bench: 'save', figure: 'p50_ms', what: '… p50, ms' },
  { bench: 'web', figure: 'over_budget', what: 'Figures of the application in Chromium above their budgets', most: 0 },
  { bench: 'web', figure: 'list_kib', what: '… scripts of the list, first visit, KiB gzip', most: 210 },
  { bench: 'web', figure: 'form_kib', what: '… of the campaign form', most: 240 },
  { bench: 'web', figure: 'lcp_fast4g_list', what: '… list painted, Fast 4G, processor four times slower, ms', most: 1500 },
  { bench: 'web', figure: 'lcp_fast4g_form', what: '… form painted, ms', most: 1500 },
  {
    bench: 'web',
    figure: 'inp_max',
    what: '… slowest interaction to the next paint, processor four times slower, ms',
    most: 200,
  },
  { bench: 'web', figure: 'inp_typing_cpu6', what: '… typing in the form, processor six times slower, ms', most: 100 },
  { bench: 'footprint', figure: 'wal_bytes_overhead', what: 'Write-ahead log per event beyond its bytes', most: 650 },
  { bench: 'footprint', figure: 'rss_mb_idle', what: 'Memory of the whole product, idle, MB' },
  { bench: 'footprint', figure: 'rss_mb_1m', what: '… with 1,000,000 events, MB' },
]

const number = (value: number): string => (Math.abs(value) >= 1000 ? value.toLocaleString('en-US') : String(value))

function goalOf({ least, most }: Goal, value: number): string {
  if (least !== undefined) return `≥ ${number(least)}, ${value >= least ? 'met' : 'missed'}`
  if (most !== undefined) return `≤ ${number(most)}, ${value <= most ? 'met' : 'missed'}`
  return ''
}

/** The table of the README: what was measured, and whether it is what we want. */
export function performanceTable(results: ReadonlyMap<string, Result>): string {
  const rows = GOALS.flatMap((goal) => {
    const value = results.get(goal.bench)?.figures[goal.figure]
    return value === undefined ? [] : [`| ${goal.what} | ${number(value)} | ${goalOf(goal, value)} |`]
  })
  const machines = new Map<string, string[]>()
  for (const { bench, machine, date } of results.values()) {
    const where = `${machine}, ${date}`
    machines.set(where, [...(machines.get(where) ?? []), bench])
  }
  return [
    '| measured | figure | goal |',
    '|---|---|---|',
    ...rows,
    '',
    `Load and server share the machine. ${[...machines].map(([where, benches]) => `${where}: ${benches.join(', ')}.`).join(' ')} Ratios are medians of interleaved pairs, other figures medians of rounds.`,
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
