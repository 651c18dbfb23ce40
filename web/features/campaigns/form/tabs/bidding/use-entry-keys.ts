import { useEffect, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import type { TreePath } from '@/components/rules/tree'
import type { DraftEntry } from './draft.ts'
import type { Entries } from './entries.ts'

type EntryKeys = {
  readonly container: RefObject<HTMLElement | null>
  readonly entries: Entries
  readonly readOnly: boolean
  readonly add: () => void
  /** For the entry that has the focus. */
  readonly entry: {
    readonly duplicate: (entry: DraftEntry) => void
    readonly move: (entry: DraftEntry, index: number, by: -1 | 1) => void
    readonly remove: (entry: DraftEntry, index: number) => void
  }
  /** For the rule or the group within an entry that has the focus. */
  readonly rule: {
    readonly duplicate: (entry: DraftEntry, path: TreePath) => void
    readonly move: (entry: DraftEntry, path: TreePath, by: -1 | 1) => void
    readonly remove: (entry: DraftEntry, path: TreePath) => void
  }
}

/** Where the focus is, or was last: an entry, and a rule of it. */
type Place = { readonly id: string; readonly path: TreePath | null }

/** Attributes of elements: the id of an entry, and the path of a rule or group. */
const ENTRY = 'data-entry'
const RULE = 'data-rule'

function placeOf(element: Element): Place | null {
  const id = element.closest(`[${ENTRY}]`)?.getAttribute(ENTRY)
  if (id === null || id === undefined) return null
  const path = element.closest(`[${RULE}]`)?.getAttribute(RULE) ?? null
  return { id, path: path === null ? null : path.split('.').map(Number) }
}

/** Adds, duplicates, moves and removes entries and rules by keys. From a command list they act where the focus was last. */
export function useEntryKeys({ container, entries, readOnly, add, entry: onEntry, rule: onRule }: EntryKeys) {
  const { t } = useTranslation('bidding')
  const last = useRef<Place | null>(null)
  useEffect(() => {
    const element = container.current
    const note = ({ target }: FocusEvent) => {
      last.current = (target instanceof Element ? placeOf(target) : null) ?? last.current
    }
    element?.addEventListener('focusin', note)
    return () => element?.removeEventListener('focusin', note)
  }, [container])

  const within = () => container.current?.contains(document.activeElement) === true
  const withinEntry = () => within() && document.activeElement !== null && placeOf(document.activeElement) !== null
  /** Text fields delete words with Alt+Backspace. */
  const withinNoField = () => withinEntry() && document.activeElement?.matches('input, select, textarea') === false
  const when = () => !readOnly && entries.length > 0

  const at = (act: (entry: DraftEntry, index: number, path: TreePath | null) => void) => () => {
    const index = entries.findIndex(({ id }) => String(id) === last.current?.id)
    const entry = entries[index]
    if (entry !== undefined) act(entry, index, last.current?.path ?? null)
  }
  const move = (by: -1 | 1) =>
    at((entry, index, path) => {
      if (path !== null) onRule.move(entry, path, by)
      else if (entries[index + by] !== undefined) onEntry.move(entry, index, by)
    })
  const duplicate = at((entry, _, path) => (path === null ? onEntry.duplicate(entry) : onRule.duplicate(entry, path)))
  const remove = at((entry, index, path) => (path === null ? onEntry.remove(entry, index) : onRule.remove(entry, path)))
  useShortcuts([
    { id: 'bidding.add', label: t('keys.add'), keys: ['alt+enter'], when: () => !readOnly, within, run: add },
    {
      id: 'bidding.duplicate',
      label: t('keys.duplicate'),
      keys: ['shift+alt+arrowdown'],
      when,
      within: withinEntry,
      run: duplicate,
    },
    { id: 'bidding.moveUp', label: t('keys.moveUp'), keys: ['alt+arrowup'], when, within: withinEntry, run: move(-1) },
    { id: 'bidding.moveDown', label: t('keys.moveDown'), keys: ['alt+arrowdown'], when, within: withinEntry, run: move(1) },
    {
      id: 'bidding.remove',
      label: t('keys.remove'),
      keys: ['alt+delete', 'alt+backspace'],
      when,
      within: withinNoField,
      run: remove,
    },
  ])
}
