import type { MouseEvent } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { cn } from '@/lib/utils'
import type { Layout } from './layout.ts'
import type { DataColumn } from './table-view.ts'

/** Controls inside a row. Clicks on them do not open the row. */
const INTERACTIVE = 'a, button, input, label, select, textarea, [data-controls]'

type TableRowProps<Row> = {
  readonly id: string
  readonly row: Row
  /** The visible columns. */
  readonly columns: readonly DataColumn<Row>[]
  readonly layout: Layout
  readonly testId: string
  readonly busy: boolean
  readonly onOpen: ((row: Row) => void) | undefined
  /** Its check box; null without a selection. */
  readonly selection: {
    readonly label: string
    readonly selected: boolean
    readonly onSelect: (selected: boolean) => void
  } | null
}

export function TableRow<Row>({ id, row, columns, layout, testId, busy, onOpen, selection }: TableRowProps<Row>) {
  const open = ({ target, currentTarget }: MouseEvent) => {
    // Menus and dialogs are React descendants of the row but not DOM descendants.
    if (target instanceof Element && currentTarget.contains(target) && target.closest(INTERACTIVE) === null) onOpen?.(row)
  }
  return (
    <tr
      data-row={id}
      data-testid={`${testId}-${id}`}
      aria-busy={busy || undefined}
      {...(onOpen === undefined ? {} : { onClick: open })}
      className={cn('group/row', layout.row.className, onOpen !== undefined && 'hover:bg-muted cursor-pointer transition-colors')}
      style={layout.row.style}
    >
      {selection !== null && (
        <td {...layout.checkBox} className={cn('pl-5', layout.checkBox.className)} data-controls>
          <input
            type="checkbox"
            data-focus="box"
            aria-label={selection.label}
            checked={selection.selected}
            onChange={(event) => selection.onSelect(event.target.checked)}
            className="accent-primary size-4 align-middle"
          />
        </td>
      )}
      {columns.map((column, place) => {
        const cell = layout.cell(column, place)
        return column.rowHeader === true ? (
          <th key={column.id} scope="row" {...cell} className={cn('text-left font-normal', cell.className)}>
            {column.cell(row)}
          </th>
        ) : (
          <td key={column.id} {...cell} {...(column.controls === true ? { 'data-controls': true } : {})}>
            {column.cell(row)}
          </td>
        )
      })}
    </tr>
  )
}

type SkeletonRowsProps<Row> = {
  readonly rows: number
  readonly columns: readonly DataColumn<Row>[]
  readonly layout: Layout
  readonly selectable: boolean
}

/** Placeholders for as many rows as the page will have. */
export function SkeletonRows<Row>({ rows, columns, layout, selectable }: SkeletonRowsProps<Row>) {
  return Array.from({ length: rows }, (_, index) => (
    <tr key={index} data-slot="skeleton-row" className={cn(layout.row.className, layout.skeletonHeight)} style={layout.row.style}>
      {selectable && (
        <td style={layout.checkBox.style} className="pl-5">
          <Skeleton className="size-4" />
        </td>
      )}
      {columns.map((column, place) => (
        <td key={column.id} {...layout.cell(column, place)}>
          <Skeleton className={column.numeric === true || column.controls === true ? 'ml-auto w-14' : 'w-2/5'} />
        </td>
      ))}
    </tr>
  ))
}
