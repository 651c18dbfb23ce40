import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { LegalEntityPage } from '@/features/accounts/legal-entity-page'

export const Route = createFileRoute('/_app/admin/legal-entity/user/$id')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'account.manage')) throw redirect({ to: '/', replace: true })
  },
  component: LegalEntityPage,
})
