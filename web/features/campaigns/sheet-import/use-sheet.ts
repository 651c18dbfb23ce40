import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { pagesOf, type ListScope } from '@/data/campaign-queries'
import { today } from '@/lib/clock'
import { dayOrder } from '@/lib/read-day'
import { shownSpace } from '@/session/identity'
import { MOST_BYTES, readTable } from './read-table.ts'
import { planSheet, readRows, type SheetFault, type SheetPlan } from './sheet-plan.ts'

export type SheetLine = { readonly id: string; readonly row: ListRow | null; readonly plan: SheetPlan }
/** `lines` are those that change something or cannot; `same` counts the others. */
export type Sheet = { readonly file: string; readonly lines: readonly SheetLine[]; readonly same: number }
export type SheetState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'refused'; readonly fault: SheetFault | 'tooBig'; readonly file: string }
  | { readonly kind: 'failed'; readonly error: Error; readonly file: File }
  | { readonly kind: 'read'; readonly sheet: Sheet }

/** Reads a spreadsheet and compares it with the campaigns of the list. */
export function useSheet(scope: ListScope) {
  const { i18n } = useTranslation()
  const [state, setState] = useState<SheetState>({ kind: 'empty' })

  async function read(file: File) {
    setState({ kind: 'reading' })
    if (file.size > MOST_BYTES) return setState({ kind: 'refused', fault: 'tooBig', file: file.name })
    const found = readRows(await readTable(file))
    if ('fault' in found) return setState({ kind: 'refused', fault: found.fault, file: file.name })
    try {
      const { rows } = found
      const current = await currentRows(scope, new Set(rows.map(({ id }) => id)))
      const plans = planSheet(rows, (id) => current.get(id), { order: dayOrder(i18n.language), today: today() })
      const lines = rows.flatMap(({ id }, place): readonly SheetLine[] => {
        const plan = plans[place] ?? { kind: 'same' }
        return plan.kind === 'same' ? [] : [{ id, row: current.get(id) ?? null, plan }]
      })
      return setState({ kind: 'read', sheet: { file: file.name, lines, same: rows.length - lines.length } })
    } catch (error) {
      return setState({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)), file })
    }
  }
  return { state, read, reset: () => setState({ kind: 'empty' }) }
}

/** The campaigns of these ids as they are now, from the pages of the list, until all of them are found. */
async function currentRows(scope: ListScope, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, ListRow>> {
  const found = new Map<string, ListRow>()
  const input = { space_id: scope === 'all' ? null : shownSpace(), order_field: 'name', order_asc: true } as const
  for await (const rows of pagesOf(scope, input)) {
    for (const row of rows) if (ids.has(row.id)) found.set(row.id, row)
    if (found.size === ids.size) break
  }
  return found
}
