import type { ReactNode } from 'react'
import { z } from '#contract/zod'

export type Direction = 'asc' | 'desc'

/**
 * The view of a table: page (from zero), rows per page, order of rows, and its columns. It is stored in the URL, so a link
 * reproduces it.
 */
export type TableView = {
  readonly page: number
  readonly rows: number
  readonly sort?: string | undefined
  readonly dir?: Direction | undefined
  readonly hidden: readonly string[]
  /** Hideable columns from the first to the last; without it they cannot be moved. */
  readonly order?: readonly string[] | undefined
  /** Height of the rows; without it there is no choice. */
  readonly density?: Density | undefined
}

export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

export type DataColumn<Row> = {
  readonly id: string
  /** The heading; with `headerHidden` only screen readers get it. */
  readonly header: string
  readonly headerHidden?: boolean
  /** Shown on the heading on hover, and on focus where the column can be sorted; a description for screen readers elsewhere. */
  readonly hint?: string
  readonly cell: (row: Row) => ReactNode
  /** The direction of the first click on the heading. A column without it cannot be sorted. */
  readonly sortable?: Direction
  readonly numeric?: boolean
  /** Tailwind width classes of the column. Columns without one share the remaining width. */
  readonly width?: string
  readonly hideable?: boolean
  /** Shown only when the order of the columns names it; hideable, and never in a stacked row. */
  readonly further?: boolean
  /** Names the row for screen readers: its cells are row headers. */
  readonly rowHeader?: boolean
  /** Controls of the row: kept at its end, and a click beside them does not open the row. */
  readonly controls?: boolean
  /** Shown in containers of at least 70rem only, which have room for it. */
  readonly wide?: boolean
  /** Classes of its cells. */
  readonly className?: string
  /** Its cell in the summary row above the first row. */
  readonly summary?: ReactNode
}

export type Selection<Row> = {
  /** Ids of the selected rows, including rows on other pages. */
  readonly selected: ReadonlySet<string>
  readonly onSelect: (ids: readonly string[], selected: boolean) => void
  readonly labelAll: string
  readonly labelOf: (row: Row) => string
}

/** Minimum number of visible columns, not counting controls. */
export const FEWEST_COLUMNS = 2

type Hideable = Pick<DataColumn<never>, 'id' | 'hideable' | 'controls' | 'further'>

/** The hidden columns that apply: hideable ones, unless fewer than two columns would be left. */
export function appliedHidden(columns: readonly Hideable[], hidden: readonly string[]): readonly string[] {
  const applied = columns.filter(({ id, hideable }) => hideable === true && hidden.includes(id)).map(({ id }) => id)
  const left = columns.filter(({ id, controls }) => controls !== true && !applied.includes(id))
  return left.length < FEWEST_COLUMNS ? [] : applied
}

/** The hidden columns: those that the view hides, and further ones that its order does not name. */
export function hiddenIn(
  columns: readonly Hideable[],
  { hidden, order = [] }: Pick<TableView, 'hidden' | 'order'>,
): readonly string[] {
  const isUnnamed = ({ id, further }: Hideable) => further === true && !order.includes(id)
  const unnamed = columns.filter(isUnnamed).map(({ id }) => id)
  return [
    ...appliedHidden(
      columns.filter((column) => !isUnnamed(column)),
      hidden,
    ),
    ...unnamed,
  ]
}

/** Columns of a view, in their order, for these to be the hidden ones. */
export function chosenColumns(
  columns: readonly Hideable[],
  view: Pick<TableView, 'hidden' | 'order'>,
  hidden: readonly string[],
): Pick<TableView, 'hidden' | 'order'> {
  const further = columns.filter((column) => column.further === true).map(({ id }) => id)
  const shown = (ids: readonly string[]) => further.filter((id) => !ids.includes(id))
  // The order is written only if it has to name others.
  if (shown(hidden).join() === shown(hiddenIn(columns, view)).join())
    return { hidden: hidden.filter((id) => !further.includes(id) || view.order?.includes(id) === true) }
  const named = columns.filter(({ id, hideable }) => hideable === true && !(further.includes(id) && hidden.includes(id)))
  return { hidden: hidden.filter((id) => !further.includes(id)), order: named.map(({ id }) => id) }
}

/**
 * Columns in the chosen order. Only hideable ones move, among their places: the first column and the controls stay. Those that the
 * order does not name follow the ones that it names.
 */
export function orderedColumns<Column extends Hideable>(columns: readonly Column[], order: readonly string[]): readonly Column[] {
  const movable = columns.filter(({ hideable }) => hideable === true)
  const named = order.flatMap((id) => movable.filter((column) => column.id === id))
  const moved = [...new Set([...named, ...movable])].values()
  return columns.map((column) => (column.hideable === true ? (moved.next().value ?? column) : column))
}

/** The list with one entry moved to a place; the same list for a place outside it. */
export function movedTo(ids: readonly string[], id: string, place: number): readonly string[] {
  if (!ids.includes(id) || place < 0 || place >= ids.length) return ids
  return ids.filter((one) => one !== id).toSpliced(place, 0, id)
}

/** Search parameters of columns: names joined by commas. */
export const hiddenSearch = z.catch(z.optional(z.string().check(z.regex(/^[a-z_]+(,[a-z_]+)*$/i), z.maxLength(300))), undefined)
export const readHidden = (search: string | undefined): readonly string[] => search?.split(',') ?? []
export const writeHidden = (hidden: readonly string[]): string | undefined => (hidden.length === 0 ? undefined : hidden.join(','))

/** The order after a click on a heading: another column starts with its own direction, the same column reverses. */
export function sortAfterClick(
  view: Pick<TableView, 'sort' | 'dir'>,
  column: string,
  first: Direction,
): { readonly sort: string; readonly dir: Direction } {
  if (view.sort !== column) return { sort: column, dir: first }
  return { sort: column, dir: view.dir === 'asc' ? 'desc' : 'asc' }
}
