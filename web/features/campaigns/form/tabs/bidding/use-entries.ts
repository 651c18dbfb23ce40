import { useFormState, useWatch } from 'react-hook-form'
import { useCampaignForm } from '@/features/campaigns/form/campaign-form-context'
import type { Entries } from './entries.ts'

const NAME = 'bidding.entries'

/** Returns the form's entries and their only setter. */
export function useEntries() {
  const { control, getValues, setValue, trigger } = useCampaignForm()
  const { isSubmitted } = useFormState({ control })
  const entries: Entries = useWatch({ control, name: NAME })
  const change = (how: (entries: Entries) => Entries) =>
    setValue(NAME, [...how(getValues(NAME))], { shouldDirty: true, shouldValidate: isSubmitted })
  return { entries, change, check: () => void trigger(NAME) }
}
