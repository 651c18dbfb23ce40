import { useMemo, type ReactNode } from 'react'
import { useCan } from '@/session/can'
import { FormBaseContext, useFormBase } from '@/features/campaigns/form/campaign-form-context'

/** Disables owner fields for users without the right to write them: the server would silently drop their values. */
export function OwnerFields({ children }: { readonly children: (readOnly: boolean) => ReactNode }) {
  const base = useFormBase()
  const can = useCan()
  const readOnly = base.readOnly || !can('owner-fields.write', base.campaign ?? undefined)
  const own = useMemo(() => ({ ...base, readOnly }), [base, readOnly])
  return <FormBaseContext value={own}>{children(readOnly)}</FormBaseContext>
}
