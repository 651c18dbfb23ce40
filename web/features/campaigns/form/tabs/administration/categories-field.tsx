import { useWatch } from 'react-hook-form'
import { useCampaignForm, useFieldError, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { CategoriesChoice } from './categories-choice.tsx'

const NAME = 'administration.categories'

export function CategoriesField() {
  const { control, setValue } = useCampaignForm()
  const { readOnly } = useFormBase()
  const chosen = useWatch({ control, name: NAME })
  const error = useFieldError(NAME)
  return (
    <CategoriesChoice
      className="col-span-2"
      chosen={chosen}
      readOnly={readOnly}
      error={error}
      onChange={(keys) => setValue(NAME, [...keys], { shouldDirty: true })}
    />
  )
}
