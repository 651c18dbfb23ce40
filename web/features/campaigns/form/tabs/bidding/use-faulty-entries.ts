import { useEffect, type RefObject } from 'react'
import { get, useFormState } from 'react-hook-form'
import { useCampaignForm } from '@/features/campaigns/form/campaign-form-context'

/**
 * Places of the entries that something is wrong with. The controls of rules are not registered with the form, which therefore cannot
 * go to them: after an attempt to save, and when the tab is opened with faults in it, the first faulty one gets the focus here.
 */
export function useFaultyEntries(container: RefObject<HTMLElement | null>): ReadonlySet<number> {
  const { control } = useCampaignForm()
  const { errors, submitCount } = useFormState({ control })
  const found: unknown = get(errors, 'bidding.entries')
  useEffect(() => {
    if (submitCount > 0) container.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [container, submitCount])
  if (!Array.isArray(found)) return new Set()
  return new Set(found.flatMap((error: unknown, index) => (error === undefined || error === null ? [] : [index])))
}
