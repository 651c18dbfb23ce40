import { useEffect, type RefObject } from 'react'
import { get, useFormState } from 'react-hook-form'
import { useCampaignForm } from '@/features/campaigns/form/campaign-form-context'

/**
 * Returns the indices of entries with faults, and focuses the first one after a failed save and when the tab is opened with
 * faults. The form cannot do that, because rule controls are not registered with it.
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
