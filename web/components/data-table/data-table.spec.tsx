import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { DataTable } from './data-table.tsx'
import {
  appliedHidden,
  readHidden,
  sortAfterClick,
  writeHidden,
  type DataColumn,
  type Selection,
  type TableView,
} from './table-view.ts'

type Fruit = { readonly id: string; readonly name: string; readonly price: number; readonly stock: number }
const FRUITS: readonly Fruit[] = [
  { id: 'a', name: 'Apple', price: 3, stock: 10 },
  { id: 'b', name: 'Banana', price: 1, stock: 20 },
  { id: 'c', name: 'Cherry', price: 9, stock: 30 },
]
const COLUMNS: readonly DataColumn<Fruit>[] = [
  {
    id: 'name',
    header: 'Name',
    sortable: 'asc',
    cell: ({ id, name }) => (
      <a href={`#${id}`} data-focus="name">
        {name}
      </a>
    ),
  },
  { id: 'price', header: 'Price', sortable: 'desc', numeric: true, hideable: true, cell: ({ price }) => price },
  { id: 'stock', header: 'Stock', numeric: true, hideable: true, cell: ({ stock }) => stock },
  {
    id: 'actions',
    header: 'Actions',
    headerHidden: true,
    controls: true,
    cell: ({ name }) => (
      <button type="button" data-focus="menu">
        Menu of {name}
      </button>
    ),
  },
]
const VIEW: TableView = { page: 0, rows: 10, hidden: [] }

type Options = Partial<Parameters<typeof DataTable<Fruit>>[0]> & { readonly start?: Partial<TableView> }

function show({ start = {}, ...options }: Options = {}) {
  const views: Partial<TableView>[] = []
  function Table() {
    const [view, setView] = useState({ ...VIEW, ...start })
    return (
      <DataTable
        caption="Fruits"
        columns={COLUMNS}
        rowId={({ id }) => id}
        rows={FRUITS}
        total={40}
        view={view}
        onView={(patch) => {
          views.push(patch)
          setView({ ...view, ...patch })
        }}
        rowChoices={[10, 25]}
        failed={{ title: 'Fruits could not be loaded', error: null, onRetry: () => undefined }}
        nothing={<p>No fruits yet</p>}
        {...options}
      />
    )
  }
  render(<Table />)
  return views
}

const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

function selectable(selected: readonly string[], onSelect: Selection<Fruit>['onSelect'] = () => undefined): Selection<Fruit> {
  return { selected: new Set(selected), onSelect, labelAll: 'Select all', labelOf: ({ name }) => `Select ${name}` }
}

