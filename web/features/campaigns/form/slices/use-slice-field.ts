import { useController } from 'react-hook-form'
import { useCampaignForm, useFormBase } from '../campaign-form-context.ts'
import type { CampaignField } from '../form-schema.ts'

/** Binds one form field to a control that is not a native input. */
export function useSliceField<Name extends CampaignField>(name: Name) {
  const { control, setFocus } = useCampaignForm()
  const { readOnly } = useFormBase()
  const { field } = useController({ control, name })
  return { value: field.value, set: field.onChange, ref: field.ref, focus: () => setFocus(name), disabled: readOnly }
}
