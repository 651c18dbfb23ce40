import { useEffect, useRef, type FocusEvent } from 'react'

type Place = { readonly id: string | undefined; readonly index: number; readonly control: string | undefined }

/**
 * Keeps the focus in a list when the focused element disappears, such as an archived row or the bar of a finished action. The
 * focus moves to the same control of the same row, or of the row that took its place, else to the heading. Rows carry `data-row`,
 * their controls `data-focus`, the heading of the page `data-heading` and `tabIndex={-1}`. For an element around all rows.
 */
export function useKeptRow<Container extends HTMLElement>() {
  const container = useRef<Container>(null)
  const last = useRef<Place | null>(null)
  useEffect(() => {
    if (last.current === null || container.current === null || document.activeElement !== document.body) return
    const { id, index, control } = last.current
    const rows = rowsIn(container.current)
    const row = index === -1 ? undefined : (rows.find(({ dataset }) => dataset['row'] === id) ?? rows[index] ?? rows.at(-1))
    const controls = [...(row?.querySelectorAll<HTMLElement>('[data-focus]') ?? [])]
    const target = controls.find(({ dataset }) => dataset['focus'] === control) ?? controls[0]
    ;(target ?? document.querySelector<HTMLElement>('[data-heading]'))?.focus()
  })
  return {
    ref: container,
    onFocus: ({ target, currentTarget }: FocusEvent<Container>) => {
      // Menus and dialogs are React descendants of the row but not DOM descendants.
      if (!currentTarget.contains(target)) return
      const row = target.closest<HTMLElement>('[data-row]')
      last.current = {
        id: row?.dataset['row'],
        index: row === null ? -1 : rowsIn(currentTarget).indexOf(row),
        control: target.closest<HTMLElement>('[data-focus]')?.dataset['focus'],
      }
    },
    onBlur: ({ target, relatedTarget }: FocusEvent<Container>) => {
      // The focus left an element that still exists, so nothing is lost. Menus and dialogs belong to the row that opened them, and
      // may close together with it.
      if (target.isConnected && relatedTarget?.closest(OPENED_FROM_ROW) == null) last.current = null
    },
  }
}

const OPENED_FROM_ROW = '[role=menu], [role=dialog], [role=alertdialog]'
const rowsIn = (container: HTMLElement) => [...container.querySelectorAll<HTMLElement>('[data-row]')]
