import { STATUS_KEY } from '#domain/campaign/status/status-keys'
import type { ListRow } from '#contract/campaign-list'
import { localDay } from '#domain/campaign/content/dates'
import { fromMicros, MOST_MICROS, toMicros } from '#domain/kit/money'
import { readDecimal, withoutCurrency } from '@/i18n/decimal'
import { isDay } from '@/lib/date-range'
import { readDay, type DayOrder } from '@/lib/read-day'
import type { QuickValues } from '../quick-edit/save-fields.ts'
import type { Table } from './read-table.ts'

/** Changes of a campaign by a row of a spreadsheet. Pure. */

/** Rows of a file with campaigns. */
export const MOST_ROWS = 1000

/** The columns that are read, by their titles in the exported file; the others are figures and facts. */
const COLUMNS = { id: 'id', name: 'name', currency: 'currency', start: 'start date', end: 'end date', budget: 'budget' } as const
type Column = keyof typeof COLUMNS
export type SheetRow = Readonly<Partial<Record<Column, string>>> & { readonly id: string }

export type SheetFault = 'noTable' | 'noId' | 'noColumns' | 'noRows' | 'tooMany'
export type ReadSheet = { readonly rows: readonly SheetRow[] } | { readonly fault: SheetFault }

/** Finds the columns by their titles and the rows by their ids. */
export function readRows(table: Table | null): ReadSheet {
  if (table === null || table.length === 0) return { fault: 'noTable' }
  const [header = [], ...lines] = table
  const titles = header.map((title) => title.trim().toLowerCase())
  const places = (Object.keys(COLUMNS) as Column[]).flatMap((column) => {
    const place = titles.indexOf(COLUMNS[column])
    return place === -1 ? [] : [[column, place] as const]
  })
  const known = new Set(places.map(([column]) => column))
  if (!known.has('id')) return { fault: 'noId' }
  if (!['name', 'start', 'end', 'budget'].some((column) => known.has(column as Column))) return { fault: 'noColumns' }
  const rows = lines
    .map((line) => Object.fromEntries(places.map(([column, place]) => [column, line[place] ?? ''])) as SheetRow)
    .filter(({ id }) => id.trim() !== '')
    .map((row) => ({ ...row, id: row.id.trim() }))
  if (rows.length === 0) return { fault: 'noRows' }
  return rows.length > MOST_ROWS ? { fault: 'tooMany' } : { rows }
}

export type SheetField = 'name' | 'budget' | 'start' | 'end'
/** `now` and `next` are texts, amounts in units, or days; null for none. */
export type SheetChange = {
  readonly field: SheetField
  readonly now: string | number | null
  readonly next: string | number | null
}
export type SheetRefusal =
  | 'unknown'
  | 'twice'
  | 'archived'
  | 'currency'
  | 'nameEmpty'
  | 'budgetMissing'
  | 'budgetUnclear'
  | 'budgetLow'
  | 'budgetHigh'
  | 'startUnclear'
  | 'endUnclear'
export type SheetPlan =
  | { readonly kind: 'same' }
  | { readonly kind: 'refused'; readonly reason: SheetRefusal }
  | {
      readonly kind: 'changed'
      readonly changes: readonly SheetChange[]
      readonly was: QuickValues
      readonly fields: QuickValues
    }

export type Current = Pick<
  ListRow,
  'name' | 'budget' | 'currency' | 'campaign_start_at' | 'campaign_end_at' | 'timezone_offset_seconds'
>
export type Reading = { readonly order: DayOrder; readonly today: Date }
type Part = { readonly change: SheetChange; readonly was: QuickValues; readonly fields: QuickValues }

