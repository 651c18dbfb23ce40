import type { Language } from '#domain/kit/languages'
import { Readable } from 'node:stream'
import { streamCsv } from '#api/http/csv'
import { sheetOf, XLSX } from '#api/http/workbook'
import type { Threads } from '#platform/threads/threads'
import type { ReportTableRow } from '#contract/report-tables'
import type { TableGrouping } from '#domain/reports/groupings'
import type { WholeTable } from './report-tables.ts'
import { FILE_WORDS, GROUPING_WORDS, leftOutText, METRIC_WORDS } from './table-words.ts'

export type FileFormat = 'csv' | 'xlsx'
export type TableFile = { readonly name: string; readonly contentType: string; readonly content: Readable }

/** Lines of CSV in one piece. */
const LINES_AT_ONCE = 500
const NAME_WIDTH = 32
const FIGURE_WIDTH = 14

/** Groupings whose rows have an id beside the name. */
const WITH_ID: ReadonlySet<TableGrouping> = new Set(['campaign', 'creative', 'advertiser', 'app_or_site'])

type Cell = string | number
type As = { readonly format: FileFormat; readonly language: Language; readonly threads: Pick<Threads, 'workbook'> }

/** A table as a file: the shown columns, with ids and the currency, and a last line where rows are left out. */
export async function fileOf(table: WholeTable, { format, language, threads }: As): Promise<TableFile> {
  const { grouping, metrics, currency, rows, left_out: leftOut } = table
  const ids = WITH_ID.has(grouping)
  const zoned = grouping === 'day' || grouping === 'date_hour' || grouping === 'hour'
  const first = GROUPING_WORDS[grouping][language]
  const header = [
    zoned ? `${first} (${table.time_zone})` : first,
    ...(ids ? [FILE_WORDS.id[language]] : []),
    ...(currency === null ? [] : [FILE_WORDS.currency[language]]),
    ...metrics.map((metric) => METRIC_WORDS[metric][language]),
  ]
  const lineOf = ({ key, label, values }: ReportTableRow): readonly Cell[] => [
    label,
    ...(ids ? [key] : []),
    ...(currency === null ? [] : [currency]),
    ...metrics.map((metric) => values[metric] ?? 0),
  ]
  const note: readonly Cell[] = [leftOutText(rows.length, rows.length + leftOut, language), ...header.slice(1).map(() => '')]
  const lines = [...rows.map(lineOf), ...(leftOut > 0 ? [note] : [])]
  const name = `report-by-${grouping.replaceAll('_', '-')}`
  if (format === 'xlsx') {
    const columns = header.map((title, i) => ({ title, width: i === 0 || (ids && i === 1) ? NAME_WIDTH : FIGURE_WIDTH }))
    const content = await threads.workbook(sheetOf({ name: FILE_WORDS.sheet[language], columns, rows: lines }))
    return { name: `${name}.xlsx`, contentType: XLSX, content: Readable.from([content]) }
  }
  async function* batches() {
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE) yield lines.slice(at, at + LINES_AT_ONCE)
  }
  return { name: `${name}.csv`, contentType: 'text/csv; charset=utf-8', content: streamCsv(header, batches()) }
}
