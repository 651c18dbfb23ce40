import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { CampaignType } from '../../../../domain/campaign/options.ts'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { toForm } from './form-mapping.ts'
import type { CampaignFormValues } from './form-schema.ts'

/**
 * The version that what stands in the form was made from; a save names its revision. A newer one arriving in the background
 * takes its place only while nothing was typed, or a save would silently undo somebody else's.
 */
export function useFormBasis(form: UseFormReturn<CampaignFormValues>, newest: Campaign | CampaignType, isDirty: boolean) {
  const [basis, setBasis] = useState(newest)
  const newer = typeof newest !== 'string' && typeof basis !== 'string' && newest.revision > basis.revision
  if (newer && !isDirty) setBasis(newest)
  useEffect(() => {
    if (typeof basis !== 'string') form.reset(toForm(basis))
  }, [form, basis])
  return [basis, setBasis] as const
}