/** A plan for each row, in their order. `currentOf`: undefined for what is not in the list. */
export function planSheet(
  rows: readonly SheetRow[],
  currentOf: (id: string) => (Current & { readonly status_key: number }) | undefined,
  reading: Reading,
): readonly SheetPlan[] {
  const times = new Map<string, number>()
  for (const { id } of rows) times.set(id, (times.get(id) ?? 0) + 1)
  return rows.map((row): SheetPlan => {
    const current = currentOf(row.id)
    if (current === undefined) return { kind: 'refused', reason: 'unknown' }
    const plan = planRow(row, current, reading)
    if (plan.kind !== 'changed') return plan
    if ((times.get(row.id) ?? 0) > 1) return { kind: 'refused', reason: 'twice' }
    return current.status_key === STATUS_KEY.archived ? { kind: 'refused', reason: 'archived' } : plan
  })
}

/** Changes of its campaign by a row. */
export function planRow(row: SheetRow, current: Current, reading: Reading): SheetPlan {
  const parts = [
    namePart(row.name, current),
    budgetPart(row.budget, current),
    datePart('start', row.start, current, reading),
    datePart('end', row.end, current, reading),
  ]
  const reason = parts.find((part) => typeof part === 'string')
  if (reason !== undefined) return { kind: 'refused', reason }
  const changed = parts.filter((part): part is Part => part !== null && typeof part !== 'string')
  if (changed.length === 0) return { kind: 'same' }
  // Amounts of another currency would be taken for this one.
  const touchesMoney = changed.some(({ change }) => change.field === 'budget')
  if (touchesMoney && row.currency !== undefined && row.currency.trim().toUpperCase() !== current.currency)
    return { kind: 'refused', reason: 'currency' }
  return {
    kind: 'changed',
    changes: changed.map(({ change }) => change),
    was: Object.assign({}, ...changed.map(({ was }) => was)) as QuickValues,
    fields: Object.assign({}, ...changed.map(({ fields }) => fields)) as QuickValues,
  }
}

/** Cells that a spreadsheet would take for a formula are exported with an apostrophe. */
const withoutMark = (cell: string) => (/^'[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell)

function namePart(cell: string | undefined, { name }: Current): Part | SheetRefusal | null {
  if (cell === undefined || cell === name || withoutMark(cell) === name) return null
  const next = withoutMark(cell).trim()
  if (next === '') return 'nameEmpty'
  return next === name ? null : { change: { field: 'name', now: name, next }, was: { name }, fields: { name: next } }
}

/** Sums in spreadsheets are binary fractions: 114.99999999999999 is what they show as 115. */
const inMicros = (amount: number): number | null => toMicros(amount) ?? toMicros(Number(amount.toPrecision(15)))

function budgetPart(cell: string | undefined, { budget, currency }: Current): Part | SheetRefusal | null {
  if (cell === undefined) return null
  const text = withoutCurrency(cell, currency).trim()
  if (text === '') return budget === null ? null : 'budgetMissing'
  const amount = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (readDecimal(text) ?? Number.NaN)
  const micros = inMicros(amount)
  if (Number.isNaN(amount) || (micros === null && amount <= fromMicros(MOST_MICROS))) return 'budgetUnclear'
  if (micros === null || micros > MOST_MICROS) return 'budgetHigh'
  if (budget !== null && micros === toMicros(budget)) return null
  if (micros <= 0) return 'budgetLow'
  const next = fromMicros(micros)
  return { change: { field: 'budget', now: budget, next }, was: { budget }, fields: { budget: next } }
}

const KEYS = { start: 'campaign_start_at', end: 'campaign_end_at' } as const

function datePart(
  field: 'start' | 'end',
  cell: string | undefined,
  current: Current,
  { order, today }: Reading,
): Part | SheetRefusal | null {
  if (cell === undefined) return null
  const key = KEYS[field]
  const instant = current[key]
  const now = instant === null ? null : localDay(instant, current.timezone_offset_seconds ?? 0)
  const text = cell.trim()
  const next = text === '' ? null : isDay(text) ? text : readDay(text, order, today)
  if (text !== '' && next === null) return field === 'start' ? 'startUnclear' : 'endUnclear'
  return next === now ? null : { change: { field, now, next }, was: { [key]: instant }, fields: { [key]: next } }
}
