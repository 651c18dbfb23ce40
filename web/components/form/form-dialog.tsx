import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { DialogFrame, DialogStep, type OneStepProps } from '@/components/dialog-frame'
import { ShortForm } from './short-form.tsx'

type FormDialogProps<Values extends FieldValues> = OneStepProps & {
  readonly form: UseFormReturn<Values>
  /** Gets values that have no fault. */
  readonly onSubmit: (values: Values) => void
  /** Currency of its amounts, ISO 4217. */
  readonly currency?: string | null
  /** False where nothing is lost that a user would miss, such as a password. */
  readonly guarded?: boolean
}

/** A dialog with a short form. Unless it is cancelled, it asks before what was typed is lost. */
export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { open = true, title, description, className, onClose, form, onSubmit, currency = null, guarded = true, ...step } = props
  return (
    <DialogFrame open={open} guarded={guarded} title={title} description={description} className={className} onClose={onClose}>
      <ShortForm form={form} guarded={guarded} currency={currency} onSubmit={onSubmit} className="flex min-h-0 flex-col">
        <DialogStep {...step} onCancel={onClose} />
      </ShortForm>
    </DialogFrame>
  )
}
