import {
  columnVisibilityFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table'
import { useMemo, type MouseEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchImage } from '@/components/empty-images'
import { useIsLater } from '@/components/later'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { cn } from '@/lib/utils'
import { ColumnChooser } from './column-chooser.tsx'
import { Pagination } from './pagination.tsx'
import { rowKeys } from './row-keys.ts'
import { SortButton } from './sort-button.tsx'
import { STACKED, stackedArea, stackedColumns } from './stacked.ts'
import { appliedHidden, sortAfterClick, type DataColumn, type TableView } from './table-view.ts'

export type Selection<Row> = {
  /** Ids of the selected rows, including rows on other pages. */
  readonly selected: ReadonlySet<string>
  readonly onSelect: (ids: readonly string[], selected: boolean) => void
  readonly labelAll: string
  readonly labelOf: (row: Row) => string
}

type DataTableProps<Row extends object> = {
  /** Names the table for screen readers. */
  readonly caption: string
  readonly columns: readonly DataColumn<Row>[]
  readonly rowId: (row: Row) => string
  /** Rows of the page; undefined until the first answer. */
  readonly rows: readonly Row[] | undefined
  /** Number of rows on all pages. */
  readonly total: number
  readonly view: TableView
  /** Writes a change of the view to the URL. */
  readonly onView: (patch: Partial<TableView>) => void
  /** Options for rows per page. Without them the table has one page. */
  readonly rowChoices?: readonly number[]
  /** True while another page or order is loading. */
  readonly busy?: boolean
  /** For users with row actions. */
  readonly selection?: Selection<Row> | null
  readonly onOpen?: (row: Row) => void
  readonly failed: { readonly title: string; readonly error: Error | null; readonly onRetry: () => void }
  /** Shown when there are no rows at all. */
  readonly nothing: ReactNode
  /** Shown when filters hide every row; null while nothing is filtered. */
  readonly noMatch?: {
    readonly title: string
    readonly text: string
    readonly clear: string
    readonly onClear: () => void
  } | null
  /** Beside the column chooser, such as an export button. */
  readonly tools?: ReactNode
  /** Test id of a row, before its id. */
  readonly testId?: string
  /** Layout in a narrow container: each row on two lines, or horizontal scrolling. */
  readonly narrow?: 'stack' | 'scroll'
}

const features = tableFeatures({ columnVisibilityFeature, rowPaginationFeature, rowSelectionFeature, rowSortingFeature })

const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: 'none' } as const

/** Rows in the first paint. The others follow in a deferred pass: all at once would be a long task on a slow processor. */
const FIRST_ROWS = 5
/** Height of a row with its border, in pixels. Reserves the space of deferred rows. */
const ROW_HEIGHT = 53
/** Controls inside a row. Clicks on them do not open the row. */
const INTERACTIVE = 'a, button, input, label, select, textarea, [data-controls]'

