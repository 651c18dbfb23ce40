import type { CSSProperties } from 'react'
import { cn } from '@/lib/utils'
import type { DataColumn, Density } from './table-view.ts'

/**
 * Layout in a container narrower than 52rem.
 * - `stack`: each row is a grid of two lines. The first column fills the first line, the other columns share the second, and the
 *   check box and controls span both. Headings use the same grid.
 * - `scroll`: the table keeps its width and scrolls horizontally.
 * - `fit`: the columns share the width and their texts wrap.
 */
export type Narrow = 'stack' | 'scroll' | 'fit'

const STACKED = {
  table: '@max-[52rem]:block @max-[52rem]:[&>*]:block',
  head: '@max-[52rem]:[&_th]:h-auto @min-[52rem]:sticky',
  row: '@max-[52rem]:grid @max-[52rem]:items-center @max-[52rem]:py-1.5 @max-[52rem]:[grid-template-columns:var(--stacked-columns)]',
  cell: '@max-[52rem]:h-auto @max-[52rem]:py-1 @max-[52rem]:[grid-area:var(--stacked-area)]',
  figure: '@max-[52rem]:self-start',
  // The first column begins where the others do.
  firstHeading: '@max-[52rem]:[&_th:first-child]:pl-2',
  firstCell: '@max-[52rem]:first:pl-2',
} as const

type Placed = Pick<DataColumn<never>, 'controls' | 'wide' | 'further'>
type Styled = Placed & Pick<DataColumn<never>, 'numeric' | 'headerHidden' | 'className'>
type Box = { readonly className: string; readonly style?: CSSProperties | undefined }

/** Classes that hide a column in containers without room for it. */
export const onlyIn = ({ wide = false, further = false }: Pick<Placed, 'wide' | 'further'>): string =>
  cn(wide && '@max-[70rem]:hidden', further && '@max-[52rem]:hidden')

/** Widths of the ends of a table, which are its first column and controls, and of a column between them, rem. */
const [ENDS, BETWEEN] = [27, 8]

/** A table with further columns keeps its width and scrolls. */
function tableWidth(columns: readonly Placed[]): Box {
  if (!columns.some(({ further }) => further)) return { className: '' }
  const between = columns.filter(({ controls }) => controls !== true).length - 1
  return {
    className: '@min-[52rem]:min-w-(--table-width)',
    style: style({ '--table-width': `${ENDS + between * BETWEEN}rem` }),
  }
}

/** Classes and styles of the elements of a table, by its visible columns. `place` is a column's index among them. */
export function layoutOf(narrow: Narrow, columns: readonly Placed[], selectable: boolean, density: Density = 'comfortable') {
  const stacked = narrow === 'stack'
  const area = (place: number) => (stacked ? stackedArea(columns, place) : undefined)
  const head = cn(
    'text-muted-foreground text-xs border-border bg-card top-0 z-10 border-b text-left [&_th:first-child]:pl-5 [&_th]:h-10',
  )
  const width = tableWidth(columns)
  return {
    table: {
      className: cn(
        'text-[0.8125rem]/4.5 w-full border-collapse',
        narrow === 'scroll' ? 'tabular-nums' : 'table-fixed',
        stacked && STACKED.table,
        width.className,
      ),
      style: width.style,
    },
    head: cn(head, stacked ? STACKED.head : 'sticky', stacked && !selectable && STACKED.firstHeading),
    headRow: { className: cn(stacked && STACKED.row), style: stacked ? stackedColumns(columns, selectable) : undefined },
    row: {
      className: cn('border-border border-b last:border-0 aria-busy:opacity-55', stacked && STACKED.row),
      style: stacked ? stackedColumns(columns, selectable) : undefined,
    },
    skeletonHeight: !stacked ? '' : density === 'compact' ? 'h-[41px]' : 'h-[53px]',
    checkBox: { className: cn(stacked && STACKED.cell), style: area(-1) },
    heading: ({ numeric = false, headerHidden = false, ...column }: Styled, place: number): Box => ({
      className: cn(
        'px-2 font-medium whitespace-nowrap last:pr-4',
        stacked && STACKED.cell,
        stacked && place > 0 && !headerHidden && STACKED.figure,
        numeric && 'text-right',
        onlyIn(column),
      ),
      style: area(place),
    }),
    cell: ({ numeric = false, controls = false, className, ...column }: Styled, place: number): Box => ({
      className: cn(
        'px-2 last:pr-4',
        density === 'compact' ? 'h-9 py-[3px]' : 'h-11 py-[9px]',
        !selectable && 'first:pl-5',
        !selectable && stacked && STACKED.firstCell,
        numeric && 'text-right tabular-nums',
        stacked && STACKED.cell,
        stacked && place > 0 && !controls && STACKED.figure,
        onlyIn(column),
        className,
      ),
      style: area(place),
    }),
  }
}
export type Layout = ReturnType<typeof layoutOf>

/** Grid columns of a row: check box, or the margin in its place, one for each further column, controls. */
function stackedColumns(columns: readonly Placed[], selectable: boolean): CSSProperties {
  const end = columns.some(({ controls }) => controls) ? ' 5.5rem' : ''
  return style({
    '--stacked-columns': `${selectable ? '2.75rem' : '0.75rem'} repeat(${figuresIn(columns)}, minmax(0, 1fr))${end}`,
  })
}

/** The area of one cell; -1 is the check box. */
function stackedArea(columns: readonly Placed[], place: number): CSSProperties {
  if (place === -1) return style({ '--stacked-area': '1 / 1 / span 2 / span 1' })
  const figures = figuresIn(columns)
  if (columns[place]?.controls === true) return style({ '--stacked-area': `1 / ${figures + 2} / span 2 / span 1` })
  const before = columns.slice(0, place).filter(isStacked).length
  return style({ '--stacked-area': place === 0 ? `1 / 2 / span 1 / span ${figures}` : `2 / ${before + 1} / span 1 / span 1` })
}

/** Columns of wide containers, and further ones, have no place in a stacked row. */
const isStacked = ({ wide, further }: Placed) => wide !== true && further !== true
const figuresIn = (columns: readonly Placed[]) =>
  Math.max(1, columns.filter((column) => column.controls !== true && isStacked(column)).length - 1)

const style = (properties: Readonly<Record<`--${string}`, string>>): CSSProperties => properties
