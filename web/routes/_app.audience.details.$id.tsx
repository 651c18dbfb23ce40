import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { AudiencePage } from '@/features/audiences/audience-page'

export const Route = createFileRoute('/_app/audience/details/$id')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'audience.read')) throw redirect({ to: '/', replace: true })
  },
  component: AudiencePage,
})
