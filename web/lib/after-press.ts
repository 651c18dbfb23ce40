let pressed = false
if (typeof window !== 'undefined') {
  const set = (next: boolean) => () => {
    pressed = next
  }
  window.addEventListener('pointerdown', set(true), { capture: true })
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, set(false), { capture: true })
}

/**
 * Runs work that may move the layout, such as showing an error on blur: at once, or after the click that caused the blur. A
 * button that moves between press and release loses the click.
 */
export function afterPress(work: () => void): void {
  if (!pressed) return work()
  const later = () => setTimeout(work)
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, later, { once: true })
}
