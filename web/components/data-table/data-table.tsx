import {
  columnVisibilityFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchImage } from '@/components/empty-images'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { cn } from '@/lib/utils'
import { ColumnChooser } from './column-chooser.tsx'
import { layoutOf, onlyIn, type Narrow } from './layout.ts'
import { Pagination } from './pagination.tsx'
import { rowKeys } from './row-keys.ts'
import { TableHead } from './table-head.tsx'
import { SkeletonRows, TableRow } from './table-rows.tsx'
import { chosenColumns, hiddenIn, orderedColumns, type DataColumn, type Selection, type TableView } from './table-view.ts'

type DataTableProps<Row extends object> = {
  /** Id of the table element, for references to it. */
  readonly id?: string
  /** Names the table for screen readers. */
  readonly caption: string
  readonly columns: readonly DataColumn<Row>[]
  readonly rowId: (row: Row) => string
  /** Rows of the page; undefined until the first answer. */
  readonly rows: readonly Row[] | undefined
  /** Number of rows on all pages. Without it the rows are all there are. */
  readonly total?: number
  /** Without it the table has one page, in the order of its rows. */
  readonly view?: TableView
  /** Writes a change of the view to the URL. */
  readonly onView?: (patch: Partial<TableView>) => void
  /** Options for rows per page. Without them the table has one page. */
  readonly rowChoices?: readonly number[]
  /** True while another page or order is loading. */
  readonly busy?: boolean
  /** True for a row that is being changed or removed. */
  readonly isRowBusy?: (row: Row) => boolean
  /** For users with row actions. */
  readonly selection?: Selection<Row> | null
  readonly onOpen?: (row: Row) => void
  /** Shown in place of the rows when they could not be loaded. */
  readonly failed?: { readonly title: string; readonly error: Error | null; readonly onRetry: () => void }
  /** Shown when there are no rows at all. */
  readonly nothing?: ReactNode
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
  readonly narrow?: Narrow
}

const features = tableFeatures({ columnVisibilityFeature, rowPaginationFeature, rowSelectionFeature, rowSortingFeature })

const ONE_PAGE: TableView = { page: 0, rows: 10, hidden: [] }

/**
 * A table of rows. With a view, order and pages come from the server and the view is in the URL. Keyboard: arrows move between
 * rows, Space selects, Enter opens; for that, a cell needs a link or button with `data-focus`.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, failed, noMatch = null, nothing, narrow = 'stack', caption } = props
  const { t } = useTranslation()
  const scrolls = narrow === 'scroll'
  const content = () => {
    if (failed !== undefined && failed.error !== null && rows === undefined)
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
  const { columns: given, rows, rowId, total = rows?.length ?? 0, view = ONE_PAGE, onView = () => undefined } = props
  const { order, density } = view
  const columns = useMemo(() => (order === undefined ? given : orderedColumns(given, order)), [given, order])
  const { id, caption, rowChoices = [], selection = null, isRowBusy, onOpen, tools, testId = 'row', narrow = 'stack' } = props
  const loading = rows === undefined || props.busy === true
  const hidden = hiddenIn(columns, view)
  const visible = columns.filter((column) => !hidden.includes(column.id))
  const layout = layoutOf(narrow, visible, selection !== null, density)
  const data = useMemo(() => [...(rows ?? [])], [rows])
  const state = {
    columnVisibility: Object.fromEntries(hidden.map((column) => [column, false])),
    pagination: { pageIndex: view.page, pageSize: view.rows },
    rowSelection: Object.fromEntries<true>([...(selection?.selected ?? [])].map((row) => [row, true])),
    sorting: view.sort === undefined ? [] : [{ id: view.sort, desc: view.dir !== 'asc' }],
  }
  const table = useTable({
    features,
    columns: useMemo(
      () =>
        columns.map(({ id: column, header, sortable, hideable = false }): ColumnDef<typeof features, Row, unknown> => ({
          id: column,
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
  const openById = (row: string) => {
    const found = data.find((one) => rowId(one) === row)
    if (found !== undefined) onOpen?.(found)
  }
  // The focusable controls of the rows receive these keys; the body only listens.
  const keys = {
    onKeyDown: rowKeys({
      onOpen: onOpen === undefined ? undefined : openById,
      onToggle: selection === null ? undefined : (row) => selection.onSelect([row], !selection.selected.has(row)),
    }),
  }
  const canHide = columns.some(({ hideable }) => hideable)
  return (
    <>
      <div className={visible.some(({ further }) => further) ? '@min-[52rem]:overflow-x-auto' : 'contents'}>
        <table id={id} aria-busy={loading} aria-rowcount={total} {...layout.table}>
          <caption className="sr-only">{caption}</caption>
          <colgroup>
            {selection !== null && <col className="w-11" />}
            {visible.map((column) => (
              <col key={column.id} className={cn(column.width, onlyIn(column))} />
            ))}
          </colgroup>
          <TableHead
            columns={visible}
            layout={layout}
            view={view}
            onView={onView}
            selection={
              selection === null
                ? null
                : {
                    label: selection.labelAll,
                    every: table.getIsAllPageRowsSelected(),
                    some: table.getIsSomePageRowsSelected(),
                    onSelect: (selected) => selection.onSelect(data.map(rowId), selected),
                  }
            }
          />
          {/* Keeps focused controls clear of the sticky head when the focus moves up. */}
          <tbody {...keys} className="[&_[data-focus]]:scroll-mt-14">
            {rows === undefined ? (
              <SkeletonRows rows={view.rows} columns={visible} layout={layout} selectable={selection !== null} />
            ) : (
              table.getRowModel().rows.map(({ id: row, original }) => (
                <TableRow
                  key={row}
                  id={row}
                  row={original}
                  columns={visible}
                  layout={layout}
                  testId={testId}
                  busy={isRowBusy?.(original) === true}
                  onOpen={onOpen}
                  selection={
                    selection === null
                      ? null
                      : {
                          label: selection.labelOf(original),
                          selected: selection.selected.has(row),
                          onSelect: (selected) => selection.onSelect([row], selected),
                        }
                  }
                />
              ))
            )}
          </tbody>
        </table>
      </div>
      {(rowChoices.length > 0 || tools !== undefined || canHide) && (
        <div className="border-border flex min-h-12 flex-wrap items-center border-t pl-3">
          {canHide && (
            <ColumnChooser
              columns={columns
                .filter(({ controls }) => controls !== true)
                .map(({ id: column, header, hideable = false, further = false }) => ({
                  id: column,
                  label: header,
                  hideable,
                  visible: !hidden.includes(column),
                  further: further && hidden.includes(column),
                }))}
              onHidden={(next) => onView(chosenColumns(columns, view, next))}
              onOrder={order === undefined ? undefined : (next) => onView({ order: next })}
              density={density}
              onDensity={(next) => onView({ density: next })}
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
                backDisabled={loading || view.page === 0}
                nextDisabled={loading || (view.page + 1) * view.rows >= total}
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
