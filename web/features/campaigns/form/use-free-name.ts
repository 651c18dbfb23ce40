import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { campaignQueries } from '@/data/campaign-queries'
import type { CampaignFormValues } from './form-schema.ts'

/** Returns the first unused of `name`, `name 2`, `name 3`…, ignoring case. */
export function freeName(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map((one) => one.trim().toLowerCase()))
  let number = 1
  const candidate = () => (number === 1 ? name : `${name} ${number}`)
  while (known.has(candidate().toLowerCase())) number++
  return candidate()
}

/** Numbers the initial name of a new campaign, unless the user has changed it. `start` is null for a stored campaign. */
export function useFreeName(form: UseFormReturn<CampaignFormValues>, start: string | null) {
  const { data: taken } = useQuery({ ...campaignQueries.names(start ?? ''), enabled: start !== null })
  useEffect(() => {
    if (start === null || taken === undefined || form.getValues('name') !== start) return
    const name = freeName(start, taken)
    if (name !== start) form.resetField('name', { defaultValue: name })
  }, [form, start, taken])
}
