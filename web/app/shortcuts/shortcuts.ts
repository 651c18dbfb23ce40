import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { isShown, isSingleKey, matches, takesKeys } from './keys.ts'
import { singleKeysOn } from './single-keys.ts'

/** An action available on the current screen. Key handling, the shortcut help and the palette read the same registry. */
export type Shortcut = {
  readonly id: string
  /** Label of the action, in the reader's language. */
  readonly label: string
  /** Any of these: `j`, `?`, `mod+k`. Empty for actions that only command lists offer. */
  readonly keys: readonly string[]
  /** Whether it is available now. Default: always. */
  readonly when?: () => boolean
  /** Whether its keys work where the focus is. Default: everywhere. The help lists it in any case. */
  readonly within?: () => boolean
  /** Icon of an action without a key, in command lists. */
  readonly Icon?: LucideIcon
  readonly run: () => void
}

type Source = () => readonly Shortcut[]
/** In mount order. The last mounted screen is nearest to the user and has priority. */
const sources: Source[] = []

function register(source: Source): () => void {
  sources.push(source)
  if (sources.length === 1) document.addEventListener('keydown', onKeyDown)
  return () => {
    sources.splice(sources.indexOf(source), 1)
    if (sources.length === 0) document.removeEventListener('keydown', onKeyDown)
  }
}

/** Registers the shortcuts while the component is mounted. */
export function useShortcuts(shortcuts: readonly Shortcut[]) {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => register(() => latest.current), [])
}

/** Returns all available shortcuts, nearest first. */
export const activeShortcuts = (): readonly Shortcut[] =>
  sources
    .toReversed()
    .flatMap((source) => source())
    .filter(({ when }) => when?.() ?? true)

/** Runs a shortcut by its id, as its key would. */
export const runShortcut = (id: string) =>
  activeShortcuts()
    .find((shortcut) => shortcut.id === id)
    ?.run()

function onKeyDown(event: KeyboardEvent) {
  // Ignore key repeat: holding A must not approve the whole queue.
  if (event.defaultPrevented || event.repeat || event.isComposing) return
  const single = singleKeysOn() && !takesKeys(event.target) && !isCovered()
  const found = activeShortcuts().find(
    ({ keys, within }) => keys.some((one) => (single || !isSingleKey(one)) && matches(event, one)) && (within?.() ?? true),
  )
  if (found === undefined) return
  // Otherwise the letter would be typed into the control that the shortcut focuses.
  event.preventDefault()
  found.run()
}

const OVER_THE_PAGE = 'dialog[open], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
/** True while a dialog, menu or list is open: it receives all keys. */
const isCovered = () => isShown(OVER_THE_PAGE)
