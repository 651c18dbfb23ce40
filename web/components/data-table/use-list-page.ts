import { useEffect } from 'react'
import { readHidden, writeHidden, type Direction, type TableView } from './table-view.ts'

/** The search parameters that a list page has; without `rows` the number of rows is fixed. */
type ListSearch = {
  readonly page?: number | undefined
  readonly rows?: number
  readonly sort?: string | undefined
  readonly dir?: Direction
  readonly hide?: string | undefined
  readonly columns?: string | undefined
  readonly density?: 'compact' | undefined
}

/** A change of the search parameters; absent ones stay. */
export type ListPatch<Sort extends string = never> = {
  page?: number
  rows?: number
  sort?: Sort
  dir?: Direction
  hide?: string | undefined
  columns?: string | undefined
  density?: 'compact' | undefined
}

type LoadedPage<Row> = {
  readonly data: { readonly data: readonly Row[]; readonly total_size: number } | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
  readonly isPlaceholderData: boolean
}

type PageRange = {
  readonly page: number
  readonly rows: number
  /** Number of rows on all pages; undefined until the page itself is loaded. */
  readonly total: number | undefined
  readonly onPage: (page: number) => void
}

/**
 * Leaves a page beyond the last one, after an old link or the removal of its last row, for the last page. Returns true until it
 * has left.
 */
export function usePageInRange({ page, rows, total, onPage }: PageRange): boolean {
  const last = Math.max(0, Math.ceil((total ?? 0) / rows) - 1)
  const beyond = total !== undefined && page > last
  useEffect(() => {
    if (beyond) onPage(last)
  })
  return beyond
}

type ListPage<Row, Sort extends string> = {
  readonly query: LoadedPage<Row>
  readonly search: ListSearch
  readonly onSearch: (patch: ListPatch<Sort>, history: 'push' | 'replace') => void
  /** The choices for rows per page; the first is used where the search has none. */
  readonly rowChoices: readonly [number, ...number[]]
  /** The columns that the server sorts by. */
  readonly sorts?: readonly Sort[]
  /** The order that the server uses where the search has none. */
  readonly defaultSort?: Sort
  /** Whether columns can be moved and rows be compact; the search needs `columns` and `density`. */
  readonly arranged?: boolean
  /** Title of the message when the rows could not be loaded. */
  readonly failed: string
  readonly filters?: {
    readonly active: boolean
    readonly title: string
    readonly text: string
    readonly clear: string
    readonly onClear: () => void
  }
}

/** Returns what a `DataTable` needs of a list whose view is in the URL: rows, view, failure and the state without a match. */
export function useListPage<Row extends object, Sort extends string = never>(list: ListPage<Row, Sort>) {
  const { query, search, onSearch, rowChoices, sorts = [], defaultSort, arranged = false, failed, filters } = list
  const { data, isPlaceholderData } = query
  const { page = 0, rows = rowChoices[0] } = search
  const beyond = usePageInRange({
    page,
    rows,
    total: isPlaceholderData ? undefined : data?.total_size,
    onPage: (last) => onSearch({ page: last }, 'replace'),
  })
  const view: TableView = {
    page,
    rows,
    sort: search.sort ?? defaultSort,
    dir: search.dir,
    hidden: readHidden(search.hide),
    ...(arranged ? { order: readHidden(search.columns), density: search.density ?? 'comfortable' } : {}),
  }
  const onView = ({ hidden, sort, dir, page: nextPage, rows: nextRows, order: columns, density }: Partial<TableView>) => {
    const order = sorts.find((known) => known === sort)
    onSearch(
      {
        ...(nextPage === undefined ? {} : { page: nextPage }),
        ...(nextRows === undefined ? {} : { rows: nextRows }),
        ...(order === undefined || dir === undefined ? {} : { sort: order, dir }),
        ...(hidden === undefined ? {} : { hide: writeHidden(hidden) }),
        ...(columns === undefined ? {} : { columns: writeHidden(columns) }),
        ...(density === undefined ? {} : { density: density === 'compact' ? density : undefined }),
      },
      'push',
    )
  }
  return {
    rows: beyond ? undefined : data?.data,
    total: data?.total_size ?? 0,
    view,
    onView,
    rowChoices,
    busy: isPlaceholderData,
    failed: { title: failed, error: query.error, onRetry: () => void query.refetch() },
    noMatch: filters?.active === true ? filters : null,
  }
}