describe('a data table', () => {
  it('a data table is named by its caption and says that it is not busy', () => {
    show()
    const table = screen.getByRole('table', { name: 'Fruits' })
    expect(table).toHaveAttribute('aria-busy', 'false')
    expect(within(table).getByRole('row', { name: /Cherry 9 30/ })).toBeVisible()
  })

  it('sorts by a heading, first in the direction of its column, then reversed, and returns to the first page', async () => {
    const views = show({ start: { page: 2 } })
    expect(screen.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'none')
    await userEvent.click(screen.getByRole('button', { name: 'Price' }))
    expect(screen.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'descending')
    await userEvent.click(screen.getByRole('button', { name: 'Price' }))
    expect(screen.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'ascending')
    expect(views).toEqual([
      { sort: 'price', dir: 'desc', page: 0 },
      { sort: 'price', dir: 'asc', page: 0 },
    ])
    expect(screen.getByRole('columnheader', { name: 'Stock' })).not.toHaveAttribute('aria-sort')
  })

  it('keeps the order of the server', () => {
    show({ start: { sort: 'price', dir: 'asc' } })
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Apple', 'Banana', 'Cherry'])
  })

  it('pages, and starts over when the number of rows changes', async () => {
    const views = show({ start: { page: 1 } })
    expect(screen.getByText('11–20 of 40')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '25')
    expect(views).toEqual([{ page: 2 }, { rows: 25, page: 0 }])
  })

  it('disables paging and says busy while another page is on its way', () => {
    show({ busy: true, start: { page: 1 } })
    expect(screen.getByRole('table')).toHaveAttribute('aria-busy', 'true')
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Back' })).toBeDisabled()
  })

  it.each([
    { page: 0, rows: 25, total: 12, busy: false, back: true, next: true },
    { page: 0, rows: 25, total: 25, busy: false, back: true, next: true },
    { page: 0, rows: 25, total: 26, busy: false, back: true, next: false },
    { page: 1, rows: 25, total: 26, busy: false, back: false, next: true },
    { page: 1, rows: 5, total: 26, busy: true, back: true, next: true },
  ])(
    'a data table on page $page of $rows rows of $total, busy $busy: Back disabled $back, Next disabled $next',
    ({ page, rows, total, busy, back, next }) => {
      show({ total, busy, start: { page, rows } })
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back' }).disabled).toBe(back)
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(next)
    },
  )

  it('offers no other page before the first answer', () => {
    show({ rows: undefined, start: { page: 1 } })
    expect(screen.getByRole('button', { name: 'Back' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled()
  })

  it('shows as many skeleton rows as a page has until the first answer', () => {
    show({ rows: undefined, start: { rows: 5 } })
    expect(document.querySelectorAll('[data-slot=skeleton-row]')).toHaveLength(5)
    expect(screen.getByRole('table')).toHaveAttribute('aria-busy', 'true')
  })
})

describe('the columns of a data table', () => {
  it('the columns of a data table can be hidden and shown, but two always stay', async () => {
    const views = show()
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Stock' }))
    expect(heads()).toEqual(['Name', 'Price', 'Actions'])
    expect(screen.getByRole('menuitemcheckbox', { name: 'Price' })).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Stock' }))
    expect(heads()).toEqual(['Name', 'Price', 'Stock', 'Actions'])
    expect(views).toEqual([{ hidden: ['stock'] }, { hidden: [] }])
    expect(screen.queryByRole('menuitemcheckbox', { name: 'Name' })).toBeNull()
  })

  it('the columns of a data table ignore an address that hides too many, unknown ones or those that stay', () => {
    expect(appliedHidden(COLUMNS, ['price', 'stock'])).toEqual([])
    expect(appliedHidden(COLUMNS, ['name', 'actions', 'nothing'])).toEqual([])
    expect(appliedHidden(COLUMNS, ['stock', 'nothing'])).toEqual(['stock'])
  })

  it('the columns of a data table are written into the address by name', () => {
    expect(writeHidden([])).toBeUndefined()
    expect(readHidden(writeHidden(['price', 'stock']))).toEqual(['price', 'stock'])
    expect(readHidden(undefined)).toEqual([])
  })
})

describe('the selection of a data table', () => {
  it.each([
    { selected: [], checked: false, mixed: false },
    { selected: ['a'], checked: false, mixed: true },
    { selected: ['a', 'b', 'c'], checked: true, mixed: false },
    { selected: ['of another page'], checked: false, mixed: false },
  ])('shows $selected in the heading: checked $checked, mixed $mixed', ({ selected, checked, mixed }) => {
    show({ selection: selectable(selected) })
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' })
    expect({ checked: all.checked, mixed: all.indeterminate }).toEqual({ checked, mixed })
  })

  it('selects one row or the whole page', async () => {
    const onSelect = vi.fn()
    show({ selection: selectable(['a'], onSelect) })
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Banana' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
    expect(onSelect.mock.calls).toEqual([
      [['b'], true],
      [['a', 'b', 'c'], true],
    ])
  })
})

describe('the rows of a data table', () => {
  it('the rows of a data table open by a click, but not by a click on their controls', async () => {
    const onOpen = vi.fn()
    show({ onOpen, selection: selectable([]) })
    await userEvent.click(screen.getByRole('cell', { name: '10' }))
    await userEvent.click(screen.getByRole('button', { name: 'Menu of Apple' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Apple' }))
    expect(onOpen.mock.calls).toEqual([[FRUITS[0]]])
  })

  it('the rows of a data table are reached by the arrows, in the same column of controls', async () => {
    show()
    screen.getByRole('link', { name: 'Apple' }).focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    expect(screen.getByRole('link', { name: 'Cherry' })).toHaveFocus()
    await userEvent.tab()
    await userEvent.keyboard('{ArrowUp}')
    expect(screen.getByRole('button', { name: 'Menu of Banana' })).toHaveFocus()
  })

  it('the rows of a data table are selected by Space and opened by Enter', async () => {
    const onSelect = vi.fn()
    const onOpen = vi.fn()
    show({ onOpen, selection: selectable(['b'], onSelect) })
    screen.getByRole('link', { name: 'Apple' }).focus()
    await userEvent.keyboard(' ')
    await userEvent.keyboard('{ArrowDown} ')
    screen.getByRole('checkbox', { name: 'Select Cherry' }).focus()
    await userEvent.keyboard('{Enter}')
    expect(onSelect.mock.calls).toEqual([
      [['a'], true],
      [['b'], false],
    ])
    expect(onOpen.mock.calls).toEqual([[FRUITS[2]]])
  })
})

describe('a data table whose rows are all there', () => {
  const name = { id: 'name', header: 'Name', rowHeader: true, summary: 'All', cell: (row: Fruit) => row.name } as const
  const stock = { id: 'stock', header: 'Stock', numeric: true, summary: '60', cell: (row: Fruit) => row.stock } as const
  const all = (more: Partial<Parameters<typeof DataTable<Fruit>>[0]> = {}) =>
    render(<DataTable id="fruits" caption="Fruits" columns={[name, stock]} rowId={({ id }) => id} rows={FRUITS} {...more} />)

  it('needs no view: it shows every row, without pages', () => {
    all()
    const table = screen.getByRole('table', { name: 'Fruits' })
    expect(table).toHaveAttribute('id', 'fruits')
    expect(table).toHaveAttribute('aria-rowcount', '3')
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['All', 'Apple', 'Banana', 'Cherry'])
    expect(screen.queryByRole('navigation')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('shows its summary above the first row', () => {
    all()
    expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'NameStock',
      'All60',
      'Apple10',
      'Banana20',
      'Cherry30',
    ])
  })

  it('marks a row that is being removed', () => {
    all({ isRowBusy: ({ id }) => id === 'b' })
    expect(screen.getByTestId('row-b')).toHaveAttribute('aria-busy', 'true')
    expect(screen.getByTestId('row-a')).not.toHaveAttribute('aria-busy')
  })

  it('a data table whose rows are all there can be reached by keyboard when it scrolls, and not when it fits', () => {
    const { rerender } = all({ narrow: 'scroll' })
    expect(screen.getByRole('region', { name: 'Fruits' })).toHaveAttribute('tabindex', '0')
    rerender(<DataTable caption="Fruits" columns={[name, stock]} rowId={({ id }) => id} rows={FRUITS} narrow="fit" />)
    expect(screen.getByRole('region', { name: 'Fruits' })).not.toHaveAttribute('tabindex')
  })

  it('shows nothing at all without rows, a failure or a text for them', () => {
    all({ rows: [] })
    expect(screen.queryByRole('table')).toBeNull()
  })
})

describe('a data table without rows', () => {
  it('shows what to start with when there is nothing yet', () => {
    show({ rows: [], total: 0 })
    expect(screen.getByText('No fruits yet')).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('offers to clear filters that hide every row', async () => {
    const onClear = vi.fn()
    show({ rows: [], total: 0, noMatch: { title: 'No fruits found', text: 'Nothing matches.', clear: 'Clear filters', onClear } })
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(onClear).toHaveBeenCalledOnce()
    expect(screen.queryByText('No fruits yet')).toBeNull()
  })

  it('reports a failure and tries again', async () => {
    const onRetry = vi.fn()
    show({ rows: undefined, failed: { title: 'Fruits could not be loaded', error: new Error('no'), onRetry } })
    expect(screen.getByRole('alert')).toHaveTextContent('Fruits could not be loaded')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(onRetry).toHaveBeenCalledOnce()
  })

  it('keeps the rows it has when a later request fails', () => {
    show({ failed: { title: 'Fruits could not be loaded', error: new Error('no'), onRetry: () => undefined } })
    expect(screen.getByRole('link', { name: 'Apple' })).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('sortAfterClick', () => {
  it('starts another column in its own direction', () => {
    expect(sortAfterClick({ sort: 'price', dir: 'asc' }, 'name', 'desc')).toEqual({ sort: 'name', dir: 'desc' })
  })
})
