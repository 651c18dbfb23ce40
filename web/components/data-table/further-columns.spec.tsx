import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import fc from 'fast-check'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { DataTable } from './data-table.tsx'
import { chosenColumns, hiddenIn, orderedColumns, type DataColumn, type TableView } from './table-view.ts'

type Fruit = { readonly id: string; readonly price: number }
const column = (id: string, more: Partial<DataColumn<Fruit>> = {}): DataColumn<Fruit> => ({
  id,
  header: id,
  cell: () => id,
  hideable: true,
  ...more,
})
const COLUMNS = [
  column('name', { hideable: false }),
  column('price'),
  column('stock'),
  column('weight', { further: true }),
  column('origin', { further: true }),
  column('actions', { hideable: false, controls: true }),
]

function show(start: Partial<TableView> = {}) {
  const shown: { view: TableView } = { view: { page: 0, rows: 10, hidden: [], order: [], ...start } }
  function Table() {
    const [view, setView] = useState(shown.view)
    shown.view = view
    return (
      <DataTable
        caption="Fruits"
        columns={COLUMNS}
        rowId={({ id }) => id}
        rows={[{ id: 'a', price: 3 }]}
        view={view}
        onView={(patch) => setView({ ...view, ...patch })}
        nothing={null}
      />
    )
  }
  render(<Table />)
  return shown
}
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const choose = async (name: string) => {
  if (screen.queryByRole('menu') === null) await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name }))
}

describe('further columns of a table', () => {
  it('further columns of a table are shown when the user chooses them, and the address then names them', async () => {
    const shown = show()
    expect(heads()).toEqual(['name', 'price', 'stock', 'actions'])
    await choose('origin')
    expect(heads()).toEqual(['name', 'price', 'stock', 'origin', 'actions'])
    expect([shown.view.hidden, shown.view.order]).toEqual([[], ['price', 'stock', 'origin']])
    await choose('price')
    expect([shown.view.hidden, shown.view.order]).toEqual([['price'], ['price', 'stock', 'origin']])
    await choose('origin')
    expect(heads()).toEqual(['name', 'stock', 'actions'])
  })

  it('further columns of a table stay hidden when another column is moved', async () => {
    const shown = show()
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
    const item = await screen.findByRole('menuitemcheckbox', { name: 'stock' })
    item.focus()
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(heads()).toEqual(['name', 'stock', 'price', 'actions'])
    expect(shown.view.order).toEqual(['stock', 'price'])
  })

  it('further columns of a table keep the width of the table, which scrolls with them alone', () => {
    show({ order: ['weight'] })
    const table = screen.getByRole('table')
    expect(table.style.getPropertyValue('--table-width')).toBe('51rem')
    expect(table.parentElement).toHaveClass('@min-[52rem]:overflow-x-auto')
  })

  it('further columns of a table leave the usual table as it was', () => {
    show({ hidden: ['price'] })
    const table = screen.getByRole('table')
    expect([table.getAttribute('style'), table.parentElement?.className]).toEqual([null, 'contents'])
  })

  it('further columns of a table are what was chosen, from any view, and the order of the others stays', () => {
    const ids = fc.subarray(['price', 'stock', 'weight', 'origin'])
    const order = fc.shuffledSubarray(['price', 'stock', 'weight', 'origin'])
    fc.assert(
      fc.property(ids, order, ids, (hidden, given, wanted) => {
        const view = { hidden, order: given }
        const columns = orderedColumns(COLUMNS, given)
        const next = { ...view, ...chosenColumns(columns, view, wanted) }
        const after = orderedColumns(COLUMNS, next.order ?? [])
        const visible = (all: readonly DataColumn<Fruit>[], of: Pick<TableView, 'hidden' | 'order'>) =>
          all.map(({ id }) => id).filter((id) => !hiddenIn(all, of).includes(id))
        // A table keeps two columns: then it shows what was hidden.
        fc.pre(wanted.length < 4)
        expect(new Set(visible(after, next))).toEqual(new Set(COLUMNS.map(({ id }) => id).filter((id) => !wanted.includes(id))))
        const before = columns.map(({ id }) => id).filter((id) => !wanted.includes(id))
        expect(visible(after, next)).toEqual(before)
      }),
    )
  })
})
