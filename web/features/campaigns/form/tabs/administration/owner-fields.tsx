import { useMemo, type ReactNode } from 'react'
import { mayEnter } from '@/session/permissions'
import { useMe } from '@/session/session-queries'
import { FormBaseContext, useFormBase } from '@/features/campaigns/form/campaign-form-context'

/** Disables owner fields for users without the right to write them: the server would silently drop their values. */
export function OwnerFields({ children }: { readonly children: (readOnly: boolean) => ReactNode }) {
  const base = useFormBase()
  const { roles } = useMe()
  const readOnly = base.readOnly || !mayEnter(roles, 'owner-fields.write')
  const own = useMemo(() => ({ ...base, readOnly }), [base, readOnly])
  return <FormBaseContext value={own}>{children(readOnly)}</FormBaseContext>
}
