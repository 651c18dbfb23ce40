import { useState } from 'react'
import type { TableView } from '@/components/data-table/table-view'

const CHOICES = [25, 50, 100] as const

/** Shows rows that are all loaded page by page. Returns the props of the table; few rows need no pages. */
export function useShownPage<Row>(rows: readonly Row[] | undefined) {
  const [view, setView] = useState<Pick<TableView, 'page' | 'rows'>>({ page: 0, rows: CHOICES[0] })
  if (rows === undefined || rows.length <= CHOICES[0]) return { rows }
  const page = Math.min(view.page, Math.ceil(rows.length / view.rows) - 1)
  return {
    rows: rows.slice(page * view.rows, (page + 1) * view.rows),
    total: rows.length,
    view: { page, rows: view.rows, hidden: [] },
    onView: (patch: Partial<TableView>) => setView({ page: patch.page ?? page, rows: patch.rows ?? view.rows }),
    rowChoices: CHOICES,
  }
}
