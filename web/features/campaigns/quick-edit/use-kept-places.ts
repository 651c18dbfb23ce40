import { useEffect, useRef, useState } from 'react'
import type { ListRow } from '#contract/campaign-list'

type Held = {
  /** The view that the rows belong to. */
  readonly view: string
  readonly order: readonly string[]
  /** Edited rows as they were last saved. */
  readonly edited: ReadonlyMap<string, ListRow>
}

/**
 * Keeps rows in their places once one of them was edited, until another view is opened: a row that moved under the pointer would
 * take the next click of another one. A row that its edit removed from the page stays as it was saved.
 */
export function useKeptPlaces(view: string, rows: readonly ListRow[] | undefined) {
  const [held, setHeld] = useState<Held | null>(null)
  const now = held?.view === view ? held : null
  const shown = rows === undefined || now === null ? rows : inPlace(now, rows)
  const latest = useRef({ view, shown })
  useEffect(() => {
    latest.current = { view, shown }
  })
  return {
    rows: shown,
    places: {
      keep: (id: string, saved: (row: ListRow) => ListRow) => {
        const { view: current, shown: there = [] } = latest.current
        setHeld((before) => {
          const same = before?.view === current ? before : { view: current, order: there.map((row) => row.id), edited: new Map() }
          const row = there.find((one) => one.id === id)
          return row === undefined ? same : { ...same, edited: new Map(same.edited).set(id, saved(row)) }
        })
      },
    },
  }
}
export type KeptPlaces = ReturnType<typeof useKeptPlaces>['places']

/** Returns the rows in the held order: without rows that left the page unedited, and with new rows at the end. */
export function inPlace({ order, edited }: Pick<Held, 'order' | 'edited'>, rows: readonly ListRow[]): readonly ListRow[] {
  const fresh = new Map(rows.map((row) => [row.id, row]))
  const kept = order.flatMap((id) => fresh.get(id) ?? edited.get(id) ?? [])
  const known = new Set(order)
  return [...kept, ...rows.filter(({ id }) => !known.has(id))]
}
