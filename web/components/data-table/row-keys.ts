import type { KeyboardEvent } from 'react'

type RowKeys = {
  readonly onOpen: ((id: string) => void) | undefined
  readonly onToggle: ((id: string) => void) | undefined
}

const MOVES: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }
const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled)'

/**
 * Key handler inside table rows: arrows move between rows in the same column of controls, Space selects from the row's link,
 * Enter opens from its check box. Controls that use a key themselves call `preventDefault` first.
 */
export function rowKeys({ onOpen, onToggle }: RowKeys) {
  return (event: KeyboardEvent<HTMLTableSectionElement>) => {
    const { target, key } = event
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    // A row's menu is its child in React but not in the document.
    if (!(target instanceof HTMLElement) || !event.currentTarget.contains(target)) return
    const row = target.closest<HTMLElement>('tr[data-row]')
    const id = row?.dataset['row']
    if (row === null || id === undefined) return
    const move = MOVES[key]
    if (move !== undefined) {
      event.preventDefault()
      controlBeside(row, target, move)?.focus()
    } else if (key === ' ' && onToggle !== undefined && target instanceof HTMLAnchorElement) {
      event.preventDefault()
      onToggle(id)
    } else if (key === 'Enter' && onOpen !== undefined && target instanceof HTMLInputElement) {
      event.preventDefault()
      onOpen(id)
    }
  }
}

/** Returns the matching control in the next or previous row, or that row's first control. */
function controlBeside(row: HTMLElement, from: HTMLElement, move: 1 | -1): HTMLElement | undefined {
  const beside = move === 1 ? row.nextElementSibling : row.previousElementSibling
  if (!(beside instanceof HTMLElement)) return undefined
  const controls = [...beside.querySelectorAll<HTMLElement>(CONTROLS)]
  const name = from.closest<HTMLElement>('[data-focus]')?.dataset['focus']
  const same = name === undefined ? undefined : controls.find((control) => control.dataset['focus'] === name)
  return same ?? controls[[...row.querySelectorAll<HTMLElement>(CONTROLS)].indexOf(from)] ?? controls[0]
}
