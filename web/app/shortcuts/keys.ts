/** Key notation (`j`, `?`, `mod+enter`), matching of key presses, and display names. `mod` is ⌘ on a Mac, Ctrl elsewhere. */

const MODIFIERS = ['mod', 'shift', 'alt'] as const
type Modifier = (typeof MODIFIERS)[number]

type Keys = { readonly key: string; readonly modifiers: readonly Modifier[] }

function read(keys: string): Keys {
  const parts = keys.toLowerCase().split('+')
  return { key: parts.at(-1) ?? '', modifiers: MODIFIERS.filter((modifier) => parts.slice(0, -1).includes(modifier)) }
}

/** True for a single character, which speech input and slips of the hand type as well (WCAG 2.1.4). */
export const isSingleKey = (keys: string): boolean => {
  const { key, modifiers } = read(keys)
  return key.length === 1 && !modifiers.includes('mod') && !modifiers.includes('alt')
}

const isApple = () => /mac|iphone|ipad/i.test(navigator.userAgent)

/** Returns the typed letter, or the letter at that key's position when the keyboard has another alphabet. */
function typed({ key, code }: KeyboardEvent): string {
  const character = key.toLowerCase()
  return /^[^\u0020-\u007e]$/.test(character) && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : character
}

export function matches(event: KeyboardEvent, keys: string): boolean {
  const wanted = read(keys)
  if (typed(event) !== wanted.key) return false
  const mod = isApple() ? event.metaKey : event.ctrlKey
  const foreign = isApple() ? event.ctrlKey : event.metaKey
  // Signs such as ? are on different keys: whether Shift is needed depends on the keyboard.
  const isSign = wanted.key.length === 1 && !/[a-z]/.test(wanted.key)
  return (
    !foreign &&
    mod === wanted.modifiers.includes('mod') &&
    event.altKey === wanted.modifiers.includes('alt') &&
    (isSign || event.shiftKey === wanted.modifiers.includes('shift'))
  )
}

const APPLE = { mod: '⌘', shift: '⇧', alt: '⌥' } as const
const OTHERS = { mod: 'Ctrl', shift: 'Shift', alt: 'Alt' } as const
const NAMES: Readonly<Record<string, string>> = {
  enter: 'Enter',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  delete: 'Del',
  backspace: 'Backspace',
}
/** Names of keys in `aria-keyshortcuts` that are more than one word. */
const ARIA_NAMES: Readonly<Record<string, string>> = { arrowup: 'ArrowUp', arrowdown: 'ArrowDown' }

/** Returns the key as printed on the keyboard. */
export function keyName(keys: string): string {
  const { key, modifiers } = read(keys)
  const names = modifiers.map((modifier) => (isApple() ? APPLE : OTHERS)[modifier])
  return [...names, NAMES[key] ?? key.toUpperCase()].join(isApple() ? '' : '+')
}

/** Returns the keys in the format of `aria-keyshortcuts`. */
export function ariaKeys(keys: readonly string[]): string {
  return keys
    .map(read)
    .map(({ key, modifiers }) => {
      const names = modifiers.map((modifier) => ({ mod: isApple() ? 'Meta' : 'Control', shift: 'Shift', alt: 'Alt' })[modifier])
      const capitalized = key.length === 1 ? key.toUpperCase() : (key[0] ?? '').toUpperCase() + key.slice(1)
      return [...names, ARIA_NAMES[key] ?? capitalized].join('+')
    })
    .join(' ')
}

const NO_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/

/** True when the focused control uses key presses itself, for typing or choosing. */
export function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !NO_TEXT.test(target.type)
  return target.isContentEditable || target.matches('textarea, select, [role=textbox], [role=combobox]')
}

/** True while one of these is open: a collapsed list is hidden, and what fades out takes no keys any more. */
export const isShown = (selector: string): boolean =>
  [...document.querySelectorAll(selector)].some((found) => found.closest('[hidden], [data-state=closed]') === null)

/** True while a dialog has the screen. */
export const isDialogOpen = () => isShown('[role=dialog], [role=alertdialog]')
