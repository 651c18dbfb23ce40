import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { AddAccountPage } from '@/features/registration/add-account-page'

export const Route = createFileRoute('/_app/admin/accounts_/add')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'account.add')) throw redirect({ to: '/', replace: true })
  },
  component: AddAccountPage,
})