/**
 * A table with rows, order and pages from the server, and its view in the URL. Keyboard: arrows move between rows, Space selects,
 * Enter opens; for that, a cell needs a link or button with `data-focus`.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, failed, noMatch = null, nothing, narrow = 'stack', caption } = props
  const { t } = useTranslation()
  const scrolls = narrow === 'scroll'
  const content = () => {
    if (failed.error !== null && rows === undefined)
      return <LoadError title={failed.title} error={failed.error} onRetry={failed.onRetry} />
    if (rows === undefined || rows.length > 0) return <Rows {...props} />
    if (noMatch === null) return nothing
    return (
      <EmptyState image={<SearchImage />} title={noMatch.title} text={noMatch.text}>
        <Button variant="outline" onClick={noMatch.onClear}>
          {noMatch.clear}
        </Button>
      </EmptyState>
    )
  }
  return (
    <section
      aria-label={caption}
      // A scrollable table must be reachable by keyboard.
      {...(scrolls ? { tabIndex: 0 } : {})}
      className={cn('border-border bg-card @container overflow-clip rounded-lg border', scrolls && 'max-xl:overflow-x-auto')}
    >
      {content()}
      <output className="sr-only">{props.busy === true && t('loading')}</output>
    </section>
  )
}

function Rows<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, total, view, onView, rowChoices = [], busy = false, selection = null, onOpen, tools } = props
  const { caption, testId = 'row', narrow = 'stack' } = props
  const whole = useIsLater()
  const stacked = narrow === 'stack'
  const hidden = appliedHidden(columns, view.hidden)
  const visible = columns.filter(({ id }) => !hidden.includes(id))
  const data = useMemo(() => [...(rows ?? [])], [rows])
  const state = {
    columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
    pagination: { pageIndex: view.page, pageSize: view.rows },
    rowSelection: Object.fromEntries<true>([...(selection?.selected ?? [])].map((id) => [id, true])),
    sorting: view.sort === undefined ? [] : [{ id: view.sort, desc: view.dir !== 'asc' }],
  }
  const table = useTable({
    features,
    columns: useMemo(
      () =>
        columns.map(({ id, header, sortable, hideable = false }): ColumnDef<typeof features, Row, unknown> => ({
          id,
          header,
          enableSorting: sortable !== undefined,
          sortDescFirst: sortable === 'desc',
          enableHiding: hideable,
        })),
      [columns],
    ),
    data,
    getRowId: rowId,
    state,
    enableRowSelection: selection !== null,
    manualPagination: true,
    manualSorting: true,
    rowCount: total,
  })
  const shown = table.getRowModel().rows.slice(0, whole ? undefined : FIRST_ROWS)
  const missing = data.length - shown.length
  const ids = data.map(rowId)
  const every = table.getIsAllPageRowsSelected()
  const some = table.getIsSomePageRowsSelected()
  const at = (place: number) => (stacked ? stackedArea(visible, place) : undefined)
  const cellOf = (column: DataColumn<Row>, place: number) =>
    cn(
      'h-11 px-2 py-[9px] last:pr-4',
      selection === null && 'first:pl-5',
      column.numeric === true && 'text-right tabular-nums',
      stacked && STACKED.cell,
      stacked && place > 0 && column.controls !== true && STACKED.figure,
      column.className,
    )
  const row = cn('border-border border-b last:border-0', stacked && STACKED.row)
  const grid = stacked ? stackedColumns(visible) : undefined
  const byId = (id: string) => data.find((one) => rowId(one) === id)
  const opens = (one: Row) => (event: MouseEvent) => {
    if (
      event.target instanceof Element &&
      event.currentTarget.contains(event.target) &&
      event.target.closest(INTERACTIVE) === null
    )
      onOpen?.(one)
  }
  // The focusable controls of the rows receive these keys; the body only listens.
  const keys = {
    onKeyDown: rowKeys({
      onOpen:
        onOpen === undefined
          ? undefined
          : (id) => {
              const found = byId(id)
              if (found !== undefined) onOpen(found)
            },
      onToggle: selection === null ? undefined : (id) => selection.onSelect([id], !selection.selected.has(id)),
    }),
  }
  return (
    <>
      <table
        aria-busy={rows === undefined || busy}
        aria-rowcount={total}
        className={cn('text-[0.8125rem]/4.5 w-full border-collapse', stacked ? cn('table-fixed', STACKED.table) : 'tabular-nums')}
        style={{ marginBottom: missing * ROW_HEIGHT }}
      >
        <caption className="sr-only">{caption}</caption>
        <colgroup>
          {selection !== null && <col className="w-11" />}
          {visible.map(({ id, width }) => (
            <col key={id} className={width} />
          ))}
        </colgroup>
        <thead
          className={cn(
            'text-muted-foreground text-xs border-border bg-card top-0 z-10 border-b text-left [&_th:first-child]:pl-5 [&_th]:h-10',
            stacked ? '@max-[52rem]:[&_th]:h-auto @min-[52rem]:sticky' : 'sticky',
          )}
        >
          <tr className={stacked ? STACKED.row : ''} style={grid}>
            {selection !== null && (
              <th scope="col" style={at(-1)} className={cn(stacked && STACKED.cell)}>
                <input
                  type="checkbox"
                  aria-label={selection.labelAll}
                  checked={every}
                  ref={(box) => {
                    if (box) box.indeterminate = some && !every
                  }}
                  onChange={() => selection.onSelect(ids, !every)}
                  className="accent-primary size-4 align-middle"
                />
              </th>
            )}
            {visible.map(({ id, header, headerHidden = false, sortable, numeric = false }, place) => {
              const className = cn(
                'px-2 font-medium whitespace-nowrap last:pr-4',
                stacked && STACKED.cell,
                stacked && place > 0 && !headerHidden && STACKED.figure,
              )
              const sorted = view.sort === id ? (view.dir ?? 'desc') : null
              return (
                <th
                  key={id}
                  scope="col"
                  style={at(place)}
                  className={cn(className, numeric && 'text-right')}
                  {...(sortable === undefined ? {} : { 'aria-sort': ARIA_SORT[sorted ?? 'none'] })}
                >
                  {sortable !== undefined ? (
                    <SortButton
                      label={header}
                      numeric={numeric}
                      sorted={sorted}
                      onSort={() => onView({ ...sortAfterClick(view, id, sortable), page: 0 })}
                    />
                  ) : headerHidden ? (
                    <span className="sr-only">{header}</span>
                  ) : (
                    header
                  )}
                </th>
              )
            })}
          </tr>
          {visible.some(({ summary }) => summary !== undefined) && (
            <tr className="border-border text-[0.8125rem]/4.5 text-foreground h-11 border-t font-semibold">
              {visible.map((column, place) =>
                column.rowHeader === true ? (
                  <th key={column.id} scope="row" className={cn(cellOf(column, place), 'text-left font-semibold')}>
                    {column.summary}
                  </th>
                ) : (
                  <td key={column.id} className={cellOf(column, place)}>
                    {column.summary}
                  </td>
                ),
              )}
            </tr>
          )}
        </thead>
        <tbody {...keys}>
          {rows === undefined
            ? Array.from({ length: view.rows }, (_, index) => (
                <tr key={index} data-slot="skeleton-row" className={cn(row, stacked && 'h-[53px]')} style={grid}>
                  {selection !== null && (
                    <td style={at(-1)} className="pl-5">
                      <Skeleton className="size-4" />
                    </td>
                  )}
                  {visible.map((column, place) => (
                    <td key={column.id} style={at(place)} className={cellOf(column, place)}>
                      <Skeleton className={column.numeric === true || column.controls === true ? 'ml-auto w-14' : 'w-2/5'} />
                    </td>
                  ))}
                </tr>
              ))
            : shown.map(({ id, original }) => (
                <tr
                  key={id}
                  data-row={id}
                  data-testid={`${testId}-${id}`}
                  {...(onOpen === undefined ? {} : { onClick: opens(original) })}
                  className={cn(row, onOpen !== undefined && 'hover:bg-muted cursor-pointer transition-colors')}
                  style={grid}
                >
                  {selection !== null && (
                    <td style={at(-1)} className={cn('pl-5', stacked && STACKED.cell)} data-controls>
                      <input
                        type="checkbox"
                        data-focus="box"
                        aria-label={selection.labelOf(original)}
                        checked={selection.selected.has(id)}
                        onChange={(event) => selection.onSelect([id], event.target.checked)}
                        className="accent-primary size-4 align-middle"
                      />
                    </td>
                  )}
                  {visible.map((column, place) => {
                    const cell = { style: at(place), className: cellOf(column, place) }
                    return column.rowHeader === true ? (
                      <th key={column.id} scope="row" {...cell} className={cn(cell.className, 'text-left font-normal')}>
                        {column.cell(original)}
                      </th>
                    ) : (
                      <td key={column.id} {...cell} {...(column.controls === true ? { 'data-controls': true } : {})}>
                        {column.cell(original)}
                      </td>
                    )
                  })}
                </tr>
              ))}
        </tbody>
      </table>
      {(rowChoices.length > 0 || tools !== undefined || columns.some(({ hideable }) => hideable)) && (
        <div className="border-border flex min-h-12 flex-wrap items-center border-t pl-3">
          {columns.some(({ hideable }) => hideable) && (
            <ColumnChooser
              columns={columns
                .filter(({ controls }) => controls !== true)
                .map(({ id, header, hideable = false }) => ({ id, label: header, hideable, visible: !hidden.includes(id) }))}
              onHidden={(next) => onView({ hidden: next })}
            />
          )}
          {tools}
          {rowChoices.length > 0 && (
            <div className="ml-auto">
              <Pagination
                page={view.page}
                rows={view.rows}
                total={total}
                rowChoices={rowChoices}
                backDisabled={busy || view.page === 0}
                nextDisabled={busy || (view.page + 1) * view.rows >= total}
                onPage={(page) => onView({ page })}
                onRows={(next) => onView({ rows: next, page: 0 })}
              />
            </div>
          )}
        </div>
      )}
    </>
  )
}
