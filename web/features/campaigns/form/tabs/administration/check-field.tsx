import { useCampaignForm, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import type { CampaignField } from '@/features/campaigns/form/form-schema'

type CheckFieldProps = { readonly name: CampaignField; readonly label: string; readonly help?: string }

/** A yes-or-no field of the form. */
export function CheckField({ name, label, help }: CheckFieldProps) {
  const { register } = useCampaignForm()
  const { readOnly } = useFormBase()
  return (
    <div>
      <label className="flex min-h-7 w-fit items-center gap-2.5">
        <input type="checkbox" disabled={readOnly} className="accent-primary size-4" {...register(name)} />
        {label}
      </label>
      {help !== undefined && <p className="text-muted-foreground text-xs pl-6.5">{help}</p>}
    </div>
  )
}
