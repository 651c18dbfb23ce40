import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { AudienceCreatePage } from '@/features/audiences/audience-create-page'

export const Route = createFileRoute('/_app/audience/create')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'audience.write')) throw redirect({ to: '/', replace: true })
  },
  component: AudienceCreatePage,
})
