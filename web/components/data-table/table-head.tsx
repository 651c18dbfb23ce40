import { cn } from '@/lib/utils'
import { HoverTip } from '../hover-tip.tsx'
import type { Layout } from './layout.ts'
import { SortButton } from './sort-button.tsx'
import { sortAfterClick, type DataColumn, type TableView } from './table-view.ts'

const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: 'none' } as const

type TableHeadProps<Row> = {
  /** The visible columns. */
  readonly columns: readonly DataColumn<Row>[]
  readonly layout: Layout
  readonly view: TableView
  readonly onView: (patch: Partial<TableView>) => void
  /** The check box of the whole page; null without a selection. */
  readonly selection: {
    readonly label: string
    readonly every: boolean
    readonly some: boolean
    readonly onSelect: (selected: boolean) => void
  } | null
}

/** Headings, and the summary row when a column has a summary. */
export function TableHead<Row>({ columns, layout, view, onView, selection }: TableHeadProps<Row>) {
  return (
    <thead className={layout.head}>
      <tr {...layout.headRow}>
        {selection !== null && (
          <th scope="col" {...layout.checkBox}>
            <input
              type="checkbox"
              aria-label={selection.label}
              checked={selection.every}
              ref={(box) => {
                if (box) box.indeterminate = selection.some && !selection.every
              }}
              onChange={() => selection.onSelect(!selection.every)}
              className="accent-primary size-4 align-middle"
            />
          </th>
        )}
        {columns.map((column, place) => {
          const { id, header, headerHidden = false, hint, sortable, numeric = false } = column
          const sorted = view.sort === id ? (view.dir ?? 'desc') : null
          return (
            <th
              key={id}
              scope="col"
              {...layout.heading(column, place)}
              {...(sortable === undefined && hint !== undefined ? { 'aria-description': hint } : {})}
              {...(sortable === undefined ? {} : { 'aria-sort': ARIA_SORT[sorted ?? 'none'] })}
            >
              {sortable !== undefined ? (
                <SortButton
                  label={header}
                  hint={hint ?? null}
                  numeric={numeric}
                  sorted={sorted}
                  onSort={() => onView({ ...sortAfterClick(view, id, sortable), page: 0 })}
                />
              ) : headerHidden ? (
                <span className="sr-only">{header}</span>
              ) : (
                <HoverTip text={hint ?? null}>
                  <span>{header}</span>
                </HoverTip>
              )}
            </th>
          )
        })}
      </tr>
      {columns.some(({ summary }) => summary !== undefined) && (
        <tr className="border-border text-[0.8125rem]/4.5 text-foreground h-11 border-t font-semibold">
          {columns.map((column, place) => {
            const { className } = layout.cell(column, place)
            return column.rowHeader === true ? (
              <th key={column.id} scope="row" className={cn(className, 'text-left font-semibold')}>
                {column.summary}
              </th>
            ) : (
              <td key={column.id} className={className}>
                {column.summary}
              </td>
            )
          })}
        </tr>
      )}
    </thead>
  )
}
