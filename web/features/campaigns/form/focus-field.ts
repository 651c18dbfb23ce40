import type { FieldPath, UseFormReturn } from 'react-hook-form'
import type { CampaignFormValues } from './form-schema.ts'

/** How long a tab may take to be there: its code may have to be fetched first. */
const PATIENCE_MS = 3000

const isField = (field: string): field is FieldPath<CampaignFormValues> => field !== ''

/**
 * Puts the focus on a field of the tab that is being drawn, or, where a field is made of many controls, on the first of them that is
 * marked as wrong. Then, or when it has waited long enough, it is `done`; the function it returns calls it off.
 */
export function focusField(
  form: UseFormReturn<CampaignFormValues>,
  field: string,
  panel: HTMLElement,
  done: () => void,
): () => void {
  const before = document.activeElement
  const until = performance.now() + PATIENCE_MS
  const there = () => document.activeElement !== before && panel.contains(document.activeElement)
  const attempt = () => {
    if (isField(field)) form.setFocus(field)
    if (!there()) panel.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (there() || performance.now() > until) {
      // In the middle of the window, where no message covers it.
      if (there()) document.activeElement?.scrollIntoView({ block: 'center' })
      done()
    } else frame = requestAnimationFrame(attempt)
  }
  let frame = requestAnimationFrame(attempt)
  return () => cancelAnimationFrame(frame)
}
