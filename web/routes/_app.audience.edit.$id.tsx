import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { AudienceEditPage } from '@/features/audiences/audience-edit-page'

export const Route = createFileRoute('/_app/audience/edit/$id')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'audience.write')) throw redirect({ to: '/', replace: true })
  },
  component: AudienceEditPage,
})
