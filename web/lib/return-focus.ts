/**
 * Gives the focus back to what opened a popup, unless the user has moved it elsewhere since: by a click that closed the popup, or
 * while it faded out.
 */
export function returnFocus(opener: Element | null): void {
  const { activeElement, body } = document
  const isLost = activeElement === null || activeElement === body || !activeElement.isConnected
  if (isLost && opener instanceof HTMLElement) opener.focus()
}
