import type { Page } from 'playwright-core'

/** Texts that are truncated without a way to read the rest (a title), and pages wider than their window. */
export const clipped = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const { scrollWidth } = document.documentElement
    if (scrollWidth > window.innerWidth) found.push(`the page is ${scrollWidth} px wide`)
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const { overflowX, textOverflow } = getComputedStyle(element)
      const cut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1
      const hides = overflowX === 'hidden' || overflowX === 'clip'
      if (!cut || !hides || element.closest('[title], .sr-only, iframe, [data-slot=preview]') !== null) continue
      // User-defined names may have any length; an ellipsis marks the truncation.
      if (textOverflow === 'ellipsis') continue
      if (element.textContent.trim() !== '') found.push(`cut off: ${element.textContent.trim().slice(0, 60)}`)
    }
    for (const control of document.querySelectorAll<HTMLElement>('button, a, th, label, [role=tab]')) {
      const { textOverflow } = getComputedStyle(control)
      const shown = control.clientWidth > 1 && control.closest('.sr-only') === null
      if (shown && textOverflow !== 'ellipsis' && control.scrollWidth > control.clientWidth + 1)
        found.push(`overflows: ${control.textContent.trim().slice(0, 60)}`)
    }
    return found
  })
