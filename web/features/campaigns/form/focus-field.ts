import type { FieldPath, UseFormReturn } from 'react-hook-form'
import type { CampaignFormValues } from './form-schema.ts'

/** Timeout for a tab to appear: its code may have to load first. */
const TIMEOUT_MS = 3000

const isField = (field: string): field is FieldPath<CampaignFormValues> => field !== ''

/**
 * Focuses a field on the tab that is rendering or, in a field of many controls, the first control marked as invalid. Calls `done`
 * then, or after the timeout. The returned function cancels it.
 */
export function focusField(
  form: UseFormReturn<CampaignFormValues>,
  field: string,
  panel: HTMLElement,
  done: () => void,
): () => void {
  const before = document.activeElement
  const until = performance.now() + TIMEOUT_MS
  const there = () => document.activeElement !== before && panel.contains(document.activeElement)
  const attempt = () => {
    if (isField(field)) form.setFocus(field)
    if (!there()) panel.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (there() || performance.now() > until) {
      // Scroll it to the middle of the window, where no message covers it.
      if (there()) document.activeElement?.scrollIntoView({ block: 'center' })
      done()
    } else frame = requestAnimationFrame(attempt)
  }
  let frame = requestAnimationFrame(attempt)
  return () => cancelAnimationFrame(frame)
}
