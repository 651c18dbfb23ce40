import { useEffect, useRef } from 'react'
import { isSingleKey, matches, takesKeys } from './keys.ts'
import { singleKeysOn } from './single-keys.ts'

/** What the screens of the moment can be told to do. Keys, their help and whatever lists commands read the same registry. */
export type Shortcut = {
  readonly id: string
  /** What it does, in the reader's language. */
  readonly label: string
  /** Any of these: `j`, `?`, `mod+k`. None for what only lists of commands offer. */
  readonly keys: readonly string[]
  /** Whether it can be used just now; always, unless told. */
  readonly when?: () => boolean
  readonly run: () => void
}

type Source = () => readonly Shortcut[]
/** In the order the screens came: what came last is nearest to the reader and is asked first. */
const sources: Source[] = []

function register(source: Source): () => void {
  sources.push(source)
  if (sources.length === 1) document.addEventListener('keydown', onKeyDown)
  return () => {
    sources.splice(sources.indexOf(source), 1)
    if (sources.length === 0) document.removeEventListener('keydown', onKeyDown)
  }
}

/** Makes the shortcuts work for as long as the component is there. */
export function useShortcuts(shortcuts: readonly Shortcut[]) {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => register(() => latest.current), [])
}

/** All that can be used now, nearest first. */
export const activeShortcuts = (): readonly Shortcut[] =>
  sources
    .toReversed()
    .flatMap((source) => source())
    .filter(({ when }) => when?.() ?? true)

/** Runs one by its id, as its key would. */
export const runShortcut = (id: string) =>
  activeShortcuts()
    .find((shortcut) => shortcut.id === id)
    ?.run()

function onKeyDown(event: KeyboardEvent) {
  // A key held down is one press: holding A must not approve the whole queue.
  if (event.defaultPrevented || event.repeat || event.isComposing) return
  const single = singleKeysOn() && !takesKeys(event.target) && !isCovered()
  const found = activeShortcuts().find(({ keys }) => keys.some((one) => (single || !isSingleKey(one)) && matches(event, one)))
  if (found === undefined) return
  // Or the letter would be typed into what the shortcut gives the focus to.
  event.preventDefault()
  found.run()
}

const OVER_THE_PAGE = 'dialog[open], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
/** An open dialog, menu or list has the keys to itself; a list that is folded away is hidden. */
const isCovered = () => [...document.querySelectorAll(OVER_THE_PAGE)].some((over) => over.closest('[hidden]') === null)
