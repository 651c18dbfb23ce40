import { createFileRoute, redirect } from '@tanstack/react-router'
import { OverviewPage } from '@/features/overview/overview-page'
import { can } from '@/session/can'

export const Route = createFileRoute('/_app/overview')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'account.manage')) throw redirect({ to: '/', replace: true })
  },
  component: OverviewPage,
})
