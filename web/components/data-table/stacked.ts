import type { CSSProperties } from 'react'
import type { DataColumn } from './table-view.ts'

/**
 * Table layout in a container narrower than 52rem: each row is a grid of two lines. The first column fills the first line, the
 * other columns share the second, and the check box and controls span both. Headings use the same grid.
 */
export const STACKED = {
  table: '@max-[52rem]:block @max-[52rem]:[&>*]:block',
  row: '@max-[52rem]:grid @max-[52rem]:items-center @max-[52rem]:py-1.5 @max-[52rem]:[grid-template-columns:var(--stacked-columns)]',
  cell: '@max-[52rem]:h-auto @max-[52rem]:py-1 @max-[52rem]:[grid-area:var(--stacked-area)]',
  figure: '@max-[52rem]:self-start',
} as const

type Placed = Pick<DataColumn<never>, 'controls'>

/** Grid columns of a row: check box, one for each further column, controls. */
export function stackedColumns(columns: readonly Placed[]): CSSProperties {
  const figures = Math.max(1, columns.filter(({ controls }) => controls !== true).length - 1)
  const end = columns.some(({ controls }) => controls) ? ' 5.5rem' : ''
  return style({ '--stacked-columns': `2.75rem repeat(${figures}, minmax(0, 1fr))${end}` })
}

/** The area of one cell; `place` is the column's index among the visible ones, -1 for the check box. */
export function stackedArea(columns: readonly Placed[], place: number): CSSProperties {
  if (place === -1) return style({ '--stacked-area': '1 / 1 / span 2 / span 1' })
  const figures = Math.max(1, columns.filter(({ controls }) => controls !== true).length - 1)
  if (columns[place]?.controls === true) return style({ '--stacked-area': `1 / ${figures + 2} / span 2 / span 1` })
  return style({ '--stacked-area': place === 0 ? `1 / 2 / span 1 / span ${figures}` : `2 / ${place + 1} / span 1 / span 1` })
}

const style = (properties: Readonly<Record<`--${string}`, string>>): CSSProperties => properties
