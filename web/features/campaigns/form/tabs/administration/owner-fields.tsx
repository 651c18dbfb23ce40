import { useMemo, type ReactNode } from 'react'
import { mayEnter } from '../../../../../domain/permissions.ts'
import { useMe } from '../../../../../domain/session-queries.ts'
import { FormBaseContext, useFormBase } from '../../campaign-form-context.ts'

/** Who may write a campaign may not for that write its owner fields: the server would drop them without a word. */
export function OwnerFields({ children }: { readonly children: (readOnly: boolean) => ReactNode }) {
  const base = useFormBase()
  const { roles } = useMe()
  const readOnly = base.readOnly || !mayEnter(roles, 'owner-fields.write')
  const own = useMemo(() => ({ ...base, readOnly }), [base, readOnly])
  return <FormBaseContext value={own}>{children(readOnly)}</FormBaseContext>
}
